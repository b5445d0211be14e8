// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/attention_stage.h"

#include <algorithm>
#include <any>
#include <array>

#include "core/program/ops/ops.h"

namespace tfm::observe {
namespace {

/// Of the outputs of an attention, in order.
std::array<AttentionStage, 5> stagesOf(const Step& attention) {
  using enum AttentionStage;
  const bool changed =
      !std::any_cast<const AttentionArguments&>(attention.arguments).changes.empty();
  return {Mixed, changed ? Softmax : Probabilities, changed ? Probabilities : Dropped, Scores,
          Masked};
}

}  // namespace

std::optional<AttentionStage> attentionStageOf(const Program& program, TensorId tensor) {
  const Step* maker = program.makerOf(tensor);
  if (maker == nullptr || maker->op != &ops::kAttention) return {};
  const auto stages = stagesOf(*maker);
  for (std::size_t i = 0; i < stages.size(); ++i)
    if (maker->outputs[i] == tensor) return stages[i];
  return {};
}

bool isAttentionMap(const Program& program, TensorId tensor) {
  return attentionStageOf(program, tensor).value_or(AttentionStage::Mixed) != AttentionStage::Mixed;
}

const Step* attentionOf(const Program& program, TensorId map) {
  if (isAttentionMap(program, map)) return program.makerOf(map);
  const auto adds = [&](const Step& step) {
    return step.op == &ops::kAttention && map != kNoTensor && step.inputs[4] == map;
  };
  const auto step = std::ranges::find_if(program.steps, adds);
  return step == program.steps.end() ? nullptr : &*step;
}

TensorId tensorAt(const Step& attention, AttentionStage stage) {
  const auto stages = stagesOf(attention);
  const auto found = std::ranges::find(stages, stage);
  return found == stages.end() ? kNoTensor : attention.outputs[std::size_t(found - stages.begin())];
}

}  // namespace tfm::observe
