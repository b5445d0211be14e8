// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expand/change.h"

namespace tfm::expand {

/// What happened to one parameter.
struct ParameterLog {
  std::string name;
  std::int64_t rows_before = 0, cols_before = 0;  ///< 0: it is new
  std::int64_t rows = 0, cols = 0;
  std::array<std::int64_t, kEntries> entries{};  ///< how many of each Entry, in its order
  /// The smallest and largest factor of its rescaled entries; 1 if there are none.
  double least_scale = 1.0, largest_scale = 1.0;

  std::int64_t count(Entry entry) const { return entries[std::size_t(entry)]; }
};

/// One for each parameter after the last change, in its order. Requires changes with parameters,
/// not outlines.
std::vector<ParameterLog> growthLog(std::span<const Change> changes);

/// The log as a table, separated by tabs: parameter, rows_before, cols_before, rows, cols, the
/// number of entries by entryName(), least_scale, largest_scale.
std::string growthLogTsv(std::span<const ParameterLog> log);

}  // namespace tfm::expand
