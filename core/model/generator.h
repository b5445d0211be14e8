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

/// The tokens that a model generated after its prompt.
struct Answer {
  std::vector<std::int32_t> tokens;  ///< including the end token, if any
  std::vector<float> probabilities;  ///< of each token, given by the model
  bool ended = false;                ///< the end token came before the limit
  /// With SamplingOptions::keep_logits, the logits of each token and, unless the answer ended, of
  /// the one that would follow. Null: dropped, as only the latest are kept.
  std::vector<std::shared_ptr<const std::vector<float>>> logits = {};
};

/// Generates answers token by token with a decoder or encoder-decoder.
class Generator {
 public:
  /// `parameters` follow parameterLayout(config) and must outlive this object. The weight of masked
  /// components depends on `step`, the training steps done. Throws Error for a model that cannot
  /// generate tokens.
  Generator(const ModelConfig& config, std::span<const float> parameters,
            const Backend<float>& backend, std::int64_t step = 0);

  /// Called after each round with the answers so far; returns false to stop.
  using Progress = std::function<bool(const std::vector<Answer>&)>;

  /// One answer per prompt. An answer ends with one of `ends` or after
  /// options.max_tokens. Of prompts longer than the decoder's window only the end is read. The
  /// random numbers of an answer depend only on the seed and its index.
  std::vector<Answer> generate(std::span<const Prompt> prompts, const EndTokens& ends,
                               const SamplingOptions& options, const Progress& progress = {}) const;

 private:
  GenerativeModel model_;
};

}  // namespace tfm
