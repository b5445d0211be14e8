// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/train/study.h"

namespace tfm::train {

/// One line for each measurement of each run, tab-separated under a header; numbers with the fewest
/// digits that preserve their value.
std::string toTsv(const StudyResult& result);

/// The runs of a table that toTsv() wrote, without the rest of a result. Throws Error naming the
/// line and what is wrong with it. `where` names the text in errors.
StudyResult studyFromTsv(std::string_view text, const std::string& where);

/// The steps at which the growing arm grows, according to its measurements: each the last one
/// before the number of parameters increased.
std::vector<std::int64_t> growthSteps(const StudyResult& result);

}  // namespace tfm::train
