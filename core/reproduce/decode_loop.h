// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/train/trainer.h"

namespace tfm::reproduce {

/// How the annotated transformer's decode loop ended.
struct LoopEnd {
  std::int64_t passes = 0;
  std::int64_t width = 0;      ///< positions of the last pass
  std::int64_t positions = 0;  ///< of a text, computed in all passes together
  std::vector<std::string> answers = {};
};

/// The loop as it is written: the decoder reads a start and, at first one more start, then what it
/// answered in the pass before; each pass answers all positions anew and is one wider, until the
/// last column holds nothing but pads or the decoder's length is reached.
LoopEnd notebookLoop(const train::Trainer& trainer, const std::vector<std::string>& questions);

/// Operations of one of its passes over several texts.
struct PassCost {
  double all = 0;      ///< the notebook's: encoder and all positions
  double decoder = 0;  ///< all positions
  double newest = 0;   ///< what the newest position adds to them
};
PassCost passCost(const ModelConfig& config, std::int64_t texts, std::int64_t source_length,
                  std::int64_t width);

}  // namespace tfm::reproduce
