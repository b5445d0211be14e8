// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace tfm::train {

/// Mean and sample standard deviation; the latter is 0 for a single number.
struct Spread {
  double mean = 0.0;
  double deviation = 0.0;
};

Spread spreadOf(const std::vector<double>& values);

/// The points of several seeds that are alike in everything else.
template <class Point>
struct Seeds {
  std::vector<Point> points;

  const Point& first() const { return points.front(); }
  std::int64_t count() const { return std::int64_t(points.size()); }
  /// The spread of a value over the points: a member, or a function of a point.
  template <class Value>
  Spread of(const Value& value) const {
    std::vector<double> values;
    for (const Point& point : points) values.push_back(double(std::invoke(value, point)));
    return spreadOf(values);
  }
};

/// The points by what is equal for all seeds, in the order of these keys.
template <class Point, class Key>
auto acrossSeeds(const std::vector<Point>& points, const Key& key) {
  std::map<decltype(key(points.front())), Seeds<Point>> groups;
  for (const Point& point : points) groups[key(point)].points.push_back(point);
  return groups;
}

}  // namespace tfm::train
