// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/observe/held_positions.h"
#include "core/program/program.h"

namespace tfm::observe {

enum class AttentionKind { EncoderSelf, DecoderSelf, Cross };

/// One attention of a model and where a program keeps its maps.
struct AttentionSite {
  std::string path;  ///< prefix of its tensors, e.g. "decoder.layers.0.cross_attention"
  AttentionKind kind;
  std::int64_t layer;
  AttentionShape shape;
  /// What queries and keys hold; null where unknown. Compare the lists, not the pointers.
  std::shared_ptr<const Held> queries = {}, keys = {};
};

/// All attentions in execution order.
std::vector<AttentionSite> attentionSites(const Program& program);

}  // namespace tfm::observe
