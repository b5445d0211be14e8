// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/model/model_config.h"

namespace tfm {

/// Block-wise scaling of the DExTra units of a stack; see blockwiseScaling().
struct DelightScaling {
  std::int64_t least = 4;  ///< grouped maps in the first block, at least 2
  std::int64_t most = 8;   ///< and in the last
  double width = 2.0;      ///< of the first block, in hidden sizes
  bool operator==(const DelightScaling&) const = default;
};

/// Sets the stacks to layers of DeLighT, each scaled from its first to its last (Mehta et al. 2021,
/// section 3.2): DExTra and attention, cross-attention with one head of half the hidden size if the
/// decoder has a memory, a feed-forward of a quarter of it. Architecture, hidden and memory_size
/// must be set.
void setDelightLayers(ModelConfig& config, std::int64_t encoder_layers, std::int64_t decoder_layers,
                      const DelightScaling& scaling);

/// The scaling from the first to the last DExTra unit of the deeper stack; none without any.
std::optional<DelightScaling> delightScaling(const ModelConfig& config);
/// Scales the DExTra units that each stack has from its first layer to its last; all else stays.
void rescaleDelight(ModelConfig& config, const DelightScaling& scaling);

}  // namespace tfm
