// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/observe/position_links.h"
#include "core/program/program.h"

namespace tfm::observe {

/// One linear map that the states pass on their way through a layer: every map but those into and
/// out of attentions.
struct PassedMap {
  std::string input;   ///< name of the tensor it reads, positions x inputs
  std::string output;  ///< of the one it writes, positions x outputs
  BlockKind block;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t groups = 1;
  bool shuffled = false;
  std::int64_t joined = 0;  ///< of its inputs, those that join the output of the map before (mixer)
  bool operator==(const PassedMap&) const = default;
};

/// The output states of a layer, or the input of a stack.
struct StackStage {
  Stack stack = Stack::None;
  std::int64_t layer = -1;  ///< -1: the input
  std::string states;       ///< name of the tensor, positions x width
  std::int64_t length = 0;  ///< positions of a sequence
  std::int64_t width = 0;
  /// For each position, those of the stage before that it was made from: itself, a pair where
  /// pooling joined two, the one it is a copy of, or none after the last copy.
  PositionLinks from;
  std::int64_t added = -1;  ///< an earlier stage added to up-sampled states; -1: none
  std::int64_t flops = 0;   ///< operations of the layer's forward pass for all sequences
  std::vector<PassedMap> maps;
  bool operator==(const StackStage&) const = default;
};

/// Input and layers of a stack, in order; empty for a stack that the model does not have.
std::vector<StackStage> stackStages(const Program& program, Stack stack);

/// The positions of stage `to` that position `position` of stage `of` was made from (to < of) or
/// went into (to > of), in order.
std::vector<std::int64_t> relatives(const std::vector<StackStage>& stages, std::size_t of,
                                    std::int64_t position, std::size_t to);

}  // namespace tfm::observe
