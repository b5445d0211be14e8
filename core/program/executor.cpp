// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/executor.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/program/step_call.h"

namespace tfm {

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend,
                         bool gradients)
    : program_(std::move(program)),
      backend_(backend),
      ids_(std::size_t(program_->ids_size)),
      first_gradients_(gradients ? firstGradients(*program_) : std::vector<FirstGradients>{}),
      inputs_(std::size_t(program_->input_size)),
      constants_(program_->constants.begin(), program_->constants.end()),
      activations_(std::size_t(program_->activation_size)),
      gradients_(gradients ? std::size_t(program_->activation_size) : 0) {}

template <class Real>
std::span<std::int32_t> Executor<Real>::ids(TensorId id) {
  const TensorInfo& t = program_->tensors[std::size_t(id)];
  check(t.role == Role::Ids, "ids() is asked for a tensor of integers");
  return {ids_.data() + t.offset, std::size_t(t.rows)};
}

template <class Real>
MatrixView<Real> Executor<Real>::values(TensorId id) {
  const TensorInfo& t = program_->tensors[std::size_t(id)];
  check(t.role == Role::Input || t.role == Role::Activation,
        "values() is asked for an input or an activation");
  Real* memory = t.role == Role::Input ? inputs_.data() : activations_.data();
  return {memory + t.offset, t.rows, t.cols};
}

template <class Real>
MatrixView<const Real> Executor<Real>::gradient(TensorId id) const {
  const TensorInfo& t = program_->tensors[std::size_t(id)];
  check(t.role == Role::Activation && !gradients_.empty(), "gradients exist for activations");
  return {gradients_.data() + t.offset, t.rows, t.cols};
}

template <class Real>
void Executor<Real>::forward(const Real* parameters, const RunPosition& position) {
  const RunMemory<Real> memory = memoryOf(parameters);
  for (const Step& step : program_->steps)
    backend_.forward(callOf(*program_, step, memory, position));
}

template <class Real>
void Executor<Real>::backward(const Real* parameters, Real* parameter_gradients,
                              const Differentiate& what, const RunPosition& position) {
  check(!gradients_.empty(), "backward needs an executor made with gradients");
  clearActivations(first_gradients_.back());
  gradients_[std::size_t(program_->tensors[std::size_t(what.loss)].offset)] = what.weight;
  const RunMemory<Real> memory = memoryOf(parameters);
  for (std::size_t i = program_->steps.size(); i-- > 0;) {
    const Step& step = program_->steps[i];
    const FirstGradients& first = first_gradients_[i];
    clearActivations(first);
    InputBits fresh = first.activations;
    if (!what.add) {
      fresh |= first.parameters;
      for (const ParameterWindow& window : first.cleared_parameters)
        overRows(window, [&](std::int64_t begin, std::int64_t count) {
          std::fill_n(parameter_gradients + begin, count, Real(0));
        });
    }
    OpCall<Real> call = callOf(*program_, step, memory, position);
    addGradients(call, *program_, step, gradients_.data(), parameter_gradients, fresh);
    backend_.backward(call);
  }
}

template <class Real>
RunMemory<Real> Executor<Real>::memoryOf(const Real* parameters) {
  return {ids_.data(), inputs_.data(), constants_.data(), parameters, activations_.data()};
}

template <class Real>
void Executor<Real>::clearActivations(const FirstGradients& first) {
  for (const TensorId id : first.cleared_activations) {
    const TensorInfo& t = program_->tensors[std::size_t(id)];
    std::fill_n(gradients_.data() + t.offset, t.rows * t.cols, Real(0));
  }
}

template class Executor<float>;
template class Executor<double>;

}  // namespace tfm
