// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_answers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ask/what_if.h"
#include "core/backend/registry.h"
#include "core/model/build_program.h"
#include "core/tensor/softmax.h"

namespace tfm::ui {
namespace {

FlowAnswers softmaxOf(const MatrixView<const float>& logits) {
  return {logits.rows, logits.cols, softmax(logits)};
}

}  // namespace

std::int64_t FlowAnswers::best(std::int64_t row) const {
  const auto first = shares.begin() + row * cols;
  return std::max_element(first, first + cols) - first;
}

std::vector<std::int64_t> FlowAnswers::ranked(std::int64_t row) const {
  std::vector<std::int64_t> columns(static_cast<std::size_t>(cols));
  std::iota(columns.begin(), columns.end(), std::int64_t(0));
  std::ranges::stable_sort(columns,
                           [&](std::int64_t a, std::int64_t b) { return at(row, a) > at(row, b); });
  return columns;
}

FlowAnswers answersOf(FlowRun& run) {
  const TensorId output = run.program().find(names::kOutput);
  if (output == kNoTensor || run.columnLabels(output).empty()) return {};
  return softmaxOf(run.explained().values(output));
}

std::int64_t bestAnswer(FlowRun& run, std::int64_t row) {
  const MatrixView<const float> logits = run.explained().values(run.program().find(names::kOutput));
  const float* first = logits.row(row);
  return std::max_element(first, first + logits.cols) - first;
}

FlowAnswers answersIf(const FlowSource& source, const observe::Intervention& what) {
  const ModelState changed = train::withInterventions(*source.state, *source.codec,
                                                      std::span(&what, 1), *makeBackend<float>());
  train::ExplainedRun<float> run(changed, source.input);
  return softmaxOf(run.values(run.program().find(names::kOutput)));
}

std::int64_t mostChanged(const FlowAnswers& before, const FlowAnswers& after) {
  std::int64_t best = 0;
  double most = -1.0;
  for (std::int64_t row = 0; row < std::min(before.rows, after.rows); ++row) {
    double distance = 0.0;
    for (std::int64_t col = 0; col < std::min(before.cols, after.cols); ++col)
      distance += std::abs(after.at(row, col) - before.at(row, col)) / 2;
    if (distance > most) best = row;
    most = std::max(most, distance);
  }
  return best;
}

}  // namespace tfm::ui
