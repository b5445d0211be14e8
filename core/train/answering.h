// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/data/framing.h"
#include "core/model/sampling.h"
#include "core/observe/probe.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// One token of an answer as it is shown.
struct AnswerToken {
  std::string text;
  float probability = 0.0F;  ///< that the model gave it
  bool operator==(const AnswerToken&) const = default;
};

/// A question and what the model made of it.
struct AnsweredQuestion {
  std::string question;
  std::string answer;
  std::vector<AnswerToken> tokens;
};

/// Called with the answers so far; false stops.
using AnswerProgress = std::function<bool(const std::vector<AnsweredQuestion>&)>;

/// What the model answers to texts, in the way of its task: writes with a decoder, labels
/// positions, or names a class. Throws Error for a text that cannot be read.
std::vector<AnsweredQuestion> answer(const ModelState& state, const data::Task& task,
                                     data::Framing framing, std::span<const std::string> questions,
                                     const SamplingOptions& options, const Backend<float>& backend,
                                     const AnswerProgress& progress = {});

/// A text as a batch of one sequence, with the model's own answer as decoder input where it needs
/// one, and the printable names of both sides' positions: what a probe runs on.
struct ProbeInput {
  Batch batch;
  std::vector<std::string> source_labels;   ///< what the encoder reads
  std::vector<std::string> decoder_labels;  ///< what the decoder reads
  std::vector<std::string>
      written_labels;  ///< what each decoder position writes; empty without an encoder
  std::string question;
  std::string answer;
};
ProbeInput probeInput(const ModelState& state, const data::Task& task, data::Framing framing,
                      const std::string& question, const Backend<float>& backend);

}  // namespace tfm::train
