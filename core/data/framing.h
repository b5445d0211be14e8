// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/task.h"
#include "core/model/batch.h"

namespace tfm::data {

/// How an architecture reads questions and answers.
enum class Framing {
  Seq2Seq,      ///< encoder-decoder: question into the encoder, answer out of the decoder
  TokenLabels,  ///< encoder: one answer token for each token of the question
  NextToken,    ///< decoder: question, start, answer as one sequence; or a window of text
  Classes,      ///< encoder: one class for the whole question
  States,       ///< encoder: its hidden states, no answer
  Numbers,      ///< encoder or attention: its states or output, compared with numbers
};

/// The framings possible for a form of task, the default first.
std::span<const Framing> framingsOf(TaskForm form);

/// The sizes a model needs for a framing.
struct FramedSizes {
  std::int64_t source_length = 0;      ///< encoder positions, 0 without an encoder
  std::int64_t target_length = 0;      ///< decoder positions, 0 without a decoder
  std::int64_t source_vocabulary = 0;  ///< tokens read by the encoder
  std::int64_t target_vocabulary = 0;  ///< tokens read by the decoder
  std::int64_t outputs = 0;            ///< different answers at a position
  std::int64_t source_features = 0;  ///< width of the features the encoder reads instead of tokens
  bool operator==(const FramedSizes&) const = default;
};
FramedSizes sizesOf(const TextCodec& codec, Framing framing);

/// The vocabularies of the model's input (of the encoder, else of the decoder) and output.
const Vocabulary& inputVocabulary(const TextCodec& codec, Framing framing);
const Vocabulary& outputVocabulary(const TextCodec& codec, Framing framing);
/// The tokens of the output that end an answer: its pad, and those of the tokenizer.
Ids endTokens(const TextCodec& codec, Framing framing);

/// A batch of the examples, padded to the lengths of sizesOf(). Training and evaluation have
/// shorter ones, see batchOf(). The source has pad flags; the
/// decoder needs none, since its causal mask hides the pads at the end. Decoder input: start, then
/// the answer without its last position; labels: the answer, then pads. NextToken counts only
/// positions from the start token on; TaskForm::Masked counts only hidden tokens. label_weights
/// follow lossPositions() and sum to 1 over the batch, so that the losses of its chunks
/// add up. Of a text, tokens count if the next one is known. An example without a target (a
/// question to answer) has weight 0. A source_length > 0 replaces that of sizesOf() (not for
/// NextToken): masked pads affect only the speed. If the task has a frozen encoder, the source is
/// its output (useFeatures()). Numbers: label_features are those of TextCodec::rightNumbers(),
/// without weights. Throws Error if the codec cannot have this framing; examples must fit the
/// lengths.
Batch frame(const TextCodec& codec, Framing framing, std::span<const Example> examples,
            std::int64_t source_length = 0);

/// What a decoder reads before the first answer token, as ids of inputVocabulary() (NextToken) or
/// outputVocabulary() (Seq2Seq: the start token alone).
Ids decoderPrompt(const TextCodec& codec, Framing framing, std::span<const std::int32_t> source);

}  // namespace tfm::data
