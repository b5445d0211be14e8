// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/held_positions.h"

#include <algorithm>

namespace tfm::observe {
namespace {

bool isGiven(const TensorInfo& tensor) {
  return tensor.role == Role::Ids || tensor.role == Role::Input;
}

}  // namespace

std::vector<std::shared_ptr<const Held>> heldPositions(const Program& program) {
  const BatchShape& shape = program.shape;
  std::vector<std::shared_ptr<const Held>> held(program.tensors.size());
  const auto length = [&](TensorId id) {
    return program.tensors[std::size_t(id)].rows / std::max<std::int64_t>(1, shape.sequences);
  };
  for (std::size_t i = 0; i < held.size(); ++i)
    if (const auto rows = length(TensorId(i));
        isGiven(program.tensors[i]) && (rows == shape.source_length || rows == shape.target_length))
      held[i] = std::make_shared<const Held>(eachItself(rows));
  for (const Step& step : program.steps) {
    if (step.outputs.empty()) continue;
    std::shared_ptr<const Held> result;
    for (const TensorId input : step.inputs)
      if (input != kNoTensor && !result) result = held[std::size_t(input)];
    if (result && step.op->positions != nullptr) {
      const auto rows = length(step.outputs.front());
      const bool longer = rows > std::ssize(*result);
      result = std::make_shared<const Held>(longer ? eachItself(rows) : linksAfter(step, *result));
    }
    for (const TensorId output : step.outputs)
      if (output != kNoTensor && result && std::int64_t(result->size()) == length(output))
        held[std::size_t(output)] = result;
  }
  return held;
}

std::vector<std::string> heldLabels(const std::vector<std::string>& labels, const Held& held) {
  std::vector<std::string> result;
  for (const auto& positions : held) {
    std::string label;
    for (const std::int64_t position : positions) {
      if (position >= std::int64_t(labels.size())) return {};
      label += (label.empty() ? "" : ", ") + labels[std::size_t(position)];
    }
    result.push_back(positions.size() > 1 ? "(" + label + ")" : label);
  }
  return result;
}

}  // namespace tfm::observe
