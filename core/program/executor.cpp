// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/executor.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/step_context.h"

namespace tfm {

namespace {

/// The last step that reads each tensor, whose backward is the first to add to its gradient; the
/// number of steps where there is none. A parameter is read where a window of it is.
std::vector<std::size_t> lastReaders(const Program& program) {
  std::vector<std::size_t> readers(program.tensors.size(), program.steps.size());
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    for (const TensorId id : program.steps[i].inputs) {
      if (id == kNoTensor) continue;
      readers[std::size_t(id)] = i;
      if (const TensorId whole = program.tensors[std::size_t(id)].window_of; whole != kNoTensor)
        readers[std::size_t(whole)] = i;
    }
  return readers;
}

}  // namespace

template <class Real>
std::vector<typename Executor<Real>::Fresh> Executor<Real>::freshOf(const Program& program) {
  const std::vector<std::size_t> readers = lastReaders(program);
  std::vector<Fresh> fresh(program.steps.size() + 1);
  for (std::size_t id = 0; id < program.tensors.size(); ++id) {
    const TensorInfo& t = program.tensors[id];
    const bool is_read = readers[id] < program.steps.size();
    if (t.role == Role::Activation && (is_read || t.rows * t.cols == 1))
      fresh[readers[id]].activations.push_back(TensorId(id));
  }
  for (const ParameterWindow& window : usedParameters(program))
    fresh[readers[std::size_t(window.parameter)]].parameters.push_back(window);
  return fresh;
}

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend,
                         bool gradients)
    : program_(std::move(program)),
      backend_(backend),
      ids_(std::size_t(program_->ids_size)),
      fresh_(gradients ? freshOf(*program_) : std::vector<Fresh>{}),
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
void Executor<Real>::backward(const Real* parameters, Real* parameter_gradients,
                              const Differentiate& what, const RunPosition& position) {
  check(!gradients_.empty(), "backward needs an executor made with gradients");
  clear(fresh_.back(), parameter_gradients, false);
  gradients_[std::size_t(program_->tensors[std::size_t(what.loss)].offset)] = what.weight;
  const RunMemory<Real> memory{ids_.data(),        inputs_.data(),      constants_.data(),
                               parameters,         activations_.data(), gradients_.data(),
                               parameter_gradients};
  for (std::size_t i = program_->steps.size(); i-- > 0;) {
    const Step& step = program_->steps[i];
    clear(fresh_[i], parameter_gradients, !what.add);
    kernels<Real>(step.op).backward(StepContext<Real>(*program_, step, backend_, memory, position));
  }
}

template <class Real>
void Executor<Real>::clear(const Fresh& fresh, Real* parameter_gradients, bool parameters) {
  for (const TensorId id : fresh.activations) {
    const TensorInfo& t = program_->tensors[std::size_t(id)];
    std::fill_n(gradients_.data() + t.offset, t.rows * t.cols, Real(0));
  }
  if (!parameters) return;
  for (const ParameterWindow& window : fresh.parameters)
    overRows(window, [&](std::int64_t first, std::int64_t count) {
      std::fill_n(parameter_gradients + first, count, Real(0));
    });
}

template class Executor<float>;
template class Executor<double>;

}  // namespace tfm
