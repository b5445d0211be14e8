// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/task.h"
#include "core/train/gradient_engine.h"
#include "core/train/metrics.h"

namespace tfm::train {

/// Whether accuracy is counted per position: true for texts (no single right continuation), hidden
/// tokens (each is a question) and numbers.
inline bool countsPositions(data::TaskForm form) {
  return form == data::TaskForm::Text || form == data::TaskForm::Masked ||
         form == data::TaskForm::Numbers;
}

/// What a share of right answers is called in tables, logs and JSON: "accuracy" counts whole
/// answers, "position_accuracy" positions.
inline const char* accuracyName(bool by_position) {
  return by_position ? "position_accuracy" : "accuracy";
}
/// The one that is counted for tasks of this form; see countsPositions().
inline const char* accuracyName(data::TaskForm form) { return accuracyName(countsPositions(form)); }

/// The answers that an accuracy counts: positions (see countsPositions()) or whole answers.
struct CountedAnswers {
  std::int64_t right = 0;
  std::int64_t all = 0;
  bool by_position = false;

  const char* accuracyName() const { return train::accuracyName(by_position); }
  double accuracy() const { return all == 0 ? 0.0 : double(right) / double(all); }
};

inline CountedAnswers countedAnswers(data::TaskForm form, const AnswerCounts& counts) {
  if (countsPositions(form)) return {counts.right_positions, counts.positions, true};
  return {counts.right_sequences, counts.sequences};
}

/// The same accuracy of a StepMetrics or Evaluation.
template <class Measured>
double countedAccuracy(data::TaskForm form, const Measured& measured) {
  return countsPositions(form) ? measured.position_accuracy : measured.accuracy;
}

/// The number of answers in one held-out example; `positions`: of a text.
inline std::int64_t answersOfExample(data::TaskForm form, std::int64_t positions) {
  return form == data::TaskForm::Text ? positions : 1;
}

}  // namespace tfm::train
