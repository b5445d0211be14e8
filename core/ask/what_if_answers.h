// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "core/ask/answering.h"
#include "core/ask/what_if.h"
#include "core/data/task.h"

namespace tfm::train {

/// A model's answer to a question.
struct WhatIfSide {
  AnsweredQuestion answer;
  double loss = NAN;      ///< of the question; NaN: the model has none
  double accuracy = NAN;  ///< on held-out examples; NaN: not measured
};

/// A question answered without and with interventions. Both losses are of the same answer: the
/// right one if the task knows it, otherwise that of the model without interventions.
struct WhatIfAnswers {
  std::string question;
  WhatIfSide without, with;
  ReadAnswer read = ReadAnswer::Own;
  std::int64_t examples = 0;  ///< that the accuracies are of
};

/// Answers greedily, with at most `most_tokens`. `task`: measured on at most `examples` held-out
/// examples; null or 0: not. Throws Error as withInterventions() and answer() do.
WhatIfAnswers whatIfAnswers(const std::shared_ptr<const ModelState>& state,
                            const data::TextCodec& codec,
                            const std::shared_ptr<const data::Task>& task,
                            const std::string& question,
                            std::span<const observe::Intervention> interventions,
                            std::int64_t most_tokens, std::int64_t examples,
                            const Backend<float>& backend);

}  // namespace tfm::train
