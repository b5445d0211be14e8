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

/// Expansions with what is chosen of each behind it: "hidden=16,method=mask,decoder.layers=3".
/// Throws Error saying what was expected.
expand::Plan growthsFromText(const std::string& text);

/// Says one more thing about a growth: layer, head (1+3; they are counted from 1), stack,
/// attention, position, method, mask_steps, unshare or allow_inexact. `said`: where the user wrote
/// it. Throws Error where the growth says something else already, and for a value that is not
/// allowed.
expand::Growth withChoice(const expand::Growth& growth, std::string_view choice,
                          const std::string& value, const std::string& said);

/// The choices as help and errors list them.
inline constexpr const char* kGrowthChoices =
    "layer=1+3, head=1+3, stack=decoder, attention=self, position=1, method=mask, mask_steps=500, "
    "unshare, allow_inexact";

/// Of texts like "500:feed_forward=16,heads=9", in the order of their steps. Throws Error.
std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts);

/// Declares --grow.
void addGrowOption(CLI::App& options, std::vector<std::string>& texts);

/// What stands between separators; nothing for an empty text.
std::vector<std::string> partsOf(const std::string& text, char separator);

/// A whole number from 0, or Error naming `what`.
std::int64_t wholeNumber(const std::string& text, const std::string& what);

}  // namespace tfm::cli
