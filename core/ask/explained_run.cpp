// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/explained_run.h"

#include <type_traits>
#include <utility>

#include "core/ask/step_program.h"
#include "core/backend/buffer.h"
#include "core/backend/registry.h"
#include "core/base/check.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/step_call.h"

namespace tfm::train {
namespace {

/// With the loss that `loss` adds up, or without one.
std::shared_ptr<const Program> explainedProgram(const ModelConfig& config, const Batch& batch,
                                                std::span<const WeightedPart> loss) {
  const BatchShape shape{batch.size, batch.source_length, batch.target_length};
  if (loss.empty())
    return std::make_shared<const Program>(buildProgram(config, shape, {.scores = true}));
  return std::make_shared<const Program>(
      stepProgram(config, shape, !batch.label_features.empty(), true, loss));
}

/// The parameters of a state if they have this type, else their copy.
template <class Real>
std::span<const Real> numbersOf(const ModelState* kept, const AlignedVector<Real>& copy) {
  if constexpr (std::is_same_v<Real, float>)
    if (kept != nullptr) return kept->parameters;
  return copy;
}

}  // namespace

template <class Real>
ExplainedRun<Real>::ExplainedRun(const ModelState& state,
                                 const std::shared_ptr<const ModelState>& kept, ProbeInput input,
                                 std::span<const WeightedPart> loss)
    : config_(state.config),
      input_(std::move(input)),
      backend_(makeBackend<Real>()),
      executor_(explainedProgram(config_, input_.batch, loss), *backend_, !loss.empty()),
      kept_(std::is_same_v<Real, float> ? kept : nullptr),
      copy_(kept_ ? AlignedVector<Real>()
                  : AlignedVector<Real>(state.parameters.begin(), state.parameters.end())),
      parameters_(numbersOf(kept_.get(), copy_)),
      loss_id_(loss.empty() ? kNoTensor : program().find(names::kLoss)),
      explainer_(executor_, parameters_, {0, std::uint64_t(state.step), 0}, loss_id_) {
  const RunPosition position{0, std::uint64_t(state.step), 0};
  setInputs(executor_, input_.batch, 0);
  const DeviceCopy<Real> on_device(backend_->memory(), parameters_);
  executor_.forward(on_device.data(), position);
  if (hasGradients()) {
    Buffer<Real> sums(backend_->memory(), parameters_.size());
    executor_.backward(on_device.data(), sums.data(), {loss_id_}, position);
    parameter_gradients_ = sums.download();
  }
}

template <class Real>
MatrixView<const Real> ExplainedRun<Real>::values(TensorId id) {
  return explainer_.values(id);
}

template <class Real>
MatrixView<const Real> ExplainedRun<Real>::gradient(TensorId id) {
  check(hasGradients(), "gradient() is asked of a run with gradients");
  const TensorInfo& t = program().tensors[std::size_t(id)];
  if (t.role == Role::Parameter) return viewOf<const Real>(t, parameter_gradients_.data());
  return executor_.gradient(id);
}

template <class Real>
double ExplainedRun<Real>::loss() {
  check(hasGradients(), "loss() is asked of a run with gradients");
  return double(values(loss_id_).at(0, 0));
}

template <class Real>
std::string ExplainedRun<Real>::token(const observe::NumberPlace& place) const {
  const std::string& name = program().tensors[std::size_t(place.tensor)].name;
  const auto at = [&](const std::vector<std::string>& labels) {
    return std::size_t(place.row) < labels.size() ? labels[std::size_t(place.row)] : std::string();
  };
  if (name == names::kSourceIds) return at(input_.source_labels);
  if (name == names::kTargetIds) return at(input_.decoder_labels);
  return {};
}

template class ExplainedRun<float>;
template class ExplainedRun<double>;

}  // namespace tfm::train
