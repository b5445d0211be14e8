// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <limits>

#include "core/train/metrics.h"

namespace tfm::train {

/// Steps whose mean loss is compared: one batch alone says little.
inline constexpr std::size_t kLossWindow = 20;

/// Follows the training loss in means of kLossWindow steps.
class LossWatch {
 public:
  LossWatch() = default;
  /// Of all its steps.
  explicit LossWatch(const History& history);

  void add(double loss);
  /// The mean of the last steps; NaN before there are enough.
  double recent() const;
  /// The lowest that recent() has been.
  double lowest() const { return lowest_; }

 private:
  std::deque<double> window_;
  double lowest_ = std::numeric_limits<double>::quiet_NaN();
};

/// More than twice as high, and 0.5 above that. Not where either is NaN: nothing was measured.
bool isMuchHigher(double loss, double than);

/// Whether a model is much worse than one that `before` was measured of, at its best: its training
/// loss is much higher and, where both were measured, its held-out loss too. An overfitted model is
/// not: its training loss is low. `held_out`: the loss of the model that `now` ends with; NaN, as
/// of a model that gives no numbers, is much higher.
bool isMuchWorse(const History& now, double held_out, const History& before);

}  // namespace tfm::train
