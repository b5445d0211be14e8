// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matformer/front.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/check.h"

namespace tfm::matformer {

std::vector<std::size_t> paretoFront(std::span<const Tradeoff> points) {
  for (const Tradeoff& point : points)
    check(!std::isnan(point.cost) && !std::isnan(point.quality), "cost and quality are numbers");
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (points[a].cost != points[b].cost) return points[a].cost < points[b].cost;
    return points[a].quality > points[b].quality;
  });
  std::vector<std::size_t> front;
  for (const std::size_t place : order)
    if (front.empty() || points[place].quality > points[front.back()].quality)
      front.push_back(place);
  return front;
}

}  // namespace tfm::matformer
