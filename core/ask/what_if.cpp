// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/what_if.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ask/answering.h"
#include "core/ask/column_means.h"
#include "core/backend/buffer.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/observe/probe.h"
#include "core/observe/tensor_shape.h"
#include "core/program/executor.h"
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

/// Of Set and Scale.
TensorChange byNumber(const ChangedPart& part, const Intervention& by) {
  return by.kind == Kind::Set ? changeOf(part, 0.0, {by.number}) : changeOf(part, by.number, {});
}

void refuseImpossible(const ChangedPart& part, const data::TextCodec& codec,
                      const Intervention& by) {
  if (by.kind == Kind::Set || by.kind == Kind::Scale) return;
  if (part.parameter)
    throw refused(by, "is not possible: a weight is the same for all texts",
                  "Weights can be set and scaled");
  if (by.kind == Kind::Patch) {
    if (by.text.empty()) throw refused(by, "names no other text", "Give a text to take it from");
    codec.encodeInput(by.text);
    return;
  }
  if (dynamic_cast<const data::Task*>(&codec) == nullptr)
    throw refused(by, "needs held-out examples", "Give the model a task, or set it to 0");
  if (part.map)
    throw refused(by, "has no mean: texts differ in their positions", "Take a head instead");
}

/// The parts of each intervention.
using Parts = std::vector<std::vector<ChangedPart>>;

Parts possibleParts(const ModelConfig& config, const data::TextCodec& codec,
                    std::span<const Intervention> interventions) {
  const BatchShape longest = fullShape(config, 1);
  Parts parts;
  for (const Intervention& one : interventions) {
    parts.push_back(observe::changedParts(config, longest, one.target));
    for (const ChangedPart& part : parts.back()) refuseImpossible(part, codec, one);
  }
  return parts;
}

/// The backend that numbers are taken with: the given one, or one of another precision.
template <class Real>
class CapturingBackend {
 public:
  explicit CapturingBackend(const Backend<float>& given) {
    if constexpr (std::is_same_v<Real, float>) {
      backend_ = &given;
    } else {
      own_ = makeBackend<Real>();
      backend_ = own_.get();
    }
  }
  const Backend<Real>& get() const { return *backend_; }

 private:
  std::unique_ptr<Backend<Real>> own_;
  const Backend<Real>* backend_ = nullptr;
};

using Means = std::map<std::string, std::vector<double>>;

/// Of all that is set to its mean, in one go.
template <class Real>
Means meansFor(const ModelState& state, const data::TextCodec& codec, const Parts& parts,
               std::span<const Intervention> interventions, const Backend<Real>& backend) {
  std::set<std::string> tensors;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (interventions[i].kind == Kind::Mean)
      for (const ChangedPart& part : parts[i]) tensors.insert(part.tensor);
  if (tensors.empty()) return {};
  return columnMeans(state, dynamic_cast<const data::Task&>(codec), tensors, kMeanExamples,
                     backend);
}

TensorChange toMean(const ChangedPart& part, const std::vector<double>& means) {
  const auto begin = means.begin() + part.col;
  TensorChange change =
      changeOf(part, 0.0, {begin, part.cols < 0 ? means.end() : begin + part.cols});
  change.added_cols = std::ssize(change.added);
  return change;
}

/// A model that has read the text of a patch.
template <class Real>
class OtherText {
 public:
  /// Reads a batch of the one text.
  OtherText(const ModelState& state, const Batch& batch, const Intervention& by,
            const Backend<Real>& backend)
      : by_(by),
        executor_(std::make_shared<const Program>(observe::probedProgram(
                      state.config, {batch.size, batch.source_length, batch.target_length})),
                  backend, false) {
    const AlignedVector<Real> numbers(state.parameters.begin(), state.parameters.end());
    setInputs(executor_, batch, 0);
    const DeviceCopy<Real> parameters(backend.memory(), std::span<const Real>(numbers));
    executor_.forward(parameters.data(), {0, std::uint64_t(state.step), 0});
  }

