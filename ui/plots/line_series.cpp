// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tfm::ui {

void LineSeries::setSmoothing(double weight) {
  weight = std::clamp(weight, 0.0, 0.99);
  if (weight == weight_) return;
  weight_ = weight;
  smoothAll();
}

void LineSeries::append(double step, double value) {
  if (!empty() && step <= steps_.back()) {
    const auto kept = std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin();
    steps_.resize(kept);
    values_.resize(kept);
    smoothAll();
  }
  steps_.push_back(step);
  values_.push_back(value);
  appendSmoothed(value);
}

void LineSeries::clear() {
  steps_.clear();
  values_.clear();
  smoothAll();
}

std::optional<std::size_t> LineSeries::indexAt(double step) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), step);
  if (after == steps_.begin()) return std::nullopt;
  return after - steps_.begin() - 1;
}

std::optional<std::size_t> LineSeries::nearest(double step) const {
  if (empty()) return std::nullopt;
  const std::size_t before = indexAt(step).value_or(0);
  const std::size_t after = std::min(before + 1, size() - 1);
  return steps_[after] - step < step - steps_[before] ? after : before;
}

void LineSeries::appendSmoothed(double value) {
  if (!std::isfinite(value)) {
    smoothed_.push_back(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const double old_sum = weight_ * weight_sum_;
  weight_sum_ = old_sum + 1;
  average_ = (old_sum * average_ + value) / weight_sum_;
  smoothed_.push_back(average_);
}

void LineSeries::smoothAll() {
  smoothed_.clear();
  average_ = weight_sum_ = 0;
  for (double value : values_) appendSmoothed(value);
}

DataTable stepTable(const std::vector<std::pair<QString, const LineSeries*>>& series) {
  DataTable table{{QStringLiteral("step")}, {}};
  for (const auto& [name, data] : series) table.columns << name;
  std::map<double, QStringList> rows;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const LineSeries& data = *series[i].second;
    for (std::size_t point = 0; point < data.size(); ++point) {
      QStringList& cells = rows[data.steps()[point]];
      cells.resize(table.columns.size());
      cells[0] = fullPrecision(data.steps()[point]);
      cells[qsizetype(i) + 1] = fullPrecision(data.values()[point]);
    }
  }
  for (auto& [step, cells] : rows) table.rows.push_back(std::move(cells));
  return table;
}

}  // namespace tfm::ui
