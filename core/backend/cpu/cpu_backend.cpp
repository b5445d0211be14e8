// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/cpu_backend.h"

#include "core/backend/cpu/attention.h"
#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/embedding.h"
#include "core/backend/cpu/gate.h"
#include "core/backend/cpu/linear.h"
#include "core/backend/cpu/loss.h"
#include "core/backend/cpu/masked_norm.h"
#include "core/backend/cpu/norm.h"
#include "core/backend/cpu/optimizer.h"
#include "core/backend/cpu/pad_columns.h"

namespace tfm {
namespace {

/// One line an operation: the kernel pairs live in the files of this folder.
template <class Real>
class CpuBackend final : public Backend<Real> {
 public:
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  using Ids = std::span<const std::int32_t>;

  std::string_view name() const override { return "cpu"; }

  void embedding(Out y, Ids ids, In table, Real scale) const override {
    cpu::Embedding<Real>::forward(y, ids, table, scale);
  }
  void embeddingBackward(Gradient dtable, Ids ids, In dy, Real scale) const override {
    cpu::Embedding<Real>::backward(begun(dtable), ids, dy, scale);
  }
  void addPositions(Out y, In x, In positions, std::int64_t length) const override {
    cpu::AddPositions<Real>::forward(y, x, positions, length);
  }
  void addPositionsBackward(Gradient dx, Gradient dpositions, In dy,
                            std::int64_t length) const override {
    cpu::AddPositions<Real>::backward(begun(dx), begun(dpositions), dy, length);
  }
  void linear(Out y, In x, In w, In b) const override { cpu::Linear<Real>::forward(y, x, w, b); }
  void linearBackward(Gradient dx, Gradient dw, Gradient db, In dy, In x, In w) const override {
    cpu::Linear<Real>::backward(dx, dw, db, dy, x, w);
  }
  void padColumns(Out y, In x) const override { cpu::PadColumns<Real>::forward(y, x); }
  void padColumnsBackward(Gradient dx, In dy) const override {
    cpu::PadColumns<Real>::backward(begun(dx), dy);
  }
  void activation(Out y, In x, Activation kind) const override {
    cpu::ActivationKernel<Real>::forward(y, x, kind);
  }
  void activationBackward(Gradient dx, In dy, In x, Activation kind) const override {
    cpu::ActivationKernel<Real>::backward(dx, dy, x, kind);
  }
  void add(Out y, In a, In b) const override { cpu::Add<Real>::forward(y, a, b); }
  void addBackward(Gradient da, Gradient db, In dy) const override {
    cpu::Add<Real>::backward(da, db, dy);
  }
  void gate(Out y, In x, In f, In g) const override { cpu::Gate<Real>::forward(y, x, f, g); }
  void gateBackward(Gradient dx, Gradient df, Gradient dg, In dy, In x, In f, In g) const override {
    cpu::Gate<Real>::backward(begun(dx), begun(df), begun(dg), dy, x, f, g);
  }
  void dropout(Out y, In x, const Dropout& dropout) const override {
    cpu::DropoutKernel<Real>::forward(y, x, dropout);
  }
  void dropoutBackward(Gradient dx, In dy, const Dropout& dropout) const override {
    cpu::DropoutKernel<Real>::backward(begun(dx), dy, dropout);
  }
  void layerNorm(Out y, Out saved, In x, In gain, In bias, Real eps) const override {
    cpu::LayerNorm<Real>::forward(y, saved, x, gain, bias, eps);
  }
  void layerNormBackward(Gradient dx, Gradient dgain, Gradient dbias, In dy, In x, In gain,
                         In saved) const override {
    cpu::LayerNorm<Real>::backward(dx, dgain, dbias, dy, x, gain, saved);
  }
  void maskedLayerNorm(Out y, Out saved, In x, In gain, In bias, Real eps,
                       const ColumnMask& mask) const override {
    cpu::MaskedLayerNorm<Real>::forward(y, saved, x, gain, bias, eps, mask);
  }
  void maskedLayerNormBackward(Gradient dx, Gradient dgain, Gradient dbias, In dy, In x, In gain,
                               In saved, const ColumnMask& mask) const override {
    cpu::MaskedLayerNorm<Real>::backward(begun(dx), begun(dgain), begun(dbias), dy, x, gain, saved,
                                         mask);
  }
  void rmsNorm(Out y, Out saved, In x, In gain, Real eps) const override {
    cpu::RmsNorm<Real>::forward(y, saved, x, gain, eps);
  }
  void rmsNormBackward(Gradient dx, Gradient dgain, In dy, In x, In gain, In saved) const override {
    cpu::RmsNorm<Real>::backward(dx, dgain, dy, x, gain, saved);
  }
  void attention(const AttentionShape& shape, const AttentionTensors<Real>& t) const override {
    cpu::Attention<Real>::forward(shape, t);
  }
  void attentionBackward(const AttentionShape& shape,
                         const AttentionGradients<Real>& t) const override {
    cpu::Attention<Real>::backward(shape, t);
  }
  void meanPool(Out y, In x, Ids pad, std::int64_t length) const override {
    cpu::MeanPool<Real>::forward(y, x, pad, length);
  }
  void meanPoolBackward(Gradient dx, In dy, Ids pad, std::int64_t length) const override {
    cpu::MeanPool<Real>::backward(begun(dx), dy, pad, length);
  }
  void crossEntropy(Out loss, Out probabilities, In logits, Ids labels, In weights) const override {
    cpu::CrossEntropy<Real>::forward(loss, probabilities, logits, labels, weights);
  }
  void crossEntropyBackward(Gradient dlogits, In dloss, In probabilities, Ids labels,
                            In weights) const override {
    cpu::CrossEntropy<Real>::backward(begun(dlogits), dloss, probabilities, labels, weights);
  }
  void squaredError(Out loss, In x, In target, Real scale) const override {
    cpu::SquaredError<Real>::forward(loss, x, target, scale);
  }
  void squaredErrorBackward(Gradient dx, In dloss, In x, In target, Real scale) const override {
    cpu::SquaredError<Real>::backward(begun(dx), dloss, x, target, scale);
  }
  void sgd(std::span<Real> parameters, std::span<const Real> gradients, std::span<Real> momentum,
           const SgdRule& rule) const override {
    cpu::Optimizer<Real>::sgd(parameters, gradients, momentum, rule);
  }
  void adam(std::span<Real> parameters, std::span<const Real> gradients,
            std::span<Real> first_moment, std::span<Real> second_moment,
            const AdamRule& rule) const override {
    cpu::Optimizer<Real>::adam(parameters, gradients, first_moment, second_moment, rule);
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Backend<Real>> makeCpuBackend() {
  return std::make_unique<CpuBackend<Real>>();
}

template std::unique_ptr<Backend<float>> makeCpuBackend();
template std::unique_ptr<Backend<double>> makeCpuBackend();

}  // namespace tfm
