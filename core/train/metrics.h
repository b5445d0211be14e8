// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfm::train {

/// What one training step measured, before its update.
struct StepMetrics {
  std::int64_t step = 0;  ///< steps done, this one included
  double loss = 0.0;
  double accuracy = 0.0;           ///< share of sequences that are right in all positions
  double position_accuracy = 0.0;  ///< share of positions, up to the pad that ends an answer
  double learning_rate = 0.0;
  double gradient_norm = 0.0;  ///< before clipping
  double seconds = 0.0;        ///< of training, since the model was new
  bool operator==(const StepMetrics&) const = default;
};

/// What a nested submodel measured on the held-out examples of an evaluation.
struct GranularityScore {
  double loss = 0.0;
  double accuracy = 0.0;  ///< of what countedAnswers() counts
  bool operator==(const GranularityScore&) const = default;
};

/// What held-out examples measured, without dropout. An accuracy counts as in StepMetrics; since
/// all positions of a right sequence are right with the right past, it is the share that a greedy
/// decoder answers exactly.
struct Evaluation {
  std::int64_t step = 0;
  std::int64_t examples = 0;
  double loss = 0.0;
  double accuracy = 0.0;
  double position_accuracy = 0.0;
  std::vector<GranularityScore> granularities;  ///< smallest first; empty where nothing is nested
  bool operator==(const Evaluation&) const = default;
};

/// What was done to a model besides training it.
enum class EventKind { Growth, LearningRate, Restored, Note };

/// Something that was done when `step` steps were done: a flag on the loss curve.
struct HistoryEvent {
  std::int64_t step = 0;
  EventKind kind = EventKind::Note;
  std::string text;
  bool operator==(const HistoryEvent&) const = default;
};

/// Everything measured and done since the model was new.
struct History {
  std::vector<StepMetrics> steps;
  std::vector<Evaluation> evaluations;
  std::vector<HistoryEvent> events;  ///< in the order of their steps
  bool operator==(const History&) const = default;
};

}  // namespace tfm::train
