// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/task.h"

namespace tfm::data {

/// How many questions have first ... last tokens.
struct LengthBin {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t count = 0;
  bool operator==(const LengthBin&) const = default;
};

/// What one side of a task's examples is like.
struct SideStatistics {
  std::int64_t examples = 0;          ///< that were looked at
  std::vector<std::int64_t> classes;  ///< examples of each class; empty where answers are sequences
  std::int64_t tokens = 0;            ///< of all questions, after cutting
  std::int64_t unknown = 0;           ///< of these, outside the vocabulary
  std::int64_t cut = 0;               ///< questions that were cut
  std::int64_t shortest = 0;          ///< in tokens
  std::int64_t longest = 0;
  std::vector<LengthBin> lengths;  ///< bins of equal width from 1 to the task's longest question
};

/// What there is to know of a task before its training.
struct TaskStatistics {
  SideStatistics training;
  SideStatistics evaluation;
  std::int64_t left_out = 0;    ///< examples of the file that are not used
  std::vector<Sample> samples;  ///< of the training side; of classes as many of each
};

/// All stored examples of both sides, or the first `most` of a side whose examples are made as
/// needed; up to `samples` samples of each class (of all where answers are sequences).
TaskStatistics statisticsOf(const Task& task, std::int64_t most = 10'000, std::int64_t samples = 3);

/// Throws Error where a task of classes has stored examples to learn from, and all are of one
/// class: whatever a model learnt from them, it would say that class.
void requireTwoClasses(const Task& task);

}  // namespace tfm::data
