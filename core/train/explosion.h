// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <limits>

#include "core/train/metrics.h"

namespace tfm::train {

/// Steps in a mean loss: a single batch is too noisy.
inline constexpr std::size_t kLossWindow = 20;

/// Tracks the moving average of the training loss over kLossWindow steps.
class LossWatch {
 public:
  LossWatch() = default;
  /// Starts with all steps of a history.
  explicit LossWatch(const History& history);

  void add(double loss);
  /// The current mean; NaN before there are enough steps.
  double recent() const;
  /// The minimum of recent() so far.
  double lowest() const { return lowest_; }

 private:
  std::deque<double> window_;
  double lowest_ = std::numeric_limits<double>::quiet_NaN();
};

/// loss > 2 than + 0.5. False if either is NaN.
bool isMuchHigher(double loss, double than);

/// Whether a model is much worse than that of `before` at its best: its training loss is much
/// higher and, if both were evaluated, its held-out loss too. Overfitted models are not: their
/// training loss is low. `held_out`: the loss of the model at the end of `now`; NaN is much higher.
bool isMuchWorse(const History& now, double held_out, const History& before);

}  // namespace tfm::train
