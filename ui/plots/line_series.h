// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ui/figure/figure.h"

namespace tfm::ui {

/// The history of one curve: every raw value and its exponential moving average, in step order.
///
/// The average weighs the value k points back by weight^k and divides by the sum of the weights, so
/// it is unbiased from the first point on. Values that are not finite are kept, but not averaged.
class LineSeries {
 public:
  /// `weight` in [0, 0.99]; 0 follows the raw values. Clamped. Linear in the number of points.
  void setSmoothing(double weight);
  double smoothing() const { return weight_; }

  /// Adds a point in amortised constant time. A step at or before the last one rewinds the history:
  /// points from that step on are replaced.
  void append(double step, double value);
  void clear();

  std::size_t size() const { return steps_.size(); }
  bool empty() const { return steps_.empty(); }
  std::span<const double> steps() const { return steps_; }
  std::span<const double> values() const { return values_; }
  /// Parallel to values(); not a number where the value is not finite.
  std::span<const double> smoothed() const { return smoothed_; }

  /// Index of the last point at or before `step`, none before the first.
  std::optional<std::size_t> indexAt(double step) const;
  /// Index of the point nearest to `step`, none when empty.
  std::optional<std::size_t> nearest(double step) const;

 private:
  void appendSmoothed(double value);
  void smoothAll();

  std::vector<double> steps_, values_, smoothed_;
  double weight_ = 0;
  double average_ = 0;
  double weight_sum_ = 0;
};

/// A row for each step and a column for each named series, in full precision.
DataTable stepTable(const std::vector<std::pair<QString, const LineSeries*>>& series);

}  // namespace tfm::ui
