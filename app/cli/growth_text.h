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

/// An expansion as it is written, and the names of the choices given for it.
struct WrittenGrowth {
  expand::Growth growth;
  std::vector<std::string> choices = {};
  bool operator==(const WrittenGrowth&) const = default;
};

/// Reads expansions, each followed by its choices: "hidden=16,method=mask,decoder.layers=3". Throws
/// Error at `option`, naming what was expected.
std::vector<WrittenGrowth> growthsFromText(const std::string& text, const std::string& option);

/// Adds a choice to a growth: layer, head (e.g. 1+3, counted from 1), stack, attention, position,
/// method, mask_steps, unshare or allow_inexact. `name`: what the user calls it, at `option`.
/// Throws Error if the growth already has another value, or the value is invalid.
expand::Growth withChoice(const expand::Growth& growth, std::string_view choice,
                          const std::string& value, const std::string& name,
                          const std::string& option);

/// The expansions. Throws Error at `option` for a choice that has no effect on its expansion.
expand::Plan planOf(const std::vector<WrittenGrowth>& growths, const std::string& option);

/// The reverse of growthsFromText() and planOf(), for plans without constants, seeds and breaks.
std::string textOf(const expand::Plan& plan);

/// The choices for help and errors.
inline constexpr const char* kGrowthChoices =
    "layer=1+3, head=1+3, stack=decoder, attention=self, position=1, method=mask, mask_steps=500, "
    "unshare, allow_inexact";

/// Reads texts such as "500:feed_forward=16,heads=9" and sorts them by step. Throws Error at
/// `option`.
std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts,
                                                      const std::string& option = "--grow");
/// The reverse, one text for each expansion.
std::vector<std::string> textsOf(const std::vector<train::ScheduledGrowth>& growths);

/// Declares --grow.
void addGrowOption(CLI::App& options, std::vector<std::string>& texts);

}  // namespace tfm::cli
