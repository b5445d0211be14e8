// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tfm::matformer {

/// What a submodel costs and how good it is.
struct Tradeoff {
  double cost = 0.0;
  double quality = 0.0;
};

/// The places of those that no other one beats (is not worse in both and better in one), cheapest
/// first. Of equals only the first counts.
std::vector<std::size_t> paretoFront(std::span<const Tradeoff> points);

}  // namespace tfm::matformer
