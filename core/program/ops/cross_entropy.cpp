// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#define HWY_TARGET_INCLUDE "core/program/ops/cross_entropy.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/vectors.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/portable_math.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

/// One register of logits, padded with -infinity after the last one.
template <class Real>
Lane<Real> logitsAt(const Real* row, std::int64_t left) {
  if (left >= kTile<Real>) return loadLane(row);
  const auto real = hn::FirstN(Tag<Real>(), std::size_t(left));
  return hn::IfThenElse(real, loadFirst(row, left), allOf(-std::numeric_limits<Real>::infinity()));
}

/// out = softmax(in). Returns log(sum(exp(in))).
template <class Real>
double softmax(Real* out, const Real* in, std::int64_t cols) {
  Lane<Real> top = allOf(-std::numeric_limits<Real>::infinity());
  overRow<Real>(cols, [&](auto j, auto left) { top = hn::Max(top, logitsAt(in + j, left)); });
  top = hn::MaxOfLanes(Tag<Real>(), top);
  Lane<Real> sums = allOf(Real(0));
  overRow<Real>(cols, [&](std::int64_t j, std::int64_t left) {
    const Lane<Real> share = exponential(hn::Sub(logitsAt(in + j, left), top));
    storeSome(out + j, share, left);
    sums = hn::Add(sums, left >= kTile<Real> ? share : firstOf<Real>(share, left));
  });
  const Real sum = sumOf<Real>(sums);
  overRow<Real>(cols, [&](std::int64_t j, std::int64_t left) {
    storeSome(out + j, hn::Mul(loadSome(out + j, left), allOf(Real(1) / sum)), left);
  });
  return portable::log(double(sum)) + double(hn::GetLane(top));
}

struct CrossEntropyKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto logits = c.in(0), weights = c.in(2);
    const auto labels = c.ids(1);
    const auto probabilities = c.out(1);
    double total = 0.0;
    for (std::int64_t r = 0; r < logits.rows; ++r) {
      check(labels[r] >= 0 && labels[r] < logits.cols, "cross-entropy: labels lie in the output");
      const double log_sum = softmax(probabilities.row(r), logits.row(r), logits.cols);
      // -log softmax from the logits: the log of a rounded probability loses precision.
      const double weight = double(weights.at(r, 0));
      if (weight != 0.0) total += weight * (log_sum - double(logits.at(r, labels[r])));
    }
    c.out(0).at(0, 0) = Real(total);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dlogits = weight * (softmax(logits) - one_hot(label)) * dloss
    const auto dlogits = clearIfFresh(c.din(0));
    if (!dlogits) return;
    const MatrixView<const Real> probabilities = c.out(1);
    const auto labels = c.ids(1);
    for (std::int64_t r = 0; r < probabilities.rows; ++r) {
      const Real factor = c.in(2).at(r, 0) * c.dout(0).at(0, 0);
      if (factor == Real(0)) continue;
      Real* row = dlogits.row(r);
      overRow<Real>(dlogits.cols, [&](std::int64_t j, std::int64_t left) {
        const Lane<Real> share = loadSome(probabilities.row(r) + j, left);
        storeSome(row + j, hn::MulAdd(share, allOf(factor), loadSome(row + j, left)), left);
      });
      dlogits.at(r, labels[r]) -= factor;
    }
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 5 * c.in(0).size();
  }
};

Op crossEntropyOp() {
  return makeOp<CrossEntropyKernels>("cross-entropy",
                                     "loss = sum_r weight[r] * -log softmax(logits[r])[label[r]]");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(crossEntropyOp);
namespace {

using namespace explain;

struct CrossEntropyExplained {
  static constexpr std::string_view kOutputs = "loss probabilities",
                                    kInputs = "logits label weight";
  static std::string sentence(const StepReader& s) {
    return atEach(s.in(0)) + counted(s.in(0).cols, "logit") +
           " become probabilities; the loss is how surprising the right answers are";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto logits = c.in(0);
    const auto labels = c.ids(1);
    if (of.gradient && of.of == StepNumber::Of::Output)
      return {"dprobabilities = 0: the loss is computed from the logits"};
    if (of.gradient) {
      const StepNumber weight = in(2, of.row, 0), loss = d(out(0, 0, 0));
      Explanation e{"dlogits[r, c] = weight[r] (probabilities[r, c] - [c = label[r]]) dloss"};
      product(e, c, 1, {out(1, of.row, of.col), weight, loss});
      if (of.col == labels[std::size_t(of.row)])
        product(e, c, -1, {weight, loss}, {in(1, of.row, 0)});
      return e;
    }
    const auto logit = [&](std::int64_t row, std::int64_t col) {
      return double(logits.at(row, col));
    };
    const auto top = [&](std::int64_t row) {
      return double(*std::max_element(logits.row(row), logits.row(row) + logits.cols));
    };
    if (of.index == 1) {
      // The number's own term comes first.
      Explanation e{"probabilities[r, c] = exp(logits[r, c]) / sum_j exp(logits[r, j])"};
      e.rule = Explanation::Rule::Share;
      const double most = top(of.row);
      for (std::int64_t j = 0; j < logits.cols; ++j) {
        const std::int64_t col = (of.col + j) % logits.cols;
        e.terms.push_back({std::exp(logit(of.row, col) - most), {in(0, of.row, col)}});
      }
      return e;
    }
    Explanation e{"loss = sum_r weight[r] * -log probabilities[r, label[r]]"};
    for (std::int64_t r = 0; r < logits.rows; ++r) {
      const StepNumber weight = in(2, r, 0);
      if (numberIn(c, weight) == 0.0) continue;
      const double most = top(r);
      double sum = 0.0;
      for (std::int64_t j = 0; j < logits.cols; ++j) sum += std::exp(logit(r, j) - most);
      const std::int64_t label = labels[std::size_t(r)];
      e.terms.push_back({numberIn(c, weight) * (std::log(sum) + most - logit(r, label)),
                         {out(1, r, label), weight, in(1, r, 0)}});
    }
    return e;
  }
};

}  // namespace

const Op kCrossEntropy = explained<CrossEntropyExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(crossEntropyOp)(); }), OpKind::Loss);

TensorId crossEntropy(ProgramBuilder& b, const std::string& path, TensorId logits, TensorId labels,
                      TensorId weights) {
  const TensorInfo t = b.tensor(logits);
  check(b.tensor(labels).rows == t.rows && b.tensor(weights).rows == t.rows,
        "cross-entropy: one label and one weight per row");
  const TensorId loss = b.activation(path, 1, 1);
  const TensorId probabilities = b.activation(path + ".probabilities", t.rows, t.cols);
  b.append({&kCrossEntropy, path, {logits, labels, weights}, {loss, probabilities}, {}});
  return loss;
}

}  // namespace tfm::ops
#endif
