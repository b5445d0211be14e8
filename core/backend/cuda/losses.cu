// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

/// A block for each row: its softmax and, in double precision, its part of the loss.
template <class Real>
__global__ void softmaxLoss(Matrix<const Real> logits, Ids labels, Matrix<const Real> weights,
                            Matrix<Real> probabilities, List<double> losses) {
  const Shared<Real> room(0, blockDim.x);
  const std::int64_t r = blockIdx.x;
  Real own = -std::numeric_limits<Real>::infinity();
  for (std::int64_t j = threadIdx.x; j < logits.cols; j += blockDim.x)
    own = own < logits.at(r, j) ? logits.at(r, j) : own;
  const Real top = blockMax(room, own);
  own = 0;
  for (std::int64_t j = threadIdx.x; j < logits.cols; j += blockDim.x) {
    const Real share = std::exp(logits.at(r, j) - top);
    probabilities.at(r, j) = share;
    own += share;
  }
  const Real sum = blockSum(room, own);
  for (std::int64_t j = threadIdx.x; j < logits.cols; j += blockDim.x)
    probabilities.at(r, j) *= Real(1) / sum;
  if (threadIdx.x != 0) return;
  const double weight = double(weights.at(r, 0));
  double loss = 0.0;
  if (weight != 0.0) {
    const std::int64_t label = labels.at(r);
    // -log softmax from the logits: the log of a rounded probability loses precision.
    loss = label >= 0 && label < logits.cols
               ? weight * (std::log(double(sum)) + double(top) - double(logits.at(r, label)))
               : std::numeric_limits<double>::quiet_NaN();
  }
  losses.at(r) = loss;
}

struct CrossEntropyKernels {
  /// A label outside the output gives NaN: a kernel cannot throw.
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> logits = c.in(0), weights = c.in(2);
    const Matrix<Real> loss = c.out(0), probabilities = c.out(1);
    const Scratch<double> memory(logits.rows);
    const List<double> losses = memory.list();
    const unsigned threads = sumThreads(logits.cols);
    launch(softmaxLoss<Real>, {logits.rows, threads, threads * sizeof(Real)}, logits, Ids(c.ids(1)),
           weights, probabilities, losses);
    overSums<double>(
        1, logits.rows, [=] __device__(std::int64_t, std::int64_t r) { return losses.at(r); },
        [=] __device__(std::int64_t, double sum) { loss.at(0, 0) = Real(sum); });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dlogits = weight * (softmax(logits) - one_hot(label)) * dloss
    const Matrix<const Real> weights = c.in(2), dloss = c.dout(0);
    const Matrix<Real> probabilities = c.out(1);
    const Ids labels = c.ids(1);
    const Sum<Real> dlogits = c.din(0);
    if (!dlogits) return;
    overCells(
        dlogits.cells.rows, dlogits.cells.cols, [=] __device__(std::int64_t r, std::int64_t j) {
          const Real factor = weights.at(r, 0) * dloss.at(0, 0);
          const Real own = j == labels.at(r) ? Real(1) : Real(0);
          dlogits.add(r, j, factor == Real(0) ? Real(0) : factor * (probabilities.at(r, j) - own));
        });
  }
};

struct SquaredErrorKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), target = c.in(1);
    const Matrix<Real> loss = c.out(0);
    const double scale = c.template get<SquaredErrorArguments>().scale;
    overSums<double>(
        1, x.size(),
        [=] __device__(std::int64_t, std::int64_t i) {
          const std::int64_t r = i / x.cols, j = i % x.cols;
          const double off = double(x.at(r, j)) - double(target.at(r, j));
          return off * off;
        },
        [=] __device__(std::int64_t, double sum) { loss.at(0, 0) = Real(scale * sum); });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), target = c.in(1), dloss = c.dout(0);
    const Sum<Real> dx = c.din(0);
    const Real factor = Real(2.0 * c.template get<SquaredErrorArguments>().scale);
    if (!dx) return;
    overCells(x.rows, x.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      dx.add(r, j, factor * dloss.at(0, 0) * (x.at(r, j) - target.at(r, j)));
    });
  }
};

}  // namespace

const DeviceOp kCrossEntropy = deviceOp<CrossEntropyKernels>("cross-entropy");
const DeviceOp kSquaredError = deviceOp<SquaredErrorKernels>("squared error");

}  // namespace tfm::cuda
