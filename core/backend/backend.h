// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/backend/gradient_view.h"
#include "core/backend/op_arguments.h"
#include "core/tensor/matrix_view.h"

namespace tfm {

/// The operations that a transformer is made of, on one device. Every forward stands beside its
/// backward.
///
/// Matrices are row-major; a row is one position of one sequence unless said otherwise. A forward
/// overwrites its outputs. A backward *accumulates* into the gradients that it is given (dx is the
/// gradient of x; a fresh one is overwritten) and skips those whose view is empty. Calls on
/// different memory may run on several threads at once.
template <class Real>
class Backend {
 public:
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  using Ids = std::span<const std::int32_t>;

  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;

  /// y[r] = scale * table[ids[r]].   y: rows x hidden, table: vocabulary x hidden
  virtual void embedding(Out y, Ids ids, In table, Real scale) const = 0;
  virtual void embeddingBackward(Gradient dtable, Ids ids, In dy, Real scale) const = 0;

  /// y[r] = x[r] + positions[r mod length].   positions: at least length rows
  virtual void addPositions(Out y, In x, In positions, std::int64_t length) const = 0;
  virtual void addPositionsBackward(Gradient dx, Gradient dpositions, In dy,
                                    std::int64_t length) const = 0;

  /// y = x W^T + b.   x: rows x in, w: out x in, b: 1 x out or empty
  virtual void linear(Out y, In x, In w, In b) const = 0;
  virtual void linearBackward(Gradient dx, Gradient dw, Gradient db, In dy, In x, In w) const = 0;

  /// y = x, then columns of zeros.   y: at least as wide as x
  virtual void padColumns(Out y, In x) const = 0;
  virtual void padColumnsBackward(Gradient dx, In dy) const = 0;

  /// y = act(x), element by element.
  virtual void activation(Out y, In x, Activation kind) const = 0;
  virtual void activationBackward(Gradient dx, In dy, In x, Activation kind) const = 0;

  /// y = a + b.
  virtual void add(Out y, In a, In b) const = 0;
  virtual void addBackward(Gradient da, Gradient db, In dy) const = 0;

  /// y = x + g (f - x).   g: 1 x 1
  virtual void gate(Out y, In x, In f, In g) const = 0;
  virtual void gateBackward(Gradient dx, Gradient df, Gradient dg, In dy, In x, In f,
                            In g) const = 0;

  /// y = x * keep / (1 - rate), keep drawn once an element (Srivastava et al. 2014, inverted).
  virtual void dropout(Out y, In x, const Dropout& dropout) const = 0;
  virtual void dropoutBackward(Gradient dx, In dy, const Dropout& dropout) const = 0;

  /// y = (x - mean) / sqrt(variance + eps) * gain + bias over each row (Ba et al. 2016).
  /// saved: rows x 2, the mean and 1 / sqrt(variance + eps). An empty bias counts as zero.
  virtual void layerNorm(Out y, Out saved, In x, In gain, In bias, Real eps) const = 0;
  virtual void layerNormBackward(Gradient dx, Gradient dgain, Gradient dbias, In dy, In x, In gain,
                                 In saved) const = 0;

  /// layerNorm of columns that do not count alike (Yao et al. 2024): m = 1 or mask.weight,
  /// mean = sum(m x) / sum(m), variance = sum(m (x - mean)^2) / sum(m),
  /// y = m ((x - mean) / sqrt(variance + eps) * gain + bias). saved: as for layerNorm.
  virtual void maskedLayerNorm(Out y, Out saved, In x, In gain, In bias, Real eps,
                               const ColumnMask& mask) const = 0;
  virtual void maskedLayerNormBackward(Gradient dx, Gradient dgain, Gradient dbias, In dy, In x,
                                       In gain, In saved, const ColumnMask& mask) const = 0;

  /// y = x / sqrt(mean(x^2) + eps) * gain over each row (Zhang and Sennrich 2019).
  /// saved: rows x 1, 1 / sqrt(mean(x^2) + eps).
  virtual void rmsNorm(Out y, Out saved, In x, In gain, Real eps) const = 0;
  virtual void rmsNormBackward(Gradient dx, Gradient dgain, In dy, In x, In gain,
                               In saved) const = 0;

  /// Scaled dot-product attention of all heads (Vaswani et al. 2017, section 3.2); see
  /// AttentionTensors.
  virtual void attention(const AttentionShape& shape,
                         const AttentionTensors<Real>& tensors) const = 0;
  virtual void attentionBackward(const AttentionShape& shape,
                                 const AttentionGradients<Real>& tensors) const = 0;

  /// y[b] = mean of the rows of sequence b that are not padding; zero where all are.   pad: one
  /// flag a row of x
  virtual void meanPool(Out y, In x, Ids pad, std::int64_t length) const = 0;
  virtual void meanPoolBackward(Gradient dx, In dy, Ids pad, std::int64_t length) const = 0;

  /// probabilities = softmax(logits) by rows; loss(0, 0) = sum_r weights(r, 0) * -log
  /// probabilities(r, labels[r]).
  virtual void crossEntropy(Out loss, Out probabilities, In logits, Ids labels,
                            In weights) const = 0;
  virtual void crossEntropyBackward(Gradient dlogits, In dloss, In probabilities, Ids labels,
                                    In weights) const = 0;

  /// loss(0, 0) = scale * sum (x - target)^2.
  virtual void squaredError(Out loss, In x, In target, Real scale) const = 0;
  virtual void squaredErrorBackward(Gradient dx, In dloss, In x, In target, Real scale) const = 0;

  /// One step of stochastic gradient descent with momentum over a flat range; see SgdRule.
  virtual void sgd(std::span<Real> parameters, std::span<const Real> gradients,
                   std::span<Real> momentum, const SgdRule& rule) const = 0;
  /// One step of Adam or AdamW over a flat range; see AdamRule.
  virtual void adam(std::span<Real> parameters, std::span<const Real> gradients,
                    std::span<Real> first_moment, std::span<Real> second_moment,
                    const AdamRule& rule) const = 0;
};

}  // namespace tfm
