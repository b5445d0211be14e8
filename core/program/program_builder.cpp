// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_builder.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/program/ops/ops.h"

namespace tfm {
ProgramBuilder::ProgramBuilder(BatchShape shape, bool training, bool scores,
                               std::vector<TensorChange> changes, bool watched)
    : training_(training), scores_(scores), changes_(std::move(changes)) {
  check(changes_.empty() || !training, "what is trained is not changed");
  program_.shape = shape;
  program_.watched = watched || scores;
}

const TensorInfo& ProgramBuilder::tensor(TensorId id) const {
  check(id >= 0 && std::size_t(id) < program_.tensors.size(), "the tensor exists");
  return program_.tensors[std::size_t(id)];
}

TensorId ProgramBuilder::add(TensorInfo info) {
  const auto id = TensorId(program_.tensors.size());
  const bool fresh = program_.index.emplace(info.name, id).second;
  check(fresh, "tensor names are unique");
  program_.tensors.push_back(std::move(info));
  return id;
}

TensorId ProgramBuilder::ids(std::string name, std::int64_t size) {
  const std::int64_t offset = program_.ids_size;
  program_.ids_size += size;
  return add({std::move(name), Role::Ids, size, 1, offset});
}

TensorId ProgramBuilder::input(std::string name, std::int64_t rows, std::int64_t cols) {
  const std::int64_t offset = program_.input_size;
  program_.input_size += alignedSize(rows * cols);
  return add({std::move(name), Role::Input, rows, cols, offset});
}

TensorId ProgramBuilder::constant(std::string name, std::int64_t rows, std::int64_t cols,
                                  const std::vector<double>& values) {
  check(std::int64_t(values.size()) == rows * cols, "a constant has rows * cols values");
  if (const TensorId known = program_.find(name); known != kNoTensor) {
    const TensorInfo& t = tensor(known);
    check(t.role == Role::Constant && t.rows == rows && t.cols == cols,
          "a shared constant has one shape");
    return known;
  }
  const auto offset = std::int64_t(program_.constants.size());
  program_.constants.insert(program_.constants.end(), values.begin(), values.end());
  return add({std::move(name), Role::Constant, rows, cols, offset});
}

TensorId ProgramBuilder::parameter(const std::string& name, Shape shape, InitialRule initial,
                                   ParameterPart part, Term term) {
  ParameterInfo info{
      name, std::move(shape), initial, {site_, part, term}, program_.parameters.total};
  if (const TensorId known = program_.find(name); known != kNoTensor) {
    const TensorInfo& t = tensor(known);
    check(t.role == Role::Parameter && t.rows == info.rows() && t.cols == info.cols(),
          "a shared parameter has one shape");
    return known;
  }
  program_.parameters.total += info.size();
  const TensorId id = add({name, Role::Parameter, info.rows(), info.cols(), info.offset});
  program_.parameters.parameters.push_back(std::move(info));
  return id;
}

TensorId ProgramBuilder::window(TensorId parameter, std::int64_t rows, std::int64_t cols) {
  const TensorInfo whole = tensor(parameter);
  check(whole.role == Role::Parameter && whole.window_of == kNoTensor,
        "a window is part of a whole parameter");
  check(rows >= 1 && rows <= whole.rows && cols >= 1 && cols <= whole.cols,
        "a window lies inside its parameter");
  if (rows == whole.rows && cols == whole.cols) return parameter;
  std::string name = whole.name + "[:" + std::to_string(rows) + ", :" + std::to_string(cols) + "]";
  if (const TensorId known = program_.find(name); known != kNoTensor) return known;
  return add({std::move(name), Role::Parameter, rows, cols, whole.offset, whole.stride, parameter});
}

TensorId ProgramBuilder::state(std::string name, std::int64_t rows, std::int64_t cols) {
  const std::int64_t offset = program_.state_size;
  program_.state_size += alignedSize(rows * cols);
  return add({std::move(name), Role::State, rows, cols, offset});
}

TensorId ProgramBuilder::activation(std::string name, std::int64_t rows, std::int64_t cols) {
  const std::int64_t offset = program_.activation_size;
  program_.activation_size += alignedSize(rows * cols);
  return add({std::move(name), Role::Activation, rows, cols, offset});
}

void ProgramBuilder::append(Step step) {
  check(
      step.op == &ops::kCachedAttention || std::ranges::find(ops::kAll, step.op) != ops::kAll.end(),
      "ops::kAll lists the op");
  check(step.inputs.size() <= OpCall<float>::kMaxInputs &&
            step.outputs.size() <= OpCall<float>::kMaxOutputs,
        "an OpCall holds all inputs and outputs of a step");
  step.site = site_;
  std::vector<Step> after;
  for (TensorId& output : step.outputs)
    if (auto one = changes_.empty() ? std::nullopt : change(step, output))
      after.push_back(std::move(*one));
  program_.steps.push_back(std::move(step));
  for (Step& one : after) program_.steps.push_back(std::move(one));
}

std::optional<Step> ProgramBuilder::change(Step& step, TensorId& output) {
  if (output == kNoTensor) return {};
  // Maps are changed by the attention itself, which mixes them.
  if (step.op == &ops::kAttention && output != step.outputs.front()) return {};
  const TensorInfo whole = tensor(output);
  if (whole.role != Role::Activation) return {};
  const RowChanges changes =
      rowChanges(changes_, whole.name, whole.rows, whole.cols, program_.shape.sequences);
  if (changes.rows == 0) return {};
  const TensorId before = activation(whole.name + kBefore, whole.rows, whole.cols);
  const auto numbers = [&](const char* what, const std::vector<double>& values) {
    return constant(whole.name + what, changes.rows, whole.cols, values);
  };
  const TensorId after = std::exchange(output, before);
  return Step{&ops::kAffine,
              whole.name + " (changed)",
              {before, numbers(" (factor)", changes.factor), numbers(" (added)", changes.added)},
              {after},
              {},
              site_};
}

Program ProgramBuilder::finish() { return std::exchange(program_, {}); }

}  // namespace tfm
