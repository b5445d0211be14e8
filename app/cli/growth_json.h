// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/expand/change.h"

namespace tfm::cli {

template <class Result>
struct ResultRow;

/// What is reported of a growth, in expand --json and in the log of a training.
const std::vector<ResultRow<expand::Change>>& growthRows();

/// The rows of expand::growthLog() with the names of its table: [{"parameter", "rows_before",
/// ...}]. Requires a change with parameters, not an outline.
nlohmann::ordered_json growthLogJson(const expand::Change& change);

}  // namespace tfm::cli
