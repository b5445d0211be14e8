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

/// The last entry: single numbers that no step reads, as losses are. Any other activation that no
/// step reads keeps the zeros it began with; the probabilities of attention are such, and large.
std::vector<std::vector<TensorId>> freshActivations(const Program& program) {
  const std::vector<std::size_t> readers = lastReaders(program);
  std::vector<std::vector<TensorId>> fresh(program.steps.size() + 1);
  for (std::size_t id = 0; id < program.tensors.size(); ++id) {
    const TensorInfo& t = program.tensors[id];
    const bool is_read = readers[id] < program.steps.size();
    if (t.role == Role::Activation && (is_read || t.rows * t.cols == 1))
      fresh[readers[id]].push_back(TensorId(id));
  }
  return fresh;
}

std::vector<std::vector<ParameterWindow>> freshParameters(const Program& program) {
  const std::vector<std::size_t> readers = lastReaders(program);
  std::vector<std::vector<ParameterWindow>> fresh(program.steps.size());
  for (const ParameterWindow& window : usedParameters(program))
    fresh[readers[std::size_t(window.parameter)]].push_back(window);
  return fresh;
}

template <class Real>
void clear(Real* gradients, const std::vector<ParameterWindow>& windows) {
  for (const ParameterWindow& w : windows) {
    const bool whole_rows = w.cols == w.stride;
    const std::int64_t rows = whole_rows ? 1 : w.rows;
    const std::int64_t cols = whole_rows ? w.rows * w.cols : w.cols;
    for (std::int64_t row = 0; row < rows; ++row)
      std::fill_n(gradients + w.offset + row * w.stride, cols, Real(0));
  }
}

}  // namespace

template <class Real>
Executor<Real>::Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend,
                         bool gradients)
    : program_(std::move(program)),
      backend_(backend),
      ids_(std::size_t(program_->ids_size)),
      fresh_activations_(gradients ? freshActivations(*program_)
                                   : std::vector<std::vector<TensorId>>{}),
      fresh_parameters_(gradients ? freshParameters(*program_)
                                  : std::vector<std::vector<ParameterWindow>>{}),
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
  clearActivations(fresh_activations_.back());
  gradients_[std::size_t(program_->tensors[std::size_t(what.loss)].offset)] = what.weight;
  const RunMemory<Real> memory{ids_.data(),        inputs_.data(),      constants_.data(),
                               parameters,         activations_.data(), gradients_.data(),
                               parameter_gradients};
  for (std::size_t i = program_->steps.size(); i-- > 0;) {
    const Step& step = program_->steps[i];
    clearActivations(fresh_activations_[i]);
    if (!what.add) clear(parameter_gradients, fresh_parameters_[i]);
    kernels<Real>(step.op).backward(StepContext<Real>(*program_, step, backend_, memory, position));
  }
}

template <class Real>
void Executor<Real>::clearActivations(const std::vector<TensorId>& tensors) {
  for (const TensorId id : tensors) {
    const TensorInfo& t = program_->tensors[std::size_t(id)];
    std::fill_n(gradients_.data() + t.offset, t.rows * t.cols, Real(0));
  }
}

template class Executor<float>;
template class Executor<double>;

}  // namespace tfm
