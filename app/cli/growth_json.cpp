// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/growth_json.h"

#include <nlohmann/json.hpp>

#include "core/expand/growth_log.h"

namespace tfm::cli {

using Json = nlohmann::ordered_json;

Json growthJson(const expand::Change& change) {
  return {{"expansion", expand::describe(change.growth, change.before)},
          {"growth", Json::parse(expand::toJson(expand::Plan{change.growth})).front()},
          {"exact", change.exact},
          {"inexact", change.inexact},
          {"notes", change.notes},
          {"parameters_before", change.layout_before.total},
          {"parameters_after", change.layout_after.total}};
}

Json growthLogJson(const expand::Change& change) {
  Json rows = Json::array();
  for (const expand::ParameterLog& one : expand::growthLog({&change, 1})) {
    Json row{{"parameter", one.name},
             {"rows_before", one.rows_before},
             {"cols_before", one.cols_before},
             {"rows", one.rows},
             {"cols", one.cols}};
    for (std::size_t i = 0; i < expand::kEntries; ++i)
      row[std::string(expand::entryName(expand::Entry(i)))] = one.entries[i];
    row["least_scale"] = one.least_scale;
    row["largest_scale"] = one.largest_scale;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tfm::cli
