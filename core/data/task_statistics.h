// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/task.h"

namespace tfm::data {

/// The number of questions with `first` to `last` tokens.
struct LengthBin {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t count = 0;
  bool operator==(const LengthBin&) const = default;
};

/// Statistics of one side of a task's examples.
struct SideStatistics {
  std::int64_t examples = 0;          ///< examined
  std::vector<std::int64_t> classes;  ///< examples of each class; empty for sequences
  std::int64_t tokens = 0;            ///< of all questions, after truncation
  std::int64_t unknown = 0;           ///< of these tokens, outside the vocabulary
  std::int64_t cut = 0;               ///< truncated questions
  std::int64_t shortest = 0;          ///< in tokens
  std::int64_t longest = 0;
  std::vector<LengthBin> lengths;  ///< bins of equal width from 1 to the task's longest question
};

/// Statistics of a task before training.
struct TaskStatistics {
  SideStatistics training;
  SideStatistics evaluation;
  std::int64_t left_out = 0;    ///< skipped examples of the file
  std::vector<Sample> samples;  ///< of the training side, equally many of each class
};

/// Statistics of all stored examples, or of the first `max_count` generated ones of each side, with
/// up to `samples` samples (of each class, if there are classes).
TaskStatistics statisticsOf(const Task& task, std::int64_t max_count = 10'000,
                            std::int64_t samples = 3);

/// Throws Error if all stored training examples of a classification task have the same class, so
/// that there is nothing to learn.
void requireTwoClasses(const Task& task);

}  // namespace tfm::data
