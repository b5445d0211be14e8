// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/eigen_map.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {
namespace {

struct AddKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    auto y = c.out(0);
    auto left = c.in(0), right = c.in(1);
    cpu::flatten(y, left, right);
    cpu::map(y) = cpu::map(left) + cpu::map(right);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    auto dy = c.dout(0);
    auto left = c.din(0), right = c.din(1);
    cpu::flatten(dy, left.sum, right.sum);
    if (left) cpu::accumulate(cpu::map(left.sum), left.fresh, cpu::map(dy));
    if (right) cpu::accumulate(cpu::map(right.sum), right.fresh, cpu::map(dy));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

}  // namespace

const Op kAdd = makeOp<AddKernels>("add", "y = a + b");

TensorId add(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right) {
  const TensorInfo t = b.tensor(left);
  check(b.tensor(right).rows == t.rows && b.tensor(right).cols == t.cols, "add: equal shapes");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kAdd, path, {left, right}, {y}, {}});
  return y;
}

}  // namespace tfm::ops
