// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/model_config.h"
#include "core/observe/stack_stages.h"

namespace tfm::ui {

/// Lengths, widths and cost of a model for one batch shape, from its program; no tensors.
struct ModelShape {
  BatchShape batch;
  std::vector<observe::StackStage> encoder, decoder;
  std::int64_t parameters = 0;
  std::int64_t flops = 0;  ///< of a forward pass

  const std::vector<observe::StackStage>& stages(Stack stack) const {
    return stack == Stack::Decoder ? decoder : encoder;
  }
  /// Whether a layer has grouped maps.
  bool hasGroups() const;
  /// Whether a layer changes the length.
  bool hasLengths() const;
};

/// Throws Error for an invalid config and for lengths that it does not allow.
ModelShape shapeOf(const ModelConfig& config, const BatchShape& batch);

}  // namespace tfm::ui