  /// One change, or for attention maps one for each head.
  void add(const ChangedPart& part, std::vector<TensorChange>& changes) {
    const Program& program = executor_.program();
    const MatrixView<const Real> there = executor_.values(program.find(part.tensor));
    const std::int64_t heads = part.map ? observe::tensorShape(program, part.tensor).front() : 1;
    const std::int64_t rows = there.rows / heads;
    const std::int64_t first = std::max<std::int64_t>(0, part.row);
    const std::int64_t end_row = part.row < 0 ? rows : part.row + 1;
    const std::int64_t end = part.cols < 0 ? there.cols : part.col + part.cols;
    if (end_row > rows || end > there.cols)
      throw refused(by_, "is not in the other text",
                    "There, " + part.tensor + " is " + std::to_string(rows) + " x " +
                        std::to_string(there.cols));
    for (std::int64_t head = 0; head < heads; ++head) {
      if (part.map && part.head >= 0 && head != part.head) continue;
      TensorChange change = changeOf(part, 0.0, {});
      if (part.map) change.head = head;
      change.added_rows = end_row - first;
      change.added_cols = end - part.col;
      for (std::int64_t r = head * rows + first; r < head * rows + end_row; ++r)
        for (std::int64_t c = part.col; c < end; ++c)
          change.added.push_back(double(there.at(r, c)));
      changes.push_back(std::move(change));
    }
  }

 private:
  const Intervention& by_;
  Executor<Real> executor_;
};

void editWeights(ModelState& state, const ParameterInfo& info, const TensorChange& edit) {
  const MatrixView<float> weights = parameterView(state.parameters.data(), info);
  const std::int64_t first = std::max<std::int64_t>(0, edit.row);
  const std::int64_t end_row = edit.row < 0 ? weights.rows : edit.row + 1;
  const std::int64_t end = edit.cols < 0 ? weights.cols : edit.col + edit.cols;
  const double added = edit.added.empty() ? 0.0 : edit.added.front();
  for (std::int64_t r = first; r < end_row; ++r)
    for (std::int64_t c = edit.col; c < end; ++c) {
      float& weight = weights.at(r, c);
      weight = float(edit.factor == 0.0 ? added : edit.factor * double(weight) + added);
    }
}

}  // namespace

void requirePossible(const ModelConfig& config, const data::TextCodec& codec,
                     const Intervention& intervention) {
  possibleParts(config, codec, std::span(&intervention, 1));
}

template <class Real>
std::vector<std::vector<TensorChange>> changesBy(const ModelState& state,
                                                 const data::TextCodec& codec,
                                                 std::span<const Intervention> interventions,
                                                 const Backend<float>& backend) {
  const Parts parts = possibleParts(state.config, codec, interventions);
  const CapturingBackend<Real> capturing(backend);
  const Means means = meansFor(state, codec, parts, interventions, capturing.get());
  std::vector<std::vector<TensorChange>> changes(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Intervention& by = interventions[i];
    std::unique_ptr<OtherText<Real>> other;
    if (by.kind == Kind::Patch) {
      const data::Framing framing = framingFor(state.config, codec);
      const Batch batch = probeInput(state, codec, framing, by.text, backend).batch;
      other = std::make_unique<OtherText<Real>>(state, batch, by, capturing.get());
    }
    for (const ChangedPart& part : parts[i])
      if (other)
        other->add(part, changes[i]);
      else
        changes[i].push_back(by.kind == Kind::Mean ? toMean(part, means.at(part.tensor))
                                                   : byNumber(part, by));
  }
  return changes;
}

template <class Real>
ModelState withInterventions(const ModelState& state, const data::TextCodec& codec,
                             std::span<const Intervention> interventions,
                             const Backend<float>& backend) {
  ModelState result = state;
  for (std::vector<TensorChange>& of_one : changesBy<Real>(state, codec, interventions, backend))
    for (TensorChange& change : of_one) {
      if (const ParameterInfo* weights = result.layout.find(change.tensor))
        editWeights(result, *weights, change);
      result.config.changes.push_back(std::move(change));
    }
  return result;
}

template std::vector<std::vector<TensorChange>> changesBy<float>(const ModelState&,
                                                                 const data::TextCodec&,
                                                                 std::span<const Intervention>,
                                                                 const Backend<float>&);
template std::vector<std::vector<TensorChange>> changesBy<double>(const ModelState&,
                                                                  const data::TextCodec&,
                                                                  std::span<const Intervention>,
                                                                  const Backend<float>&);
template ModelState withInterventions<float>(const ModelState&, const data::TextCodec&,
                                             std::span<const Intervention>, const Backend<float>&);
template ModelState withInterventions<double>(const ModelState&, const data::TextCodec&,
                                              std::span<const Intervention>, const Backend<float>&);

void checkInside(const ModelConfig& config, const Batch& batch,
                 std::span<const Intervention> interventions) {
  for (const Intervention& one : interventions)
    observe::changedParts(config, {1, batch.source_length, batch.target_length}, one.target);
}

void refuseInterventions(const ModelConfig& config, const std::string& where) {
  if (!config.changes.empty())
    throw Error("interventions are in force", where, "Remove them first: they are never saved");
}

}  // namespace tfm::train
