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

/// What an answer starts from.
struct Prompt {
  std::vector<std::int32_t> source;  ///< tokens for the encoder; empty without one
  std::vector<std::int32_t> target;  ///< first tokens of the decoder, at least one
  /// Tokens of the answer that are written already: it goes on as if it had not been interrupted.
  std::vector<std::int32_t> written = {};
};

/// A model that writes tokens, or a part of it, with encoder and decoder apart: the one runs once
/// for a prompt, the other for every token.
class WritingModel {
 public:
  /// `parameters` follow parameterLayout(config) and are copied. `step`: training steps done, on
  /// which the weight of masked components depends. Throws Error for a model without a decoder that
  /// writes tokens, and for a submodel that it has not.
  WritingModel(const ModelConfig& config, std::span<const float> parameters,
               const Backend<float>& backend, std::int64_t step = 0, const Submodel& submodel = {});

  /// The most tokens that the decoder reads at once.
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

/// One round after another of a model over the texts that it writes, all positions anew each time.
class DecoderRun {
 public:
  /// Reads the prompts' sources. `model` must outlive it.
  DecoderRun(const WritingModel& model, std::span<const Prompt> prompts);

  /// Reads a text for each prompt, at most the last window() tokens of it.
  void read(std::span<const std::vector<std::int32_t>> texts);
  /// After read(): the positions that were computed, those that fill a text up included.
  std::int64_t length() const;
  /// After read(): the logits of what follows the token that stands `before_last` places before the
  /// last one of a text.
  std::span<const float> next(std::size_t text, std::int64_t before_last = 0);

 private:
  void encode(std::span<const Prompt> prompts);

  const WritingModel& model_;
  Batch batch_;                     // the encoder's states, then each round's tokens
  std::vector<std::int64_t> last_;  // row of each text's last token
  std::unique_ptr<Executor<float>> executor_;
};

}  // namespace tfm
