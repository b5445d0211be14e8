// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/executor.h"

#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/program/ops/update_ops.h"
#include "core/program/step_call.h"

namespace tfm {

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend,
                         bool gradients, Real* states)
    : program_(std::move(program)),
      backend_(backend),
      first_gradients_(gradients ? firstGradients(*program_) : std::vector<FirstGradients>{}),
      gradient_memory_(gradients ? gradientMemory(*program_) : GradientMemory{}),
      ids_(backend.memory(), std::size_t(program_->ids_size)),
      inputs_(backend.memory(), std::size_t(program_->input_size)),
      constants_(backend.memory(),
                 AlignedVector<Real>(program_->constants.begin(), program_->constants.end())),
      activations_(backend.memory(), std::size_t(program_->activation_size)),
      gradients_(backend.memory(), std::size_t(gradient_memory_.size)),
      own_states_(backend.memory(), std::size_t(states == nullptr ? program_->state_size : 0)),
      states_(states == nullptr ? own_states_.data() : states),
      position_(backend.memory(), 1) {}

template <class Real>
void Executor<Real>::upload(TensorId id, std::span<const std::int32_t> ids) {
  const TensorInfo& t = tensor(id);
  check(t.role == Role::Ids && std::ssize(ids) == t.rows,
        "upload() has the size of the tensor of integers");
  ids_.upload(ids, std::size_t(t.offset));
}

template <class Real>
void Executor<Real>::upload(TensorId id, std::span<const Real> numbers) {
  const TensorInfo& t = tensor(id);
  check(t.role == Role::Input && std::ssize(numbers) == t.rows * t.cols,
        "upload() has the size of the input");
  inputs_.upload(numbers, std::size_t(t.offset));
}

template <class Real>
std::span<const std::int32_t> Executor<Real>::ids(TensorId id) {
  const TensorInfo& t = tensor(id);
  check(t.role == Role::Ids, "ids() reads a tensor of integers");
  return read_ids_.of(backend_.memory(),
                      ids_.span().subspan(std::size_t(t.offset), std::size_t(t.rows)));
}

template <class Real>
MatrixView<const Real> Executor<Real>::values(TensorId id) {
  const TensorInfo& t = tensor(id);
  check(t.role == Role::Input || t.role == Role::Activation,
        "values() reads an input or an activation");
  const Buffer<Real>& buffer = t.role == Role::Input ? inputs_ : activations_;
  return fetched(viewOf(t, buffer.data()));
}

template <class Real>
MatrixView<const Real> Executor<Real>::gradient(TensorId id) {
  const TensorInfo& t = tensor(id);
  check(t.role == Role::Activation && !gradients_.empty() && program_->watched,
        "gradient() reads an activation of an executor with gradients that are watched");
  return fetched(gradient_memory_.of<const Real>(*program_, id, gradients_.data()));
}

template <class Real>
std::span<const std::int32_t> Executor<Real>::argmax(TensorId id) {
  makeRoomForArgmax(id);
  computeArgmax(id);
  answers_ = id;
  return answers();
}

template <class Real>
std::span<const std::int32_t> Executor<Real>::answers() {
  return read_argmax_.of(backend_.memory(),
                         argmax_.span().first(std::size_t(tensor(answers_).rows)));
}

template <class Real>
void Executor<Real>::makeRoomForArgmax(TensorId id) {
  const TensorInfo& t = tensor(id);
  check(t.role == Role::Activation, "argmax() reads an activation");
  const auto rows = std::size_t(t.rows);
  if (argmax_.size() < rows) argmax_ = {backend_.memory(), rows};
}

template <class Real>
void Executor<Real>::computeArgmax(TensorId id) {
  const TensorInfo& t = tensor(id);
  ops::argmax(backend_, viewOf<const Real>(t, activations_.data()),
              argmax_.span().first(std::size_t(t.rows)));
}

template <class Real>
bool Executor<Real>::isFinite(TensorId id) {
  const TensorInfo& t = tensor(id);
  if (t.role == Role::Ids) return true;
  check(t.role == Role::Activation, "isFinite() is asked for what a step computes");
  if (squares_.empty()) squares_ = {backend_.memory(), 1};
  ops::addSquares(backend_, {activations_.data() + t.offset, std::size_t(t.rows * t.cols)},
                  squares_.data(), true);
  return std::isfinite(squares_.download().front());
}

