// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/program/first_gradients.h"
#include "core/program/program.h"

namespace tfm {

/// The memory of a run, by role; if null, calls have shapes only.
template <class Real>
struct RunMemory {
  std::int32_t* ids = nullptr;
  const Real* inputs = nullptr;
  const Real* constants = nullptr;
  const Real* parameters = nullptr;
  Real* activations = nullptr;
  Real* states = nullptr;
};

/// A tensor as a view of the memory of its role.
template <class Number>
MatrixView<Number> viewOf(const TensorInfo& t, Number* memory) {
  return {memory == nullptr ? nullptr : memory + t.offset, t.rows, t.cols, t.stride};
}

/// The call of a step's op for a forward pass; `position` is in the memory of the backend.
template <class Real>
OpCall<Real> callOf(const Program& program, const Step& step, const RunMemory<Real>& memory,
                    const RunPosition* position) {
  OpCall<Real> call;
  call.op = step.op;
  call.arguments = &step.arguments;
  call.position = position;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i] == kNoTensor) continue;
    const TensorInfo& t = program.tensors[std::size_t(step.inputs[i])];
    auto& input = call.inputs[i];
    switch (t.role) {
      case Role::Ids:
        if (memory.ids != nullptr) input.ids = {memory.ids + t.offset, std::size_t(t.rows)};
        break;
      case Role::Input:
        input.values = viewOf(t, memory.inputs);
        break;
      case Role::Parameter:
        input.values = viewOf(t, memory.parameters);
        break;
      case Role::Constant:
        input.values = viewOf(t, memory.constants);
        break;
      case Role::Activation:
        input.values = viewOf<const Real>(t, memory.activations);
        break;
      case Role::State:
        input.values = viewOf<const Real>(t, memory.states);
        break;
    }
  }
  for (std::size_t i = 0; i < step.outputs.size(); ++i) {
    if (step.outputs[i] == kNoTensor) continue;
    const TensorInfo& t = program.tensors[std::size_t(step.outputs[i])];
    if (t.role == Role::Ids) {
      if (memory.ids != nullptr) call.indices = {memory.ids + t.offset, std::size_t(t.rows)};
    } else {
      call.outputs[i].values =
          viewOf(t, t.role == Role::State ? memory.states : memory.activations);
    }
  }
  return call;
}

/// Adds what a backward pass needs. `gradients` are laid out as in `at`; `fresh`: the inputs to
/// whose gradients this step is the first to add.
template <class Real>
void addGradients(OpCall<Real>& call, const Program& program, const Step& step,
                  const GradientMemory& at, Real* gradients, Real* parameters, InputBits fresh) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i] == kNoTensor) continue;
    const TensorInfo& t = program.tensors[std::size_t(step.inputs[i])];
    if (t.role != Role::Activation && t.role != Role::Parameter) continue;
    call.inputs[i].gradient = {t.role == Role::Activation
                                   ? at.of(program, step.inputs[i], gradients)
                                   : viewOf(t, parameters),
                               (fresh >> i & 1U) != 0};
  }
  for (std::size_t i = 0; i < step.outputs.size(); ++i)
    if (step.outputs[i] != kNoTensor)
      call.outputs[i].gradient = at.of<const Real>(program, step.outputs[i], gradients);
}

}  // namespace tfm
