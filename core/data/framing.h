// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/task.h"
#include "core/model/batch.h"

namespace tfm::data {

/// How an architecture reads a task's examples.
enum class Framing {
  Seq2Seq,      ///< encoder-decoder: question into the encoder, answer out of the decoder
  TokenLabels,  ///< encoder: one answer token for each token of the question
  NextToken,    ///< decoder: question, start, answer as one sequence; or a window of text
  Classes,      ///< encoder: one class for the whole question
};

/// The framings that a form of task can have, the usual one first.
std::span<const Framing> framingsOf(TaskForm form);

/// What a model for a framed task must have.
struct FramedSizes {
  std::int64_t source_length = 0;      ///< encoder positions, 0 without an encoder
  std::int64_t target_length = 0;      ///< decoder positions, 0 without a decoder
  std::int64_t source_vocabulary = 0;  ///< tokens that the encoder reads
  std::int64_t target_vocabulary = 0;  ///< tokens that the decoder reads
  std::int64_t outputs = 0;            ///< different answers at a position
  std::int64_t source_features = 0;    ///< width of what the encoder reads in place of tokens
  bool operator==(const FramedSizes&) const = default;
};
FramedSizes sizesOf(const Task& task, Framing framing);

/// The names of what goes into the encoder (without one: the decoder) and of what comes out.
const Vocabulary& inputVocabulary(const Task& task, Framing framing);
const Vocabulary& outputVocabulary(const Task& task, Framing framing);

/// The examples as a batch of sizesOf() lengths. The source has pad flags; the decoder has none, as
/// its causal mask already hides the pads at the end. Decoder input: start, then the answer without
/// its last position; labels: the answer, then pads. NextToken counts only positions from the start
/// token on. label_weights follow the task's LossPositions and sum to 1 over the batch, so that it
/// can be cut into chunks whose losses add up. An example without a target (a question to be
/// answered) weighs nothing. Throws Error for a framing that the task cannot have; examples must
/// fit the lengths. A source_length > 0 comes in place of that of sizesOf(): pads that are masked
/// change nothing but the time it takes. Not for NextToken. Where the task has a frozen encoder,
/// the source is what it makes of the tokens (useFeatures()).
Batch frame(const Task& task, Framing framing, std::span<const Example> examples,
            std::int64_t source_length = 0);

/// What a decoder reads before the first answer token, as ids of inputVocabulary() (NextToken) or
/// outputVocabulary() (Seq2Seq, where it is the start token alone).
Ids decoderPrompt(const Task& task, Framing framing, std::span<const std::int32_t> source);

}  // namespace tfm::data
