// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct CrossEntropyKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.crossEntropy(c.out(0), c.out(1), c.in(0), c.ids(1), c.in(2));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.crossEntropyBackward(c.inGradient(0), c.outGradient(0), c.out(1), c.ids(1), c.in(2));
  }
};

std::int64_t crossEntropyFlops(const Program& program, const Step& step) {
  const TensorInfo& logits = program.tensors[std::size_t(step.inputs[0])];
  return 5 * logits.rows * logits.cols;
}

}  // namespace

OpDefinition crossEntropyOp() {
  return makeOp<CrossEntropyKernels>(Op::CrossEntropy, "cross-entropy",
                                     "loss = sum_r weight[r] * -log softmax(logits[r])[label[r]]",
                                     crossEntropyFlops);
}

namespace ops {

TensorId crossEntropy(ProgramBuilder& b, const std::string& path, TensorId logits, TensorId labels,
                      TensorId weights) {
  const TensorInfo t = b.tensor(logits);
  check(b.tensor(labels).rows == t.rows && b.tensor(weights).rows == t.rows,
        "cross-entropy: a label and a weight a row");
  const TensorId loss = b.activation(path, 1, 1);
  const TensorId probabilities = b.activation(path + ".probabilities", t.rows, t.cols);
  b.append({Op::CrossEntropy, path, {logits, labels, weights}, {loss, probabilities}, {}});
  return loss;
}

}  // namespace ops

}  // namespace tfm
