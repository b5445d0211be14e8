// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/program/first_gradients.h"
#include "core/program/step_call.h"

namespace tfm {

TensorId Program::find(std::string_view name) const {
  const auto found = index.find(std::string(name));
  return found == index.end() ? kNoTensor : found->second;
}

const TensorInfo& Program::tensor(std::string_view name) const {
  const TensorId id = find(name);
  if (id == kNoTensor)
    throw Error("there is no tensor '" + std::string(name) + "'", "program",
                "List the model's tensors to see their names");
  return tensors[std::size_t(id)];
}

const Step* Program::makerOf(TensorId id) const {
  const auto step = std::ranges::find_if(steps, [&](const Step& each) {
    return id != kNoTensor && std::ranges::find(each.outputs, id) != each.outputs.end();
  });
  return step == steps.end() ? nullptr : &*step;
}

std::int64_t Program::flopsOf(const Step& step) const {
  return step.op->single_precision.flops(callOf<float>(*this, step, {}, {}));
}

std::int64_t Program::forwardFlops() const {
  std::int64_t total = 0;
  for (const Step& step : steps) total += flopsOf(step);
  return total;
}

std::int64_t Program::memoryBytes(std::int64_t bytes_a_number, bool gradients) const {
  const std::int64_t numbers = input_size + std::int64_t(constants.size()) + activation_size +
                               state_size + (gradients ? gradientMemory(*this).size : 0);
  return numbers * bytes_a_number + ids_size * std::int64_t(sizeof(std::int32_t));
}

}  // namespace tfm
