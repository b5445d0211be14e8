// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/what_if.h"

#include <algorithm>
#include <memory>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/observe/tensor_shape.h"
#include "core/train/answering.h"
#include "core/train/column_means.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

using observe::ChangedPart;
using observe::Intervention;
using Kind = Intervention::Kind;

Error refused(const Intervention& intervention, const std::string& problem,
              const std::string& hint) {
  return {"'" + observe::textOf(intervention) + "' " + problem, "intervention", hint};
}

TensorChange changeOf(const ChangedPart& part, double factor, std::vector<double> added) {
  return {.tensor = part.tensor,
          .head = part.head,
          .row = part.row,
          .col = part.col,
          .cols = part.cols,
          .factor = factor,
          .added = std::move(added)};
}

void editWeights(ModelState& state, const ChangedPart& part, const Intervention& by) {
  if (by.kind != Kind::Set && by.kind != Kind::Scale)
    throw refused(by, "is no edit of weights", "Weights can be set and scaled");
  const ParameterInfo& info = *state.layout.find(part.tensor);
  const MatrixView<float> weights = parameterView(state.parameters.data(), info);
  for (std::int64_t r = std::max<std::int64_t>(0, part.row); r < weights.rows; ++r) {
    if (part.row >= 0 && r != part.row) break;
    const std::int64_t end = part.cols < 0 ? weights.cols : part.col + part.cols;
    for (std::int64_t c = part.col; c < end; ++c)
      weights.at(r, c) = float(by.kind == Kind::Set ? by.number : weights.at(r, c) * by.number);
  }
}

/// A model that has read the text of a patch.
class OtherText {
 public:
  OtherText(const ModelState& state, const data::TextCodec& codec, const Intervention& by,
            const Backend<float>& backend)
      : state_(state),
        by_(by),
        batch_(probeInput(state, codec, framingFor(state.config, codec), by.text, backend).batch),
        probe_(state.config, batch_, backend) {}

  /// One change, or for attention maps one for each head.
  void add(const ChangedPart& part, std::vector<TensorChange>& changes) {
    const observe::Observed there =
        probe_.run(state_.parameters, batch_, part.tensor, std::uint64_t(state_.step))
            .at(part.tensor);
    const auto shape = observe::tensorShape(probe_.program(), part.tensor);
    const bool maps = shape.size() == 3;
    const std::int64_t heads = maps ? shape[0] : 1, rows = there.rows / heads;
    const std::int64_t first = std::max<std::int64_t>(0, part.row);
    const std::int64_t end_row = part.row < 0 ? rows : part.row + 1;
    const std::int64_t end = part.cols < 0 ? there.cols : part.col + part.cols;
    if (end_row > rows || end > there.cols)
      throw refused(by_, "is not in the other text",
                    "There, " + part.tensor + " is " + std::to_string(rows) + " x " +
                        std::to_string(there.cols));
    for (std::int64_t head = 0; head < heads; ++head) {
      if (maps && part.head >= 0 && head != part.head) continue;
      TensorChange change = changeOf(part, 0.0, {});
      if (maps) change.head = head;
      change.added_rows = end_row - first;
      change.added_cols = end - part.col;
      for (std::int64_t r = head * rows + first; r < head * rows + end_row; ++r)
        for (std::int64_t c = part.col; c < end; ++c)
          change.added.push_back(double(there.at(r, c)));
      changes.push_back(std::move(change));
    }
  }

 private:
  const ModelState& state_;
  const Intervention& by_;
  Batch batch_;
  observe::Probe probe_;
};

TensorChange toMean(const ModelState& state, const data::TextCodec& codec, const ChangedPart& part,
                    const Intervention& by, const Backend<float>& backend) {
  const auto* task = dynamic_cast<const data::Task*>(&codec);
  if (task == nullptr)
    throw refused(by, "needs held-out examples", "Give the model a task, or set it to 0");
  if (part.tensor.ends_with(".probabilities"))
    throw refused(by, "has no mean: texts differ in their positions", "Take a head instead");
  const std::vector<double> means =
      columnMeans(state, *task, {part.tensor}, kMeanExamples, backend).at(part.tensor);
  TensorChange change = changeOf(part, 0.0, {});
  const auto begin = means.begin() + part.col;
  change.added.assign(begin, part.cols < 0 ? means.end() : begin + part.cols);
  change.added_cols = std::ssize(change.added);
  return change;
}

}  // namespace

ModelState withInterventions(const ModelState& state, const data::TextCodec& codec,
                             std::span<const Intervention> interventions,
                             const Backend<float>& backend) {
  ModelState result = state;
  for (const Intervention& one : interventions) {
    std::unique_ptr<OtherText> other;
    for (const ChangedPart& part :
         observe::changedParts(state.config, fullShape(state.config, 1), one.target)) {
      std::vector<TensorChange>& changes = result.config.changes;
      if (part.parameter) {
        editWeights(result, part, one);
      } else if (one.kind == Kind::Set || one.kind == Kind::Scale) {
        const bool set = one.kind == Kind::Set;
        changes.push_back(changeOf(part, set ? 0.0 : one.number, {set ? one.number : 0.0}));
      } else if (one.kind == Kind::Mean) {
        changes.push_back(toMean(state, codec, part, one, backend));
      } else {
        if (!other) other = std::make_unique<OtherText>(state, codec, one, backend);
        other->add(part, changes);
      }
    }
  }
  return result;
}

void checkInside(const ModelConfig& config, const Batch& batch,
                 std::span<const Intervention> interventions) {
  for (const Intervention& one : interventions)
    observe::changedParts(config, {1, batch.source_length, batch.target_length}, one.target);
}

void refuseInterventions(const ModelConfig& config, const std::string& where) {
  if (!config.changes.empty())
    throw Error("interventions are in force", where, "Take them back first: they are never saved");
}

}  // namespace tfm::train
