// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

using Ids = std::span<const std::int32_t>;

std::int64_t realRows(Ids pad, std::int64_t first, std::int64_t length) {
  const auto flags = pad.subspan(std::size_t(first), std::size_t(length));
  return std::count(flags.begin(), flags.end(), 0);
}

struct MeanPoolKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto y = c.out(0);
    map(y).setZero();
    overRealRows(c, y.rows, [&](std::int64_t b, std::int64_t r, Real share) {
      map(y).row(b) += share * map(c.in(0)).row(r);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0));
    const auto dy = c.dout(0);
    if (!dx) return;
    overRealRows(c, dy.rows, [&](std::int64_t b, std::int64_t r, Real share) {
      map(dx).row(r) += share * map(dy).row(b);
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 2 * c.in(0).size();
  }

 private:
  /// Calls work(sequence, row, 1 / real rows of the sequence) for all rows that are not padding.
  template <class Real, class Work>
  static void overRealRows(const OpCall<Real>& c, std::int64_t sequences, const Work& work) {
    const Ids pad = c.ids(1);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    for (std::int64_t b = 0; b < sequences; ++b) {
      const std::int64_t first = b * length;
      const Real share = Real(1) / Real(std::max<std::int64_t>(1, realRows(pad, first, length)));
      for (std::int64_t r = first; r < first + length; ++r)
        if (pad[std::size_t(r)] == 0) work(b, r, share);
    }
  }
};

}  // namespace

// Zero if all positions are padding.
const Op kMeanPool =
    makeOp<MeanPoolKernels>("mean pool", "y = mean of the positions that are not padding");

TensorId meanPool(ProgramBuilder& b, const std::string& path, TensorId x, TensorId pad,
                  std::int64_t length) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(pad).rows == t.rows && t.rows % length == 0,
        "mean pool: one pad flag per position");
  const TensorId y = b.activation(path, t.rows / length, t.cols);
  b.append({&kMeanPool, path, {x, pad}, {y}, SequenceArguments{length}});
  return y;
}

}  // namespace tfm::ops
