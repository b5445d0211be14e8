// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/ask/answering.h"
#include "core/backend/backend.h"
#include "core/model/model_state.h"
#include "core/observe/explainer.h"
#include "core/tensor/aligned_vector.h"
#include "core/train/gradient_engine.h"

namespace tfm::train {

/// A model that has read some texts, forward and, if wanted, backward from a loss: everything that
/// its numbers can be explained from. It keeps what it needs. Hold it behind a pointer; one thread
/// at a time may use it, not necessarily the one that made it.
template <class Real>
class ExplainedRun {
 public:
  /// Runs the model; takes as long as that. `loss`: the submodels whose losses on StepTexts::all
  /// are added up (see partsWithWhole()), of which the last one is the model that is explained, and
  /// the others are named before what they compute; empty: no gradients.
  ExplainedRun(const ModelState& state, ProbeInput input, std::span<const WeightedPart> loss = {})
      : ExplainedRun(state, nullptr, std::move(input), loss) {}
  /// The same; uses the state's parameters without a copy if Real is float.
  ExplainedRun(const std::shared_ptr<const ModelState>& state, ProbeInput input,
               std::span<const WeightedPart> loss = {})
      : ExplainedRun(*state, state, std::move(input), loss) {}
  ExplainedRun(const ExplainedRun&) = delete;
  ExplainedRun& operator=(const ExplainedRun&) = delete;

  const Program& program() const { return executor_.program(); }
  const ModelConfig& config() const { return config_; }
  const ProbeInput& input() const { return input_; }
  bool hasGradients() const { return loss_id_ != kNoTensor; }
  observe::Explainer<Real>& explainer() { return explainer_; }

  /// The values of any tensor but integers, row-major as stored.
  MatrixView<const Real> values(TensorId id);
  /// The derivatives of the loss with respect to the numbers of an activation, or of a parameter:
  /// of a window the part of its parameter's. Needs hasGradients().
  MatrixView<const Real> gradient(TensorId id);
  /// The loss; needs hasGradients().
  double loss();
  /// The numbers of all parameters, in the order of their layout.
  std::span<const Real> parameters() const { return parameters_; }

  /// The derivatives of the loss with respect to them; empty without hasGradients().
  std::span<const Real> parameterGradients() const { return parameter_gradients_; }

  /// The token that a number is the id of; "" for any other number.
  std::string token(const observe::NumberPlace& place) const;

 private:
  ExplainedRun(const ModelState& state, const std::shared_ptr<const ModelState>& kept,
               ProbeInput input, std::span<const WeightedPart> loss);

  ModelConfig config_;
  ProbeInput input_;
  std::unique_ptr<Backend<Real>> backend_;
  Executor<Real> executor_;
  std::shared_ptr<const ModelState> kept_;  ///< null: parameters_ are the copy
  AlignedVector<Real> copy_, parameter_gradients_;
  std::span<const Real> parameters_;
  TensorId loss_id_;
  observe::Explainer<Real> explainer_;
};

}  // namespace tfm::train