template <class Real>
void Executor<Real>::setPosition(const RunPosition& position) {
  if (position == position_now_) return;
  position_.upload({&position, 1});
  position_now_ = position;
}

template <class Real>
void Executor<Real>::forward(const Real* parameters, const RunPosition& position) {
  setPosition(position);
  forward_.run(backend_, {parameters, nullptr, {}}, [&] { runForward(parameters); });
}

template <class Real>
void Executor<Real>::runForward(const Real* parameters) {
  const RunMemory<Real> memory = memoryOf(parameters);
  for (const Step& step : program_->steps)
    backend_.forward(callOf(*program_, step, memory, position_.data()));
}

template <class Real>
void Executor<Real>::backward(const Real* parameters, Real* parameter_gradients,
                              const BackwardOptions& what, const RunPosition& position) {
  check(!gradients_.empty(), "backward() needs an executor with gradients");
  setPosition(position);
  backward_.run(backend_, {parameters, parameter_gradients, what},
                [&] { runBackward(parameters, parameter_gradients, what); });
}

template <class Real>
void Executor<Real>::train(const Real* parameters, Real* parameter_gradients,
                           const BackwardOptions& what, const RunPosition& position,
                           TensorId answers, const Afterwards& afterwards) {
  check(!gradients_.empty(), "train() needs an executor with gradients");
  setPosition(position);
  answers_ = answers;
  if (answers != kNoTensor) makeRoomForArgmax(answers);
  const Pass pass{parameters, parameter_gradients, what,
                  answers != kNoTensor ? argmax_.data() : nullptr, afterwards.key};
  trainings_.run(backend_, pass, [&] {
    runForward(parameters);
    if (answers != kNoTensor) computeArgmax(answers);
    runBackward(parameters, parameter_gradients, what);
    if (afterwards.work) afterwards.work(activations_.data() + tensor(what.loss).offset);
  });
}

template <class Real>
void Executor<Real>::runBackward(const Real* parameters, Real* parameter_gradients,
                                 const BackwardOptions& what) {
  clearActivations(first_gradients_.back());
  ops::fill(backend_, gradient_memory_.of(*program_, what.loss, gradients_.data()),
            double(what.weight));
  const RunMemory<Real> memory = memoryOf(parameters);
  for (std::size_t i = program_->steps.size(); i-- > 0;) {
    const Step& step = program_->steps[i];
    const FirstGradients& first = first_gradients_[i];
    clearActivations(first);
    InputBits fresh = first.activations;
    if (!what.add) {
      fresh |= first.parameters;
      for (const ParameterWindow& window : first.cleared_parameters)
        ops::fill(backend_,
                  {parameter_gradients + window.offset, window.rows, window.cols, window.stride},
                  0.0);
    }
    if (step.op->template kernels<Real>().backward == nullptr) continue;
    OpCall<Real> call = callOf(*program_, step, memory, position_.data());
    addGradients(call, *program_, step, gradient_memory_, gradients_.data(), parameter_gradients,
                 fresh);
    backend_.backward(call);
  }
}

template <class Real>
MatrixView<const Real> Executor<Real>::fetched(MatrixView<const Real> matrix) {
  const std::span all(matrix.data, std::size_t(matrix.size()));
  const std::span<const Real> numbers = read_[matrix.data].of(backend_.memory(), all);
  return {numbers.data(), matrix.rows, matrix.cols};
}

template <class Real>
RunMemory<Real> Executor<Real>::memoryOf(const Real* parameters) {
  return {ids_.data(), inputs_.data(), constants_.data(), parameters, activations_.data(), states_};
}

template <class Real>
void Executor<Real>::clearActivations(const FirstGradients& first) {
  for (const TensorId id : first.cleared_activations)
    if (const auto gradient = gradient_memory_.of(*program_, id, gradients_.data()))
      ops::fill(backend_, gradient, 0.0);
}

template class Executor<float>;
template class Executor<double>;

}  // namespace tfm
