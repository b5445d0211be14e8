// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/tensor_shape.h"

#include <algorithm>
#include <any>

#include "core/program/ops/ops.h"

namespace tfm::observe {
namespace {

/// Whether the tensor is an attention map of a step: one number per head, query and key.
bool isMapOf(const Step& step, TensorId tensor) {
  // The first output is the mixed values; the others are scores and probabilities.
  return step.op == &ops::kAttention &&
         std::find(step.outputs.begin() + 1, step.outputs.end(), tensor) != step.outputs.end();
}

}  // namespace

std::vector<std::int64_t> tensorShape(const Program& program, std::string_view name) {
  const TensorInfo& tensor = program.tensor(name);
  const TensorId id = program.find(name);
  for (const Step& step : program.steps) {
    if (!isMapOf(step, id)) continue;
    const AttentionShape& s = std::any_cast<const AttentionArguments&>(step.arguments).shape;
    if (s.batch == 1) return {s.heads, s.queries, s.keys};
    return {s.batch, s.heads, s.queries, s.keys};
  }
  return {tensor.rows, tensor.cols};
}

}  // namespace tfm::observe
