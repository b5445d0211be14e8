// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/buffer.h"
#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/model/submodel.h"
#include "core/program/executor.h"
#include "core/tensor/aligned_vector.h"

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
  /// `parameters` follow parameterLayout(config) and must outlive this object. The weight of masked
  /// components depends on `step`, the training steps done. Throws Error for a model that cannot
  /// generate tokens and for a submodel it does not have.
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
    AlignedVector<float> picked = {};  // where they are not all of the model's
    std::optional<DeviceCopy<float>> parameters = {};
  };

  Half encoder_, decoder_;
  RunPosition position_;
  const Backend<float>& backend_;
};

/// Runs the decoder over growing texts. It keeps the keys and values of what it read, so that only
/// what is new in a text is computed. Texts that are longer than the window, and models with
/// changes, are computed anew in each round.
class DecoderRun {
 public:
  /// Encodes the prompts' sources, once for all `texts_each` texts of a prompt. `longest`: tokens
  /// of the longest text that will be read; from the first longer one on, and with 0, nothing is
  /// kept. `model` must outlive this object.
  DecoderRun(const GenerativeModel& model, std::span<const Prompt> prompts, std::int64_t longest,
             std::int64_t texts_each = 1);

  /// Runs the decoder over `texts_each` texts of each prompt in turn, at most the last window()
  /// tokens of a text. What a text has in common with the one at its place in the last round is not
  /// computed again. `answers`: tokens at the end of a text that next() will be asked for.
  void read(std::span<const std::vector<std::int32_t>> texts, std::int64_t answers = 1);
  /// After read(): the number of positions computed of each text, including padding.
  std::int64_t length() const;
  /// After read(): the logits of the token that follows the last one of a text, or the one
  /// `before_last` < `answers` places before it.
  std::span<const float> next(std::size_t text, std::int64_t before_last = 0);

 private:
  using Texts = std::span<const std::vector<std::int32_t>>;

  void encode(std::span<const Prompt> prompts, std::int64_t texts_each);
  void readAll(Texts texts, std::int64_t longest);
  void readNew(Texts texts, std::int64_t answers);
  Executor<float>& executorFor(std::int64_t length, std::int64_t kept);
  void giveMemory(Executor<float>& executor);

  const GenerativeModel& model_;
  Batch batch_;                     // the encoder's states, then each round's tokens
  std::vector<std::int64_t> last_;  // row of each text's last token
  std::int64_t kept_ = 0;           // positions for which there is room; 0: none are kept
  Buffer<float> states_;            // their keys and values
  std::vector<std::vector<std::int32_t>> read_;  // tokens of these, text by text
  std::map<std::int64_t, std::unique_ptr<Executor<float>>> executors_;  // by positions in a run
  std::unique_ptr<Executor<float>> memory_;  // its keys and values are those of the memory
  Executor<float>* now_ = nullptr;           // of the last round
};

}  // namespace tfm
