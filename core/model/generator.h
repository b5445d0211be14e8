// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/model/decoder_run.h"
#include "core/model/sampling.h"

namespace tfm {

/// What a decoder wrote after its prompt.
struct Answer {
  std::vector<std::int32_t> tokens;  ///< with the end token where there is one
  std::vector<float> probabilities;  ///< that the model gave each
  bool ended = false;                ///< the end token came before the limit
  /// Where they are to be kept, the logits that each token was chosen by and, unless the answer
  /// ended, those of what would follow. Null: too many came after it to keep them all.
  std::vector<std::shared_ptr<const std::vector<float>>> logits = {};
};

/// Writes answers token by token with a decoder-only or encoder-decoder model.
class Generator {
 public:
  /// `parameters` follow parameterLayout(config) and are copied. `step`: training steps done, on
  /// which the weight of masked components depends. Throws Error for a model without a decoder that
  /// writes tokens.
  Generator(const ModelConfig& config, std::span<const float> parameters,
            const Backend<float>& backend, std::int64_t step = 0);

  /// Called after each round with the answers so far; false stops.
  using Progress = std::function<bool(const std::vector<Answer>&)>;

  /// One answer a prompt. An answer ends with `end_token` (-1: never) or after options.most_tokens.
  /// Prompts longer than the decoder's positions are read from their end. Answer i draws its
  /// numbers from random stream i, each by its place in the answer.
  std::vector<Answer> generate(std::span<const Prompt> prompts, std::int32_t end_token,
                               const SamplingOptions& options, const Progress& progress = {}) const;

 private:
  WritingModel model_;
};

}  // namespace tfm
