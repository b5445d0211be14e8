// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/explosion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tfm::train {

LossWatch::LossWatch(const History& history) {
  for (const StepMetrics& metrics : history.steps) add(metrics.loss);
}

void LossWatch::add(double loss) {
  window_.push_back(loss);
  if (window_.size() > kLossWindow) window_.pop_front();
  if (const double mean = recent(); !(mean >= lowest_) && !std::isnan(mean)) lowest_ = mean;
}

double LossWatch::recent() const {
  if (window_.size() < kLossWindow) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(window_.begin(), window_.end(), 0.0) / double(kLossWindow);
}

bool isMuchHigher(double loss, double than) { return loss > 2.0 * than + 0.5; }

bool isMuchWorse(const History& now, double held_out, const History& before) {
  if (!isMuchHigher(LossWatch(now).recent(), LossWatch(before).lowest())) return false;
  if (std::isnan(held_out) || before.evaluations.empty()) return true;
  const auto best = std::ranges::min_element(before.evaluations, {}, &Evaluation::loss);
  return isMuchHigher(held_out, best->loss);
}

}  // namespace tfm::train
