// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/first_gradients.h"

#include <iterator>
#include <limits>
#include <map>

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
    const bool adds = program.steps[readers[id]].op->double_precision.backward != nullptr;
    if (isOne(inputs) && adds)
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

namespace {

/// Lends stretches of a memory that grows where none is free.
class Stretches {
 public:
  std::int64_t take(std::int64_t size) {
    for (const auto& [at, free] : free_)
      if (free >= size) {
        const std::int64_t first = at, rest = free - size;
        free_.erase(first);
        if (rest > 0) free_.emplace(first + size, rest);
        return first;
      }
    // The end of the memory may be free, but not all that is needed.
    const bool open = !free_.empty() && free_.rbegin()->first + free_.rbegin()->second == size_;
    const std::int64_t first = open ? free_.rbegin()->first : size_;
    if (open) free_.erase(std::prev(free_.end()));
    size_ = first + size;
    return first;
  }
  void giveBack(std::int64_t first, std::int64_t size) {
    auto next = free_.lower_bound(first);
    if (next != free_.end() && next->first == first + size) {
      size += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == first)
      std::prev(next)->second += size;
    else
      free_.emplace(first, size);
  }
  std::int64_t size() const { return size_; }

 private:
  std::map<std::int64_t, std::int64_t> free_;  // sizes, by the first number
  std::int64_t size_ = 0;
};

}  // namespace

GradientMemory gradientMemory(const Program& program) {
  GradientMemory memory{std::vector<std::int64_t>(program.tensors.size(), -1)};
  if (program.watched) {
    for (std::size_t id = 0; id < program.tensors.size(); ++id)
      if (program.tensors[id].role == Role::Activation)
        memory.offsets[id] = program.tensors[id].offset;
    memory.size = program.activation_size;
    return memory;
  }
  const std::vector<std::size_t> readers = lastReaders(program);
  Stretches stretches;
  const auto sizeOf = [&](TensorId id) {
    const TensorInfo& t = program.tensors[std::size_t(id)];
    return alignedSize(t.rows * t.cols);
  };
  const auto take = [&](TensorId id) {
    const TensorInfo& t = program.tensors[std::size_t(id)];
    std::int64_t& offset = memory.offsets[std::size_t(id)];
    if (t.role == Role::Activation && offset < 0) offset = stretches.take(sizeOf(id));
  };
  const auto isRead = [&](TensorId id) { return readers[std::size_t(id)] < program.steps.size(); };
  for (const Step& step : program.steps)
    if (!isRead(step.outputs.front())) take(step.outputs.front());
  for (std::size_t i = program.steps.size(); i-- > 0;) {
    for (const TensorId id : program.steps[i].inputs)
      if (id != kNoTensor) take(id);
    for (const TensorId id : program.steps[i].outputs)
      if (id != kNoTensor && isRead(id) && memory.offsets[std::size_t(id)] >= 0)
        stretches.giveBack(memory.offsets[std::size_t(id)], sizeOf(id));
  }
  memory.size = stretches.size();
  return memory;
}

}  // namespace tfm
