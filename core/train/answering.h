// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/data/framing.h"
#include "core/matformer/speculative.h"
#include "core/model/model_state.h"
#include "core/model/sampling.h"
#include "core/observe/probe.h"

namespace tfm::train {

/// One token of an answer as it is shown.
struct AnswerToken {
  std::string text;
  float probability = 0.0F;  ///< that the model gave it
  std::int32_t id = 0;       ///< in outputVocabulary()
  bool operator==(const AnswerToken&) const = default;
};

/// A question and what the model made of it.
struct AnsweredQuestion {
  std::string question;
  std::string answer;
  std::vector<AnswerToken> tokens;
  std::int64_t step = 0;  ///< of the weights that answered
  /// Where they are to be kept, the logits behind each token, and maybe of what would follow; see
  /// Answer::logits.
  std::vector<std::shared_ptr<const std::vector<float>>> logits = {};
};

/// Called after each token with the answers so far; false stops.
using AnswerProgress = std::function<bool(const std::vector<AnsweredQuestion>&)>;

/// What the model answers to texts, as its framing has it: writes with a decoder, labels positions,
/// names a class, or nothing (Framing::States). `written`: what a decoder has written of each
/// answer already; only what follows is returned. Throws Error for a text that cannot be read.
std::vector<AnsweredQuestion> answer(const ModelState& state, const data::TextCodec& codec,
                                     data::Framing framing, std::span<const std::string> questions,
                                     const SamplingOptions& options, const Backend<float>& backend,
                                     const AnswerProgress& progress = {},
                                     const data::Ids& written = {});

struct DraftOptions {
  std::int64_t draft_tokens = 4;  ///< proposed at once
  std::int64_t most_tokens = 64;
};

/// An answer that a submodel drafted and the whole model checked, beside the whole model alone.
/// Both run all positions anew for each pass; the times are the best of three runs.
struct DraftedQuestion {
  AnsweredQuestion answered;
  matformer::DraftedAnswer drafted;
  double seconds = 0.0;
  std::int64_t plain_passes = 0;  ///< of the whole model alone: one for each token
  double plain_seconds = 0.0;
  bool same = false;  ///< both wrote the same tokens
};

/// Greedy. Throws Error for a model that does not write tokens, for a text that cannot be read, and
/// for a draft that is no submodel.
DraftedQuestion answerWithDraft(const ModelState& state, const data::TextCodec& codec,
                                data::Framing framing, const std::string& question,
                                const Submodel& draft, const DraftOptions& options,
                                const Backend<float>& backend);

/// Which answer a decoder reads while its inside is looked at.
enum class ReadAnswer {
  Own,    ///< what the model writes by itself
  Right,  ///< the task's (teacher forcing); its own where the right one is not known
};

/// A text as a batch of one sequence, with an answer as decoder input where the model needs one,
/// and the printable names of both sides' positions: what a probe runs on.
struct ProbeInput {
  Batch batch;
  std::vector<std::string> source_labels;   ///< what the encoder reads
  std::vector<std::string> decoder_labels;  ///< what the decoder reads
  std::vector<std::string>
      written_labels;  ///< what each decoder position writes; empty without an encoder
  std::string question;
  std::string answer;                 ///< that the decoder reads, else what the model says
  ReadAnswer read = ReadAnswer::Own;  ///< whose answer that is
};
/// `own`: the model's greedy answer, where somebody has it already; one that may go on is not used.
ProbeInput probeInput(const ModelState& state, const data::TextCodec& codec, data::Framing framing,
                      const std::string& question, const Backend<float>& backend,
                      ReadAnswer read = ReadAnswer::Own, const AnsweredQuestion* own = nullptr);

}  // namespace tfm::train
