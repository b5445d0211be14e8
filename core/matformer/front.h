// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tfm::matformer {

/// The cost and quality of a submodel.
struct Tradeoff {
  double cost = 0.0;
  double quality = 0.0;
};

/// The indices of the Pareto front, cheapest first: points that no other point dominates (at least
/// as good in both and better in one). Of equal points only the first.
std::vector<std::size_t> paretoFront(std::span<const Tradeoff> points);

}  // namespace tfm::matformer
