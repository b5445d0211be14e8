// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tfm::reproduce {

using Numbers = std::vector<double>;
/// Called repeatedly with the share of the work done; returns false to stop it.
using Progress = std::function<bool(double share)>;

/// What a source document claims or prints, and how the program computes it.
struct Claim {
  std::string text = {};     ///< what it says
  Numbers printed = {};      ///< its numbers; empty: it shows pictures, or does not keep them
  std::string how = {};      ///< how ours are computed, or why they are not
  std::string where = {};    ///< the screen or command that shows them
  std::string preset = {};   ///< the model that is seen there; empty: the document's recipe
  std::string picture = {};  ///< the figure that shows them; empty: none
  std::function<Numbers()> ours = {};
  /// Instead of `ours` where it takes longer than a second or two; nullopt if ended.
  std::function<std::optional<Numbers>(const Progress&)> learned = {};
  double tolerance = 0.0;      ///< of a number, absolute
  bool at_most = false;        ///< the printed numbers are bounds that ours must not exceed
  double promised = HUGE_VAL;  ///< with at_most: the program's own bound for all of them
  /// Where the printed numbers are wrong: the right ones. Then ours must be these and differ from
  /// the printed ones.
  Numbers right = {};
  std::string wrong = {};  ///< a sentence on what is wrong with the document here

  bool trains() const { return learned != nullptr; }
  bool isComputed() const { return ours || learned; }
};

/// A claim beside our numbers.
struct Checked {
  Claim claim;
  std::optional<Numbers> ours;  ///< none: not computed
  bool pass = false;
  double seconds = 0.0;
};

/// Computes our numbers, unless the claim trains and `trainings` is false or `progress` ends it.
/// Throws Error as the computation does.
Checked check(const Claim& claim, bool trainings = true, const Progress& progress = {});

}  // namespace tfm::reproduce
