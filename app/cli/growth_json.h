// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/expand/change.h"

namespace tfm::cli {

/// {"expansion" (in words), "growth" (as in a plan), "exact", "inexact" (why), "notes",
/// "parameters_before", "parameters_after"}.
nlohmann::ordered_json growthJson(const expand::Change& change);

/// The rows of expand::growthLog() with the names of its table: [{"parameter", "rows_before",
/// ...}]. Requires a change with parameters, not an outline.
nlohmann::ordered_json growthLogJson(const expand::Change& change);

}  // namespace tfm::cli
