// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ask/answering.h"
#include "core/expand/verify.h"

namespace tfm::train {

/// A grown model beside the one it was grown from, on held-out examples of their task; without a
/// task, on random questions, whose right answers are unknown.
struct GrowthProof {
  expand::Verdict verdict;
  std::int64_t examples = 0;  ///< of the verdict, with teacher forcing if known
  bool held_out = true;       ///< of a task; else random, and the losses mean nothing
  /// Positions of those examples up to the end of the answer (if unknown, all), and where the most
  /// likely token is the same.
  std::int64_t positions = 0, same_positions = 0;
  std::vector<std::string> outputs;  ///< labels of a position's logits

  /// Both models' answers to the first questions, decoded greedily.
  std::vector<AnsweredQuestion> answers_before, answers_after;
  std::int64_t max_tokens = 0;  ///< of an answer; longer ones are truncated
  double seconds = 0.0;         ///< total time

  bool sameAnswer(std::size_t i) const {
    return answers_before[i].answer == answers_after[i].answer;
  }
  std::int64_t sameAnswers() const;
};

/// Compares both models on the first held-out examples; `task` may be null. How many of them, how
/// many questions are decoded (at most 16) and how far depends only on the cost of the grown model:
/// the slower it is, the fewer. `grown` was made from `before`. Throws expand::Cancelled where
/// `progress` ends it, which is asked between the runs of the models.
GrowthProof proveGrowth(const ModelState& before, const expand::Grown& grown,
                        const data::TextCodec& codec, const data::Task* task, data::Framing framing,
                        std::int64_t max_examples, const expand::Progress& progress = {});

/// Throws Error if there is not enough memory to grow a model and prove it, without allocating any;
/// `changes` are those of the plan or their outlines.
void requireMemoryToProve(std::span<const expand::Change> changes, const data::Task* task,
                          std::int64_t max_examples);

}  // namespace tfm::train
