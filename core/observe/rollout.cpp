// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/rollout.h"

#include "core/base/check.h"
#include "core/tensor/eigen_map.h"

namespace tfm::observe {
namespace {

ConstMatrixMap<float> matrix(const Observed& o) {
  return map(MatrixView<const float>(o.values.data(), o.rows, o.cols));
}

Observed observed(const RowMajor<float>& m) {
  return {m.rows(), m.cols(), {m.data(), m.data() + m.size()}};
}

}  // namespace

Observed headMap(const AttentionSite& site, const Observed& probabilities, std::int64_t head) {
  const AttentionShape& s = site.shape;
  const auto of = [&](std::int64_t h) {
    return matrix(probabilities).middleRows(h * s.queries, s.queries);
  };
  if (head >= 0) return observed(of(head));
  RowMajor<float> sum = of(0);
  for (std::int64_t h = 1; h < s.heads; ++h) sum += of(h);
  return observed(sum / float(s.heads));
}

Observed rollout(const std::vector<Observed>& maps) {
  check(!maps.empty() && maps.front().rows == maps.front().cols, "rollout needs square maps");
  const std::int64_t n = maps.front().rows;
  RowMajor<float> product = RowMajor<float>::Identity(n, n);
  for (const Observed& map : maps) {
    check(map.rows == n && map.cols == n, "rollout needs maps of equal size");
    RowMajor<float> step = matrix(map) + RowMajor<float>::Identity(n, n);
    step.array().colwise() /= step.rowwise().sum().array().eval();
    product = step * product;
  }
  return observed(product);
}

}  // namespace tfm::observe
