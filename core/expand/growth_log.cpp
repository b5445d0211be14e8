// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/growth_log.h"

#include <algorithm>
#include <sstream>

namespace tfm::expand {
namespace {

ParameterLog logOf(const ParameterGrowth& p) {
  ParameterLog log{.name = p.after.name, .rows = p.after.rows(), .cols = p.after.cols()};
  if (p.before) {
    log.rows_before = p.before->rows();
    log.cols_before = p.before->cols();
  }
  const std::vector<IndexRun> col_runs = runsOf(p.cols);
  for (const IndexRun& rows : runsOf(p.rows))
    for (const IndexRun& cols : col_runs) {
      const Entry entry = p.entry(rows.first, cols.first);
      const bool first = entry == Entry::Scaled && log.count(Entry::Scaled) == 0;
      log.entries[std::size_t(entry)] += rows.count * cols.count;
      if (entry != Entry::Scaled) continue;
      const double scale = p.scale(rows.first, cols.first);
      log.least_scale = first ? scale : std::min(log.least_scale, scale);
      log.largest_scale = first ? scale : std::max(log.largest_scale, scale);
    }
  return log;
}

}  // namespace

std::vector<ParameterLog> growthLog(std::span<const Change> changes) {
  std::vector<ParameterLog> log;
  for (const ParameterGrowth& parameter : compose(changes)) log.push_back(logOf(parameter));
  return log;
}

std::string growthLogTsv(std::span<const ParameterLog> log) {
  std::ostringstream table;
  table.precision(9);
  table << "parameter\trows_before\tcols_before\trows\tcols";
  for (std::size_t i = 0; i < kEntries; ++i) table << '\t' << entryName(Entry(i));
  table << "\tleast_scale\tlargest_scale\n";
  for (const ParameterLog& one : log) {
    table << one.name << '\t' << one.rows_before << '\t' << one.cols_before << '\t' << one.rows
          << '\t' << one.cols;
    for (const std::int64_t count : one.entries) table << '\t' << count;
    table << '\t' << one.least_scale << '\t' << one.largest_scale << '\n';
  }
  return table.str();
}

}  // namespace tfm::expand
