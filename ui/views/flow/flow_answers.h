// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/observe/intervention.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// The probabilities of all answers at all positions, row by row.
struct FlowAnswers {
  std::int64_t rows = 0, cols = 0;
  std::vector<double> shares;
  bool operator==(const FlowAnswers&) const = default;

  double at(std::int64_t row, std::int64_t col) const {
    return shares[std::size_t(row * cols + col)];
  }
  /// The most probable answer of a position.
  std::int64_t best(std::int64_t row) const;
  /// The answers of a position by decreasing probability.
  std::vector<std::int64_t> ranked(std::int64_t row) const;
};

/// What a run answers: the softmax of its output. Empty for a model whose output is not one of
/// tokens or classes.
FlowAnswers answersOf(FlowRun& run);
/// answersOf().best(), without the probabilities.
std::int64_t bestAnswer(FlowRun& run, std::int64_t row);
/// What the model of a run would answer with one more change in force. The input stays as it is,
/// with the answer that the decoder reads. Throws Error.
FlowAnswers answersIf(const FlowSource& source, const observe::Intervention& what);
/// The position whose probabilities differ most, as half the sum of the differences.
std::int64_t mostChanged(const FlowAnswers& before, const FlowAnswers& after);

}  // namespace tfm::ui
