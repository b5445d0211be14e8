// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/executor.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/step_context.h"

namespace tfm {

namespace {

/// Whether a gradient is written in each backward pass. An activation that no step reads keeps the
/// zeros it began with (the probabilities of attention are such, and large), unless it is a single
/// number, as a loss is.
bool getsGradient(const TensorInfo& t, bool is_read) {
  if (t.role == Role::Parameter) return true;
  return t.role == Role::Activation && (is_read || t.rows * t.cols == 1);
}

/// See Executor::fresh_gradients_.
std::vector<std::vector<TensorId>> freshGradients(const Program& program) {
  std::vector<std::vector<TensorId>> fresh(program.steps.size() + 1);
  const std::size_t none = program.steps.size();
  std::vector<std::size_t> last_reader(program.tensors.size(), none);
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    for (const TensorId id : program.steps[i].inputs)
      if (id != kNoTensor) last_reader[std::size_t(id)] = i;
  for (std::size_t id = 0; id < program.tensors.size(); ++id)
    if (const TensorInfo& t = program.tensors[id]; getsGradient(t, last_reader[id] != none))
      fresh[last_reader[id]].push_back(TensorId(id));
  return fresh;
}

}  // namespace

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend,
                         bool gradients)
    : program_(std::move(program)),
      backend_(backend),
      ids_(std::size_t(program_->ids_size)),
      fresh_gradients_(gradients ? freshGradients(*program_)
                                 : std::vector<std::vector<TensorId>>{}),
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
  const RunMemory<Real> memory{ids_.data(), inputs_.data(),      constants_.data(),
                               parameters,  activations_.data(), gradients_.data(),
                               nullptr};
  for (const Step& step : program_->steps)
    kernels<Real>(step.op).forward(StepContext<Real>(*program_, step, backend_, memory, position));
}

template <class Real>
void Executor<Real>::backward(const Real* parameters, Real* parameter_gradients, TensorId loss,
                              const RunPosition& position) {
  check(!gradients_.empty(), "backward needs an executor made with gradients");
  clearGradients(fresh_gradients_.back(), parameter_gradients);
  gradients_[std::size_t(program_->tensors[std::size_t(loss)].offset)] = Real(1);
  const RunMemory<Real> memory{ids_.data(),        inputs_.data(),      constants_.data(),
                               parameters,         activations_.data(), gradients_.data(),
                               parameter_gradients};
  for (std::size_t i = program_->steps.size(); i-- > 0;) {
    const Step& step = program_->steps[i];
    clearGradients(fresh_gradients_[i], parameter_gradients);
    kernels<Real>(step.op).backward(StepContext<Real>(*program_, step, backend_, memory, position));
  }
}

template <class Real>
void Executor<Real>::clearGradients(const std::vector<TensorId>& tensors,
                                    Real* parameter_gradients) {
  for (const TensorId id : tensors) {
    const TensorInfo& t = program_->tensors[std::size_t(id)];
    Real* memory = t.role == Role::Parameter ? parameter_gradients : gradients_.data();
    std::fill_n(memory + t.offset, t.rows * t.cols, Real(0));
  }
}

template class Executor<float>;
template class Executor<double>;

}  // namespace tfm
