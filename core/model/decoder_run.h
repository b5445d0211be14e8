// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/buffer.h"
#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/model/submodel.h"
#include "core/program/executor.h"

namespace tfm {

struct Prompt {
  std::vector<std::int32_t> source;  ///< tokens for the encoder, or that a decoder alone attends to
  std::vector<std::int32_t> target;  ///< first tokens of the decoder, at least one
  /// Tokens of the answer generated so far; generation continues as if uninterrupted.
  std::vector<std::int32_t> written = {};
  std::int32_t pad = 0;  ///< token behind shorter sources, which an encoder that pools mixes in
};

/// A model or submodel that generates tokens. The encoder runs once per prompt, the decoder once
/// per token.
class GenerativeModel {
 public:
  /// `parameters` follow parameterLayout(config) and are copied. The weight of masked components
  /// depends on `step`, the training steps done. Throws Error for a model that cannot generate
  /// tokens and for a submodel it does not have.
  GenerativeModel(const ModelConfig& config, std::span<const float> parameters,
                  const Backend<float>& backend, std::int64_t step = 0,
                  const Submodel& submodel = {});

  /// The maximum number of tokens that the decoder reads.
  std::int64_t window() const { return decoder_.config.target_length; }

 private:
  friend class DecoderRun;
  struct Half {
    ModelConfig config;
    Submodel submodel;
    Buffer<float> parameters;  // empty: there is none
  };

  Half encoder_, decoder_;
  RunPosition position_;
  const Backend<float>& backend_;
};

/// Runs the decoder over growing texts, recomputing all positions in each round.
class DecoderRun {
 public:
  /// Encodes the prompts' sources, once for all `texts_each` texts of a prompt. `model` must
  /// outlive this object.
  DecoderRun(const GenerativeModel& model, std::span<const Prompt> prompts,
             std::int64_t texts_each = 1);

  /// Runs the decoder over `texts_each` texts of each prompt in turn, at most the last window()
  /// tokens of a text.
  void read(std::span<const std::vector<std::int32_t>> texts);
  /// After read(): the number of positions computed, including padding.
  std::int64_t length() const;
  /// After read(): the logits of the token that follows the last one of a text, or the one
  /// `before_last` places before it.
  std::span<const float> next(std::size_t text, std::int64_t before_last = 0);

 private:
  void encode(std::span<const Prompt> prompts, std::int64_t texts_each);

  const GenerativeModel& model_;
  Batch batch_;                     // the encoder's states, then each round's tokens
  std::vector<std::int64_t> last_;  // row of each text's last token
  std::unique_ptr<Executor<float>> executor_;
};

}  // namespace tfm
