// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/model_shape.h"

#include <algorithm>

#include "core/model/build_program.h"

namespace tfm::ui {

bool ModelShape::hasGroups() const {
  const auto grouped = [](const observe::StackStage& stage) {
    return std::ranges::any_of(stage.maps,
                               [](const observe::PassedMap& map) { return map.groups > 1; });
  };
  return std::ranges::any_of(encoder, grouped) || std::ranges::any_of(decoder, grouped);
}

bool ModelShape::hasLengths() const {
  const auto changes = [](const std::vector<observe::StackStage>& stages) {
    return std::ranges::any_of(stages, [&](const observe::StackStage& stage) {
      return stage.length != stages.front().length;
    });
  };
  return changes(encoder) || changes(decoder);
}

ModelShape shapeOf(const ModelConfig& config, const BatchShape& batch) {
  const Program program = buildProgram(config, batch, {});
  return {batch, observe::stackStages(program, Stack::Encoder),
          observe::stackStages(program, Stack::Decoder), program.parameters.total,
          program.forwardFlops()};
}

}  // namespace tfm::ui
