// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/rollout.h"

#include "core/base/check.h"

namespace tfm::observe {

Observed headMap(const AttentionSite& site, const Observed& probabilities, std::int64_t head) {
  const AttentionShape& s = site.shape;
  Observed map{s.queries, s.keys, std::vector<float>(std::size_t(s.queries * s.keys), 0.0F)};
  const std::int64_t first = head < 0 ? 0 : head;
  const std::int64_t count = head < 0 ? s.heads : 1;
  for (std::int64_t h = first; h < first + count; ++h)
    for (std::int64_t i = 0; i < s.queries; ++i)
      for (std::int64_t j = 0; j < s.keys; ++j)
        map.values[std::size_t(i * s.keys + j)] +=
            probabilities.at(h * s.queries + i, j) / float(count);
  return map;
}

Observed rollout(const std::vector<Observed>& maps) {
  check(!maps.empty() && maps.front().rows == maps.front().cols, "rollout needs square maps");
  const std::int64_t n = maps.front().rows;
  Observed product{n, n, std::vector<float>(std::size_t(n * n), 0.0F)};
  for (std::int64_t i = 0; i < n; ++i) product.values[std::size_t(i * n + i)] = 1.0F;
  for (const Observed& map : maps) {
    check(map.rows == n && map.cols == n, "rollout needs maps of one size");
    std::vector<float> next(std::size_t(n * n), 0.0F);
    for (std::int64_t i = 0; i < n; ++i) {
      float sum = 1.0F;
      for (std::int64_t k = 0; k < n; ++k) sum += map.at(i, k);
      for (std::int64_t k = 0; k < n; ++k) {
        const float weight = (map.at(i, k) + (i == k ? 1.0F : 0.0F)) / sum;
        for (std::int64_t j = 0; j < n; ++j)
          next[std::size_t(i * n + j)] += weight * product.at(k, j);
      }
    }
    product.values = std::move(next);
  }
  return product;
}

}  // namespace tfm::observe
