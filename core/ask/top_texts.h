// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/task.h"
#include "core/model/model_state.h"
#include "core/observe/intervention.h"

namespace tfm::train {

struct TopTextsOptions {
  std::int64_t examples = 200;  ///< held-out ones that are read, or all if there are fewer
  std::int64_t most = 10;       ///< texts to keep
};

/// A text and how strongly it excites a part of the model.
struct TopText {
  std::string text;  ///< as a user would type it
  /// That the part's stack reads, one for each value; none where pooling has joined positions.
  std::vector<std::string> tokens;
  std::vector<double> values;  ///< at each position
  std::int64_t position = 0;   ///< of the largest value

  double most() const { return values[std::size_t(position)]; }
};

struct TopTexts {
  std::int64_t examples = 0;   ///< that were read
  double mean = 0.0;           ///< over all positions of all examples
  std::vector<TopText> texts;  ///< by decreasing largest value
};

/// Called after each text with the share of the work done; returns false to cancel.
using TopTextsProgress = std::function<bool(double share)>;

/// Whether a target is a head or a neuron of the model, see topTexts().
bool hasTopTexts(const ModelConfig& config, const std::string& target);

/// The held-out texts that excite a head or a neuron most. A neuron's value is its hidden
/// activation; a head's is the length of the values that it mixes, sqrt(sum_j mixed[position, j]^2)
/// over its own columns j. A decoder reads the right answers, the encoder the questions. Equal
/// texts count once. `target`: "encoder.layers.0.feed_forward.neuron.3" or
/// "decoder.layers.0.cross_attention.head.2". Returns nullopt if cancelled. Throws Error for
/// another target, naming a few that there are, and for a task without held-out examples.
std::optional<TopTexts> topTexts(const std::shared_ptr<const data::Task>& task,
                                 const std::shared_ptr<const ModelState>& state,
                                 const std::string& target, const TopTextsOptions& options = {},
                                 const TopTextsProgress& progress = {});

}  // namespace tfm::train
