// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/parameter_layout.h"

namespace tfm::expand {

/// Where an entry of a grown parameter comes from.
enum class Entry : std::uint8_t {
  Copied,    ///< an old entry, unchanged
  Scaled,    ///< an old entry times a factor
  Adjusted,  ///< an old entry changed otherwise: centred, or of a norm that was handed over
  Zero,      ///< new and zero, to preserve the function
  Free,      ///< new; any value preserves the function
  Derived,   ///< new, the mean of old entries
  Padding,   ///< new and zero until its head grows too
};

inline constexpr std::size_t kEntries = 7;

/// "copied", "rescaled", "adjusted", "zero", "free", "mean", "padding".
std::string_view entryName(Entry entry);

/// One index along an axis of a grown parameter.
struct AxisIndex {
  static constexpr std::int64_t kNew = -1;   ///< no source: set by Added of both axes
  static constexpr std::int64_t kMean = -2;  ///< the mean over all old indices
  std::int64_t source = kNew;                ///< index before
  double share = 1.0;                        ///< factor of an old entry
  Added added = Added::Free;                 ///< constraint on a new entry
  bool padding = false;                      ///< not in use: zero, as is its counterpart
  std::int32_t born = 0;                     ///< the expansion of a chain that added it
  bool operator==(const AxisIndex&) const = default;
};
using AxisMap = std::vector<AxisIndex>;

/// Adjacent indices of an axis of the same kind: all entries in a run of rows and a run of columns
/// have the same Entry and scale.
struct IndexRun {
  std::int64_t first, count;
};
/// All indices of an axis as the fewest runs.
std::vector<IndexRun> runsOf(const AxisMap& map);

/// How one parameter after an expansion (or a chain of them) is made from one before.
struct ParameterGrowth {
  ParameterInfo after;
  /// The parameter before, unless it is new.
  std::optional<ParameterInfo> before;
  AxisMap rows, cols;          ///< one index for each row and column after
  double factor = 1.0;         ///< of old entries; moments are divided by it
  bool centred_rows = false;   ///< the mean over rows is subtracted
  bool centred_cols = false;   ///< the mean over columns is subtracted
  bool fresh_moments = false;  ///< the optimizer's moments cannot be carried over
  /// Entries get the initial values of a new model: norms on both sides of one that is handed over.
  bool reset = false;
  bool violated = false;  ///< its rule is broken on purpose
  /// Values before that were not a parameter, row-major: a sinusoid that becomes a learned table.
  std::vector<double> given;

  bool grows() const;  ///< whether the shape changes or padding becomes used
  Entry entry(std::int64_t row, std::int64_t col) const;
  /// The factor of the old entry at (row, col).
  double scale(std::int64_t row, std::int64_t col) const;
};

}  // namespace tfm::expand
