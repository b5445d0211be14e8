// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/data/bleu.h"
#include "core/data/task.h"
#include "core/model/beam_search.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// How well a model translates the held-out questions of a task.
struct TranslationScore {
  data::Bleu bleu;
  std::vector<std::string> questions;           ///< each once
  std::vector<data::Translation> translations;  ///< the best answer to each, and all right answers
  std::int64_t asked = 0;  ///< questions to translate; more than `questions` if stopped
  double seconds = 0.0;    ///< of decoding
};

/// Called with the numbers of questions translated and in total; returns false to stop.
using TranslationProgress = std::function<bool(std::int64_t done, std::int64_t all)>;

/// Translates the first `most` different held-out questions of a task (0: all) by beam search and
/// compares with all their answers. options.max_tokens is that of the task. If stopped, the score
/// is of the questions translated so far, the shortest. Throws Error for a task without held-out
/// pairs of texts or a model that does not write.
TranslationScore scoreTranslations(const ModelState& state, const data::Task& task,
                                   BeamOptions options, std::int64_t most,
                                   const Backend<float>& backend,
                                   const TranslationProgress& progress = {});

}  // namespace tfm::train
