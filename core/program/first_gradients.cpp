// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/first_gradients.h"

#include <limits>

#include "core/base/check.h"

namespace tfm {
namespace {

/// The last step that reads each tensor: its backward pass is the first to add to the gradient. The
/// number of steps if there is none. Reading a window counts as reading the parameter.
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

/// The inputs of a step for which `chosen` returns true.
template <class Chosen>
InputBits inputsOf(const Step& step, const Chosen& chosen) {
  check(step.inputs.size() <= std::size_t(std::numeric_limits<InputBits>::digits),
        "InputBits has a bit for each input of a step");
  InputBits bits = 0;
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    if (step.inputs[i] != kNoTensor && chosen(step.inputs[i])) bits |= InputBits(1) << i;
  return bits;
}

bool isOne(InputBits bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

}  // namespace

std::vector<FirstGradients> firstGradients(const Program& program) {
  const std::vector<std::size_t> readers = lastReaders(program);
  std::vector<FirstGradients> first(program.steps.size() + 1);
  for (std::size_t id = 0; id < program.tensors.size(); ++id) {
    const TensorInfo& t = program.tensors[id];
    if (t.role != Role::Activation) continue;
    FirstGradients& own = first[readers[id]];
    if (readers[id] == program.steps.size()) {
      if (t.rows * t.cols == 1) own.cleared_activations.push_back(TensorId(id));
      continue;
    }
    const InputBits inputs =
        inputsOf(program.steps[readers[id]], [&](TensorId input) { return input == TensorId(id); });
    if (isOne(inputs))
      own.activations |= inputs;
    else
      own.cleared_activations.push_back(TensorId(id));
  }
  for (const ParameterWindow& window : usedParameters(program)) {
    const std::size_t reader = readers[std::size_t(window.parameter)];
    bool whole = true;
    const InputBits inputs = inputsOf(program.steps[reader], [&](TensorId input) {
      const TensorInfo& t = program.tensors[std::size_t(input)];
      if (t.role != Role::Parameter || t.offset != window.offset) return false;
      whole = whole && t.rows == window.rows && t.cols == window.cols;
      return true;
    });
    if (isOne(inputs) && whole)
      first[reader].parameters |= inputs;
    else
      first[reader].cleared_parameters.push_back(window);
  }
  return first;
}

}  // namespace tfm
