// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct AddPositionsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto y = c.out(0);
    const auto x = c.in(0), positions = c.in(1);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    for (std::int64_t first = 0; first < x.rows; first += length)
      map(y).middleRows(first, length) =
          map(x).middleRows(first, length) + map(positions).topRows(length);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0)), dpositions = clearIfFresh(c.din(1));
    const auto dy = c.dout(0);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    if (dx) map(dx) += map(dy);
    if (!dpositions) return;
    for (std::int64_t first = 0; first < dy.rows; first += length)
      map(dpositions).topRows(length) += map(dy).middleRows(first, length);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

}  // namespace

const Op kAddPositions =
    makeOp<AddPositionsKernels>("add positions", "y[r] = x[r] + positions[r mod length]");

TensorId addPositions(ProgramBuilder& b, const std::string& path, TensorId x, TensorId positions,
                      std::int64_t length) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(positions).cols == t.cols && b.tensor(positions).rows >= length &&
            t.rows % length == 0,
        "add positions: the table has a row for each position");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kAddPositions, path, {x, positions}, {y}, SequenceArguments{length}});
  return y;
}

}  // namespace tfm::ops
