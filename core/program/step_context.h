// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <span>
#include <variant>

#include "core/backend/backend.h"
#include "core/base/check.h"
#include "core/program/executor.h"
#include "core/program/first_gradients.h"
#include "core/program/program.h"

namespace tfm {

/// The memory that a run works on, by role.
template <class Real>
struct RunMemory {
  const std::int32_t* ids;
  const Real* inputs;
  const Real* constants;
  const Real* parameters;
  Real* activations;
  Real* gradients;  ///< of activations
  Real* parameter_gradients;
};

/// What a step sees while it runs: its inputs and outputs as views, by position.
template <class Real>
class StepContext {
 public:
  /// `fresh`: of the inputs whose gradients this step's backward is the first to add to, bit i for
  /// input i.
  StepContext(const Program& program, const Step& step, const Backend<Real>& backend,
              const RunMemory<Real>& memory, const RunPosition& position, InputBits fresh = 0)
      : backend(backend),
        program_(program),
        step_(step),
        memory_(memory),
        position_(position),
        fresh_(fresh) {}

  const Backend<Real>& backend;

  template <class Arguments>
  const Arguments& arguments() const {
    return std::get<Arguments>(step_.arguments);
  }

  /// The i-th input; empty where the step does without.
  MatrixView<const Real> in(std::size_t i) const { return view(step_.inputs[i]); }
  std::span<const std::int32_t> ids(std::size_t i) const {
    if (step_.inputs[i] == kNoTensor) return {};
    const TensorInfo& t = info(step_.inputs[i]);
    return {memory_.ids + t.offset, std::size_t(t.rows)};
  }
  MatrixView<Real> out(std::size_t i) const {
    if (step_.outputs[i] == kNoTensor) return {};
    const TensorInfo& t = info(step_.outputs[i]);
    return {memory_.activations + t.offset, t.rows, t.cols};
  }
  /// Where the gradient of the i-th input is to be accumulated; empty where none is wanted.
  GradientView<Real> inGradient(std::size_t i) const {
    if (step_.inputs[i] == kNoTensor) return {};
    const TensorInfo& t = info(step_.inputs[i]);
    const bool fresh = (fresh_ >> i & 1U) != 0;
    if (t.role == Role::Activation) return {{memory_.gradients + t.offset, t.rows, t.cols}, fresh};
    if (t.role == Role::Parameter)
      return {{memory_.parameter_gradients + t.offset, t.rows, t.cols, t.stride}, fresh};
    return {};
  }
  MatrixView<const Real> outGradient(std::size_t i) const {
    const TensorInfo& t = info(step_.outputs[i]);
    return {memory_.gradients + t.offset, t.rows, t.cols};
  }
  Dropout dropout(const DropoutArguments& d) const {
    return {d.rate, Random(position_.seed, d.stream, position_.step),
            position_.first_sequence * d.rows_per_sequence};
  }
  ColumnMask mask(const MaskedNormArguments& m) const {
    const double done = double(position_.step) - double(m.begin);
    return {m.size, std::clamp(done / double(m.steps), 0.0, 1.0)};
  }

 private:
  const TensorInfo& info(TensorId id) const { return program_.tensors[std::size_t(id)]; }

  MatrixView<const Real> view(TensorId id) const {
    if (id == kNoTensor) return {};
    const TensorInfo& t = info(id);
    const Real* memory = nullptr;
    switch (t.role) {
      case Role::Ids:
        check(false, "a step reads integers through ids()");
        break;
      case Role::Input:
        memory = memory_.inputs;
        break;
      case Role::Parameter:
        memory = memory_.parameters;
        break;
      case Role::Constant:
        memory = memory_.constants;
        break;
      case Role::Activation:
        memory = memory_.activations;
        break;
    }
    return {memory + t.offset, t.rows, t.cols, t.stride};
  }

  const Program& program_;
  const Step& step_;
  const RunMemory<Real>& memory_;
  const RunPosition& position_;
  InputBits fresh_;
};

}  // namespace tfm
