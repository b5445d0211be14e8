// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ask/row_tokens.h"
#include "core/ask/step_program.h"
#include "core/ask/what_if.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/observe/attention_stage.h"
#include "core/program/ops/ops.h"
#include "core/train/step_parts.h"

namespace tfm::ui {

TensorId holderOf(const Program& program, TensorId id) {
  const TensorId whole = program.tensors[std::size_t(id)].window_of;
  return whole == kNoTensor ? id : whole;
}

namespace {

/// A model with the interventions in force.
std::shared_ptr<const ModelState> changed(const FlowSource& source,
                                          const std::shared_ptr<const ModelState>& state) {
  if (source.interventions.empty()) return state;
  return std::make_shared<const ModelState>(
      train::withInterventions(*state, *source.codec, source.interventions, *makeBackend<float>()));
}

}  // namespace

std::optional<FlowRun::TrainingStep> FlowRun::trainingStep(const FlowSource& source,
                                                           const ModelState& state) {
  if (!source.gradients || !train::hasLoss(*source.codec, source.framing, source.input.question))
    return std::nullopt;
  const std::string& text = source.input.question;
  return TrainingStep{train::stepTexts(state, *source.codec, source.framing, std::span(&text, 1),
                                       *makeBackend<float>()),
                      train::partsWithWhole(state.config, source.training.nesting)};
}

FlowRun::FlowRun(const FlowSource& source) : FlowRun(source, changed(source, source.state)) {}

FlowRun::FlowRun(const FlowSource& source, const std::shared_ptr<const ModelState>& state)
    : FlowRun(source, state, trainingStep(source, *state)) {}

FlowRun::FlowRun(const FlowSource& source, const std::shared_ptr<const ModelState>& state,
                 const std::optional<TrainingStep>& step)
    : run_(state, step ? step->texts.all : source.input,
           step ? step->parts : std::vector<train::WeightedPart>()),
      map_(observe::modelMap(run_.program())),
      state_(source.state),
      training_(source.training),
      can_go_back_(train::hasLoss(*source.codec, source.framing, source.input.question)),
      source_(source),
      texts_(source.minus_input ? source.texts : std::nullopt) {
  if (step) loss_ = train::lossSentence(step->texts, state->config, training_.nesting);
  if (source.minus || source.minus_input)
    minus_ = std::make_unique<train::ExplainedRun<float>>(
        changed(source, source.minus ? source.minus : source.state),
        source.minus_input.value_or(run_.input()),
        step ? step->parts : std::vector<train::WeightedPart>());
  if (source.weight && can_go_back_) step_gradients_ = stepGradients();
  const std::size_t tensors = program().tensors.size();
  rows_.resize(tensors);
  columns_.resize(tensors);
  row_axes_.resize(tensors);
  column_axes_.resize(tensors);
  written_.resize(tensors);
  reads_.resize(tensors);
  attentions_.resize(tensors, nullptr);
  head_widths_.resize(tensors, 0);
  nameRows();
  nameColumns(source);
  if (!source.lens) return;
  try {
    lens_ = observe::logitLens(run_.explainer(), *makeBackend<float>());
  } catch (const Error&) {
    // A model without an output layer has none.
  }
}

AlignedVector<float> FlowRun::stepGradients() const {
  const auto of = [](const train::ExplainedRun<float>& run) {
    return AlignedVector<float>(run.parameterGradients().begin(), run.parameterGradients().end());
  };
  if (minus_ || !source_.interventions.empty() || !state_->config.changes.empty()) return {};
  if (hasGradients()) return of(run_);
  FlowSource again = source_;
  again.gradients = true;
  const auto step = trainingStep(again, *state_);
  if (!step) return {};
  return of(train::ExplainedRun<float>(state_, step->texts.all, step->parts));
}

bool FlowRun::has(TensorId id, FlowSide side) const {
  const Role role = info(id).role;
  if (side == FlowSide::Values) return role != Role::Ids;
  return run_.hasGradients() && (role == Role::Activation || role == Role::Parameter);
}

std::optional<observe::NumberPlace> FlowRun::sameNumber(const FlowRun& other,
                                                        observe::NumberPlace place) const {
  const AttentionShape* before = other.attentionOf(place.tensor);
  place.tensor = program().find(other.info(place.tensor).name);
  if (place.tensor == kNoTensor || (place.gradient && !hasGradients())) return std::nullopt;
  if (const AttentionShape* now = attentionOf(place.tensor); before && now) {
    // The same head and query, though a text or an answer has another length.
    if (place.row % before->queries >= now->queries) return std::nullopt;
    place.row = place.row / before->queries * now->queries + place.row % before->queries;
  }
  const TensorInfo& t = info(place.tensor);
  return place.row < t.rows && place.col < t.cols ? std::optional(place) : std::nullopt;
}

float FlowRun::number(TensorId id, std::int64_t row, std::int64_t col, FlowSide side) {
  const auto of = [&](train::ExplainedRun<float>& run, TensorId tensor) {
    return side == FlowSide::Values ? run.values(tensor).at(row, col)
                                    : run.gradient(tensor).at(row, col);
  };
  if (!has(id, side)) return std::numeric_limits<float>::quiet_NaN();
  const float value = of(run_, id);
  if (!minus_) return value;
  const TensorId before = minus_->program().find(info(id).name);
  if (before == kNoTensor) return std::numeric_limits<float>::quiet_NaN();
  const TensorInfo& t = minus_->program().tensors[std::size_t(before)];
  if (row >= t.rows || col >= t.cols) return std::numeric_limits<float>::quiet_NaN();
  return value - of(*minus_, before);
}

std::optional<train::ExplainedUpdate> FlowRun::updateOf(TensorId parameter) {
  if (info(parameter).role != Role::Parameter ||
      state_->first_moment.size() != state_->parameters.size())
    return std::nullopt;
  if (!step_gradients_) step_gradients_ = stepGradients();
  if (step_gradients_->empty()) return std::nullopt;
  const std::vector<double> gradients(step_gradients_->begin(), step_gradients_->end());
  return std::optional<train::ExplainedUpdate>(std::in_place, *state_, training_, gradients,
                                               info(parameter).name);
}

const AttentionShape* FlowRun::attentionOf(TensorId id) const {
  return attentions_[std::size_t(id)];
}

TensorId FlowRun::sharesOf(std::string_view attention) const {
  for (const Step& step : program().steps)
    if (step.op == &ops::kAttention && step.path == attention)
      return observe::tensorAt(step, observe::AttentionStage::Probabilities);
  return kNoTensor;
}

std::optional<ReadToken> FlowRun::tokenOf(const observe::NumberPlace& place) {
  const Reads& reads = reads_[std::size_t(place.tensor)];
  if (reads.stack == Stack::None || rowLabels(place.tensor).empty() || attentionOf(place.tensor))
    return std::nullopt;
  std::int64_t position = place.row;
  if (reads.positions) {
    const auto& held = (*reads.positions)[std::size_t(place.row)];
    if (held.size() != 1) return std::nullopt;
    position = held.front();
  }
  const Batch& batch = run_.input().batch;
  const auto& ids = reads.stack == Stack::Decoder ? batch.target : batch.source;
  if (position >= std::int64_t(ids.size())) return std::nullopt;
  return ReadToken{reads.stack, position, ids[std::size_t(position)]};
}

void FlowRun::nameRows() {
  const train::ProbeInput& input = run_.input();
  // Rows are positions of what the encoder or the decoder reads.
  const auto held = observe::heldPositions(program());
  const auto labels = [&](TensorId id) -> Labels {
    const Reads& reads = reads_[std::size_t(id)];
    if (reads.stack == Stack::None) return {};
    const Labels& all = reads.stack == Stack::Encoder ? input.source_labels : input.decoder_labels;
    if (reads.positions) return observe::heldLabels(all, *reads.positions);
    return std::int64_t(all.size()) == info(id).rows ? all : Labels{};
  };
  for (std::size_t i = 0; i < program().tensors.size(); ++i) {
    const TensorInfo& t = program().tensors[i];
    const bool target = t.name == names::kTargetIds;
    reads_[i].positions = held[i];
    if (t.role == Role::Ids || t.role == Role::Input)
      reads_[i].stack = target ? Stack::Decoder : Stack::Encoder;
    if (t.name == names::kTargetIds || t.name == names::kSourceIds)
      rows_[i] = target ? input.decoder_labels : input.source_labels;
  }
  for (const Step& step : program().steps) {
    const TensorId read = step.inputs.empty() ? kNoTensor : step.inputs.front();
    for (const TensorId id : step.outputs) {
      if (id == kNoTensor) continue;
      const auto at = std::size_t(id);
      if (read != kNoTensor) reads_[at].stack = reads_[std::size_t(read)].stack;
      if (info(id).rows > 1 || program().shape.sequences == info(id).rows) rows_[at] = labels(id);
      if (info(id).rows > 1) row_axes_[at] = "position";
    }
    if (step.op != &ops::kAttention) continue;
    const AttentionShape& shape = std::any_cast<const AttentionArguments&>(step.arguments).shape;
    for (const auto& [id, width] : {std::pair{step.inputs[0], shape.key_size},
                                    {step.inputs[1], shape.key_size},
                                    {step.inputs[2], shape.value_size},
                                    {step.outputs[0], shape.value_size}})
      if (shape.heads > 1) head_widths_[std::size_t(id)] = width;
    std::vector<TensorId> maps(step.outputs.begin() + 1, step.outputs.end());
    if (step.inputs.size() > 4) maps.push_back(step.inputs[4]);
    for (const TensorId id : maps) {
      if (id == kNoTensor) continue;
      const auto at = std::size_t(id);
      attentions_[at] = &shape;
      rows_[at].clear();
      const Labels queries = labels(step.inputs[0]);
      for (std::int64_t head = 0; head < shape.heads && !queries.empty(); ++head)
        rows_[at].insert(rows_[at].end(), queries.begin(), queries.end());
      columns_[at] = labels(step.inputs[1]);
      const bool cross = reads_[std::size_t(step.inputs[0])].stack == Stack::Decoder &&
                         reads_[std::size_t(step.inputs[1])].stack == Stack::Encoder;
      if (cross && std::int64_t(input.written_labels.size()) == shape.queries)
        written_[at] = input.written_labels;
      row_axes_[at] = shape.heads > 1 ? "head x position" : "position";
      column_axes_[at] = "position";
    }
  }
}

void FlowRun::nameColumns(const FlowSource& source) {
  for (const ParameterInfo& parameter : program().parameters.parameters) {
    const TensorId id = program().find(parameter.name);
    if (id == kNoTensor) continue;
    const auto at = std::size_t(id);
    column_axes_[at] = parameter.shape.back().name();
    if (parameter.shape.size() > 1) row_axes_[at] = parameter.shape.front().name();
    auto& tokens = parameter.shape.size() > 1 ? rows_ : columns_;
    tokens[at] = train::rowTokens(parameter, source.state->config, *source.codec, source.framing);
  }
  const data::Vocabulary& written = data::outputVocabulary(*source.codec, source.framing);
  if (const TensorId labels = program().find(names::kLabels); labels != kNoTensor)
    for (const std::int32_t id : run_.input().batch.labels)
      rows_[std::size_t(labels)].push_back(written.label(id));
  for (const Step& step : program().steps)
    for (const TensorId id : step.outputs) {
      if (id == kNoTensor || !column_axes_[std::size_t(id)].empty()) continue;
      const auto at = std::size_t(id);
      std::string& axis = column_axes_[at];
      // Mixed values are as wide as values, and often as wide as queries.
      if (step.op == &ops::kAttention) axis = column_axes_[std::size_t(step.inputs[2])];
      for (const TensorId read : step.inputs) {
        if (read == kNoTensor || !axis.empty()) continue;
        const TensorInfo& t = info(read);
        const auto whole = std::size_t(holderOf(program(), read));
        const bool linear = step.op == &ops::kLinear || step.op == &ops::kGroupedLinear;
        if (t.role == Role::Parameter)
          axis = linear && t.rows == info(id).cols && t.rows > 1 ? row_axes_[whole]
                 : t.cols == info(id).cols                       ? column_axes_[whole]
                                                                 : std::string();
        else if (!linear && t.cols == info(id).cols)
          axis = column_axes_[std::size_t(read)];
      }
      const bool output =
          step.site.stack == Stack::None && step.site.block < 0 && !train::isOtherPart(step.site);
      if (output && written.size() == info(id).cols)
        for (std::int32_t token = 0; token < written.size(); ++token)
          columns_[at].push_back(written.label(token));
    }
}

namespace {

report::Source sourceOf(FlowRun& run, const char* kind, std::string of) {
  if (run.hasGradients() || run.texts()) return {};
  report::Source source{kind, std::move(of)};
  source.right_answer = run.explained().input().read == train::ReadAnswer::Right;
  return source;
}

}  // namespace

report::Source tensorSource(FlowRun& run, std::span<const TensorId> tensors) {
  std::string names;
  for (const TensorId id : tensors) names += (names.empty() ? "" : ",") + run.info(id).name;
  return sourceOf(run, "tensors", names);
}

report::Source numberSource(FlowRun& run, const observe::NumberPlace& place) {
  if (place.gradient || run.isDifference()) return {};
  return sourceOf(run, "explanation", observe::nameOf(run.program(), place));
}

}  // namespace tfm::ui
