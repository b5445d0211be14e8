// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfm::train {

/// Measurements of one training step, before its update.
struct StepMetrics {
  std::int64_t step = 0;  ///< steps done, including this one
  double loss = 0.0;
  double accuracy = 0.0;           ///< share of sequences with all positions right
  double position_accuracy = 0.0;  ///< share of right positions, up to the pad that ends an answer
  double learning_rate = 0.0;
  double gradient_norm = 0.0;  ///< before clipping
  double seconds = 0.0;        ///< of training since the start
  bool operator==(const StepMetrics&) const = default;
};

/// The score of a nested submodel in an evaluation.
struct GranularityScore {
  double loss = 0.0;
  double accuracy = 0.0;  ///< see countedAnswers()
  bool operator==(const GranularityScore&) const = default;
};

/// Measurements on held-out examples, without dropout. Accuracies are as in StepMetrics; accuracy
/// is the share that greedy decoding answers exactly.
struct Evaluation {
  std::int64_t step = 0;
  std::int64_t examples = 0;
  double loss = 0.0;
  double accuracy = 0.0;
  double position_accuracy = 0.0;
  std::vector<GranularityScore> granularities;  ///< smallest first; empty without nesting
  bool operator==(const Evaluation&) const = default;
};

/// Changes to a model other than training steps.
enum class EventKind { Growth, LearningRate, Restored, Note };

/// A change after `step` steps; shown as a flag on the loss curve.
struct HistoryEvent {
  std::int64_t step = 0;
  EventKind kind = EventKind::Note;
  std::string text;
  bool operator==(const HistoryEvent&) const = default;
};

/// All measurements and events since the start of training.
struct History {
  std::vector<StepMetrics> steps;
  std::vector<Evaluation> evaluations;
  std::vector<HistoryEvent> events;  ///< by ascending step
  bool operator==(const History&) const = default;
};

}  // namespace tfm::train
