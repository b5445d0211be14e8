// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/program.h"

namespace tfm::observe {

enum class AttentionKind { EncoderSelf, DecoderSelf, Cross };

/// One attention of a model: where its maps are found among a program's tensors.
struct AttentionSite {
  std::string path;  ///< e.g. "decoder.layers.0.cross_attention"; path + ".probabilities" and so on
  AttentionKind kind;
  std::int64_t layer;
  AttentionShape shape;
};

/// All attentions in the order of the steps.
std::vector<AttentionSite> attentionSites(const Program& program);

}  // namespace tfm::observe
