// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
  Adjusted,  ///< an old entry that was changed otherwise: centred, or a norm that was handed over
  Zero,      ///< new and zero, so that nothing changes
  Free,      ///< new; any value changes nothing
  Derived,   ///< new, the mean of old entries
  Padding,   ///< new and zero until its head grows too: only others have grown
};

/// "copied", "rescaled", "adjusted", "zero", "free", "mean", "padding".
std::string_view entryName(Entry entry);

/// One index along an axis of a grown parameter.
struct AxisIndex {
  static constexpr std::int64_t kNew = -1;   ///< no source: Added and the other axis decide
  static constexpr std::int64_t kMean = -2;  ///< the mean over all old indices
  std::int64_t source = kNew;                ///< index before
  double share = 1.0;                        ///< an old entry is multiplied by this
  Added added = Added::Free;                 ///< what a new entry must be
  bool padding = false;                      ///< dead: zero, and what meets it is zero as well
  std::int32_t born = 0;                     ///< the expansion of a chain that added it
  bool operator==(const AxisIndex&) const = default;
};
using AxisMap = std::vector<AxisIndex>;

/// Neighbours along an axis that meet every index of the other one in the same way: the entries
/// where a run of rows and one of columns meet are of one kind and have one scale.
struct IndexRun {
  std::int64_t first, count;
};
/// All indices of an axis, in as few runs as can be.
std::vector<IndexRun> runsOf(const AxisMap& map);

/// How one parameter of the model after an expansion (or a chain) is made from one before.
struct ParameterGrowth {
  ParameterInfo after;
  /// The parameter before; nothing for one that is new altogether.
  std::optional<ParameterInfo> before;
  AxisMap rows, cols;          ///< one index for each row and column after
  double factor = 1.0;         ///< a reparametrisation: moments are divided by it
  bool centred_rows = false;   ///< old entries lose the mean of their column (over rows)
  bool centred_cols = false;   ///< old entries lose the mean of their row (over columns)
  bool fresh_moments = false;  ///< the optimizer's moments cannot be carried over
  /// Entries get the first values of a new model: norms on both sides of one that is handed over.
  bool reset = false;
  bool violated = false;  ///< its rule is broken on purpose
  /// Values before that were no parameter's, row-major: the sinusoid that becomes a learned table.
  std::vector<double> given;

  bool grows() const;  ///< another shape than before, or entries that were padding
  Entry entry(std::int64_t row, std::int64_t col) const;
  /// What an old entry at (row, col) is multiplied by.
  double scale(std::int64_t row, std::int64_t col) const;
};

}  // namespace tfm::expand
