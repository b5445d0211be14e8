// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/train/study.h"

namespace tfm::train {

/// One line for each measurement of each run, tab-separated under a header; numbers with the fewest
/// digits that read back to the same value.
std::string toTsv(const StudyResult& result);

/// The runs of a table that toTsv() wrote; what else a result has is not in it. Throws Error naming
/// the line and what is wrong with it. `where` names the text in messages.
StudyResult studyFromTsv(std::string_view text, const std::string& where);

/// The steps at which the growing arm grows, as far as its measurements tell: each the last one
/// before its parameters became more.
std::vector<std::int64_t> growthSteps(const StudyResult& result);

}  // namespace tfm::train
