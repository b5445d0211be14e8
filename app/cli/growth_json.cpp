// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/growth_json.h"

#include "app/cli/result_rows.h"
#include "core/expand/growth_log.h"

namespace tfm::cli {

const ResultRows<expand::Change>& growthRows() {
  using expand::Change;
  static const ResultRows<Change> rows{
      row<Change>(
          "expansion", [](const Change& change) { return describe(change.growth, change.before); },
          "in words"),
      row<Change>(
          "growth",
          [](const Change& change) {
            return Json::parse(expand::toJson(expand::Plan{change.growth})).front();
          },
          "as in a plan"),
      row<Change>("exact", &Change::exact),
      row<Change>("inexact", &Change::inexact, "why"),
      row<Change>("notes", &Change::notes),
      row<Change>("parameters_before",
                  [](const Change& change) { return change.layout_before.total; }),
      row<Change>("parameters_after",
                  [](const Change& change) { return change.layout_after.total; })};
  return rows;
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
