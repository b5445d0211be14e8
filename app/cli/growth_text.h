// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/expand/growth.h"
#include "core/train/train_config.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// "feed_forward=16" or, of one stack, "decoder.layers=3". Throws Error saying what was expected.
expand::Growth growthFromText(const std::string& text);

/// Of texts like "500:feed_forward=16,heads=9", in the order of their steps. Throws Error.
std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts);

/// Declares --grow.
void addGrowOption(CLI::App& options, std::vector<std::string>& texts);

/// What stands between separators; nothing for an empty text.
std::vector<std::string> partsOf(const std::string& text, char separator);

/// A whole number from 0, or Error naming `what`.
std::int64_t wholeNumber(const std::string& text, const std::string& what);

}  // namespace tfm::cli
