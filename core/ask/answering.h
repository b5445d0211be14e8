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
#include "core/model/beam_search.h"
#include "core/model/model_state.h"
#include "core/model/sampling.h"
#include "core/observe/probe.h"

namespace tfm::train {

/// One token of an answer, for display.
struct AnswerToken {
  std::string text;
  float probability = 0.0F;  ///< given by the model
  std::int32_t id = 0;       ///< in outputVocabulary()
  bool operator==(const AnswerToken&) const = default;
};

/// A question and the model's answer.
struct AnsweredQuestion {
  std::string question;
  std::string answer;
  std::vector<AnswerToken> tokens;
  std::int64_t step = 0;  ///< of the weights that answered
  /// With SamplingOptions::keep_logits, the logits of each token and possibly of the next; see
  /// Answer::logits.
  std::vector<std::shared_ptr<const std::vector<float>>> logits = {};
};

/// Called after each token with the answers so far; returns false to stop.
using AnswerProgress = std::function<bool(const std::vector<AnsweredQuestion>&)>;

/// What the model answers to texts, as its framing has it: writes with a decoder, labels positions,
/// fills in what is hidden (a token for each, in order), names a class, or nothing
/// (Framing::States). `written`: what a decoder has written of each
/// answer already; only what follows is returned. Throws Error for a text that cannot be read.
std::vector<AnsweredQuestion> answer(const ModelState& state, const data::TextCodec& codec,
                                     data::Framing framing, std::span<const std::string> questions,
                                     const SamplingOptions& options, const Backend<float>& backend,
                                     const AnswerProgress& progress = {},
                                     const data::Ids& written = {});

/// One of the best answers to a question; see Beam.
struct BeamAnswer {
  std::string answer;
  std::vector<AnswerToken> tokens;
  double log_probability = 0.0;
  double score = 0.0;
  bool ended = false;
};

/// The best answers to each text by beam search; if stopped, what there is. Throws Error for a
/// model that cannot generate tokens and a text that cannot be read.
std::vector<std::vector<BeamAnswer>> answerWithBeams(
    const ModelState& state, const data::TextCodec& codec, data::Framing framing,
    std::span<const std::string> questions, const BeamOptions& options,
    const Backend<float>& backend, const BeamProgress& progress = {});

struct DraftOptions {
  std::int64_t draft_tokens = 4;  ///< proposed at once
  std::int64_t max_tokens = 64;
};

/// An answer by speculative decoding, compared with the whole model alone. Both recompute all
/// positions in each pass; times are the best of three runs.
struct DraftedQuestion {
  AnsweredQuestion answered;
  matformer::DraftedAnswer drafted;
  double seconds = 0.0;
  std::int64_t plain_passes = 0;  ///< of the whole model alone, one per token
  double plain_seconds = 0.0;
  bool same = false;  ///< whether both generated the same tokens
};

/// Greedy decoding. Throws Error for a model that cannot generate tokens, a text that cannot be
/// encoded, and a draft that is not a submodel.
DraftedQuestion answerWithDraft(const ModelState& state, const data::TextCodec& codec,
                                data::Framing framing, const std::string& question,
                                const Submodel& draft, const DraftOptions& options,
                                const Backend<float>& backend);

/// The answer that a decoder reads while it is observed.
enum class ReadAnswer {
  Own,    ///< what the model writes by itself
  Right,  ///< the task's (teacher forcing); its own where the right one is not known
  Given,  ///< one that the user gives (teacher forcing)
};

/// The name of a pad, as Vocabulary::label() has it.
inline constexpr const char* kPadLabel = "·";

/// The tokens of an answer that a user gives, without a pad. Throws Error for a model that reads no
/// answers, for what its vocabulary lacks and for an answer that is too long.
data::Ids givenAnswer(const ModelState& state, const data::TextCodec& codec, data::Framing framing,
                      const std::string& answer);

/// The input of a probe: a text as a batch of one sequence, with an answer as decoder input if the
/// model needs one, and names of all positions. Where an encoder pools, the text has the length of
/// a training batch that holds it alone (data::sourceLength()); elsewhere pads would change no
/// number, and there are none. What a loss compares is in StepTexts.
struct ProbeInput {
  Batch batch;
  std::vector<std::string> source_labels;   ///< input of the encoder
  std::vector<std::string> decoder_labels;  ///< input of the decoder
  std::vector<std::string>
      written_labels;  ///< output of each decoder position; empty without an encoder
  std::string question;
  std::string answer;                 ///< that the decoder reads, or the model's without a decoder
  ReadAnswer read = ReadAnswer::Own;  ///< which answer the decoder reads
  /// Pads at the end of what the encoder and the decoder read.
  std::int64_t source_pads = 0, decoder_pads = 0;
};

/// The labels of an attention's queries and keys: of what the encoder or the decoder read there,
/// or wrote. "(the, film)" where a position holds several; empty where a position has none.
std::vector<std::string> queryLabels(const ProbeInput& probe, const observe::AttentionSite& site);
std::vector<std::string> keyLabels(const ProbeInput& probe, const observe::AttentionSite& site);

/// `own`: the model's greedy answer if known; an incomplete one is ignored. `given`: of
/// ReadAnswer::Given. Throws Error for a text or an answer that cannot be read.
ProbeInput probeInput(const ModelState& state, const data::TextCodec& codec, data::Framing framing,
                      const std::string& question, const Backend<float>& backend,
                      ReadAnswer read = ReadAnswer::Own, const AnsweredQuestion* own = nullptr,
                      const std::string& given = {});

}  // namespace tfm::train
