// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/expand/growth.h"
#include "core/train/train_config.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// Parses expansions, each followed by its choices: "hidden=16,method=mask,decoder.layers=3".
/// Throws Error naming what was expected.
expand::Plan growthsFromText(const std::string& text);

/// Adds a choice to a growth: layer, head (e.g. 1+3, counted from 1), stack, attention, position,
/// method, mask_steps, unshare or allow_inexact. `source`: where the user wrote it. Throws Error if
/// the growth already has another value, or the value is invalid.
expand::Growth withChoice(const expand::Growth& growth, std::string_view choice,
                          const std::string& value, const std::string& source);

/// The choices for help and errors.
inline constexpr const char* kGrowthChoices =
    "layer=1+3, head=1+3, stack=decoder, attention=self, position=1, method=mask, mask_steps=500, "
    "unshare, allow_inexact";

/// Parses texts such as "500:feed_forward=16,heads=9" and sorts them by step. Throws Error.
std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts);

/// Declares --grow.
void addGrowOption(CLI::App& options, std::vector<std::string>& texts);

/// Splits a text at separators; an empty text has no parts.
std::vector<std::string> partsOf(const std::string& text, char separator);

/// Parses a whole number >= 0. Throws Error naming `what`.
std::int64_t wholeNumber(const std::string& text, const std::string& what);

}  // namespace tfm::cli
