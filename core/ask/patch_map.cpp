// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/patch_map.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/observe/held_positions.h"
#include "core/observe/stack_stages.h"
#include "core/program/executor.h"
#include "core/tensor/softmax.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kCopies = 32;  // of a text at once

BatchShape shapeOf(const Batch& batch) {
  return {batch.size, batch.source_length, batch.target_length};
}

/// A model that reads batches, with changes.
class Run {
 public:
  Run(const ModelState& state, const Batch& batch, const Backend<float>& backend,
      std::span<const float> parameters, std::span<const TensorChange> changes = {})
      : executor_(program(state.config, batch, changes), backend, false) {
    setInputs(executor_, batch, 0);
    executor_.forward(parameters.data(), {0, std::uint64_t(state.step), 0});
  }

  const Program& program() const { return executor_.program(); }
  /// Of tensors of the program, "output" too.
  MatrixView<const float> values(std::string_view name) {
    return executor_.values(program().find(name));
  }
  std::int64_t outputRows() const {
    return program().tensor(names::kOutput).rows / program().shape.sequences;
  }

 private:
  static std::shared_ptr<const Program> program(const ModelConfig& config, const Batch& batch,
                                                std::span<const TensorChange> changes) {
    ModelConfig changed = config;
    changed.changes.insert(changed.changes.end(), changes.begin(), changes.end());
    return std::make_shared<const Program>(buildProgram(changed, shapeOf(batch), {}));
  }

  Executor<float> executor_;
};

/// So many copies of a batch of one sequence, without labels.
Batch repeated(const Batch& one, std::int64_t count) {
  const auto copies = [&](const auto& numbers) {
    auto all = numbers;
    for (std::int64_t i = 1; i < count; ++i) all.insert(all.end(), numbers.begin(), numbers.end());
    return all;
  };
  Batch batch;
  batch.size = count;
  batch.source_length = one.source_length;
  batch.target_length = one.target_length;
  batch.source = copies(one.source);
  batch.source_pad = copies(one.source_pad);
  batch.source_features = copies(one.source_features);
  batch.target = copies(one.target);
  batch.target_pad = copies(one.target_pad);
  batch.memory = copies(one.memory);
  return batch;
}

/// Logit and probability of a token.
struct Odds {
  double logit = 0.0, probability = 0.0;
};
Odds oddsOf(MatrixView<const float> logits, std::int64_t row, std::int32_t token) {
  return {double(logits.at(row, token)), softmax(logits.rowsFrom(row, 1))[std::size_t(token)]};
}

std::int32_t likeliest(MatrixView<const float> logits, std::int64_t row) {
  const float* all = logits.row(row);
  return std::int32_t(std::max_element(all, all + logits.cols) - all);
}

/// The states of the other text at positions `first` to `end` - 1 of a tensor, one for each copy.
std::vector<TensorChange> patches(const std::string& tensor, MatrixView<const float> states,
                                  std::int64_t first, std::int64_t end) {
  std::vector<TensorChange> changes;
  for (std::int64_t p = first; p < end; ++p) {
    const float* row = states.row(p);
    changes.push_back({.tensor = tensor,
                       .sequence = p - first,
                       .row = p,
                       .added = {row, row + states.cols},
                       .added_cols = states.cols});
  }
  return changes;
}

/// The labels of a stage's positions.
std::vector<std::string> labelsOf(const Program& program, const observe::StackStage& stage,
                                  const ProbeInput& input) {
  const auto held = observe::heldPositions(program)[std::size_t(program.find(stage.states))];
  if (!held) return {};
  return observe::heldLabels(
      stage.stack == Stack::Decoder ? input.decoder_labels : input.source_labels, *held);
}

}  // namespace

std::optional<PatchMap> patchMap(const ModelState& state, const data::TextCodec& codec,
                                 const PatchOptions& options, const Backend<float>& backend,
                                 const PatchProgress& progress) {
  const data::Framing framing = framingFor(state.config, codec);
  if (framing == data::Framing::States)
    throw Error("this model gives no answers, only hidden states", "patch",
                "Give it a task with answers");
  PatchMap map;
  const auto read = [&](const std::string& text, const std::optional<std::string>& answer) {
    return probeInput(state, codec, framing, text, backend,
                      answer ? ReadAnswer::Given : ReadAnswer::Right, nullptr,
                      answer.value_or(std::string()));
  };
  map.from = read(options.from, options.from_answer);
  map.into = read(options.into, options.into_answer);
  const DeviceCopy<float> parameters(backend.memory(), state.parameters);
  const auto run = [&](const Batch& batch, std::span<const TensorChange> changes = {}) {
    return Run(state, batch, backend, parameters.span(), changes);
  };
  Run from = run(map.from.batch), into = run(map.into.batch);

  const std::int64_t common = std::min(from.outputRows(), into.outputRows());
  if (options.output >= common)
    throw Error("there is no output " + std::to_string(options.output) + " in both texts", "patch",
                "They have " + std::to_string(common) + ", counted from 0");
  const MatrixView<const float> there = from.values(names::kOutput);
  const MatrixView<const float> here = into.values(names::kOutput);
  std::int64_t from_output = options.output;
  map.output = options.output;
  if (options.output < 0 && framing == data::Framing::NextToken) {
    from_output = from.outputRows() - 1;  // what comes next, however long the texts
    map.output = into.outputRows() - 1;
  } else if (options.output < 0) {
    map.output = 0;
    while (map.output + 1 < common && likeliest(there, map.output) == likeliest(here, map.output))
      ++map.output;
    from_output = map.output;
  }
  map.from_token = likeliest(there, from_output);
  map.into_token = likeliest(here, map.output);
  const data::Vocabulary& vocabulary = data::outputVocabulary(codec, framing);
  map.from_label = vocabulary.label(map.from_token);
  map.into_label = vocabulary.label(map.into_token);
  const auto odds = [&](MatrixView<const float> logits, std::int64_t row) {
    return std::pair{oddsOf(logits, row, map.from_token), oddsOf(logits, row, map.into_token)};
  };
  const auto [from_before, into_before] = odds(here, map.output);
  map.from_probability_before = from_before.probability;
  map.into_probability_before = into_before.probability;
  map.from_logit_before = from_before.logit;
  map.into_logit_before = into_before.logit;
  const auto [from_there, into_there] = odds(there, from_output);
  map.from_probability_there = from_there.probability;
  map.into_probability_there = into_there.probability;
  map.from_logit_there = from_there.logit;
  map.into_logit_there = into_there.logit;

  for (const Stack stack : {Stack::Encoder, Stack::Decoder})
    for (const observe::StackStage& stage : observe::stackStages(into.program(), stack))
      map.rows.push_back({stack,
                          stage.layer,
                          stage.states,
                          labelsOf(into.program(), stage, map.into),
                          {},
                          {},
                          {},
                          {}});
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    PatchedRow& row = map.rows[i];
    const MatrixView<const float> states = from.values(row.tensor);
    const std::int64_t positions = std::min(states.rows, into.program().tensor(row.tensor).rows);
    for (std::int64_t first = 0; first < positions; first += kCopies) {
      const std::int64_t end = std::min(positions, first + kCopies);
      Run patched =
          run(repeated(map.into.batch, end - first), patches(row.tensor, states, first, end));
      const MatrixView<const float> logits = patched.values(names::kOutput);
      for (std::int64_t copy = 0; copy < end - first; ++copy) {
        const auto [of_from, of_into] = odds(logits, copy * into.outputRows() + map.output);
        row.from_probability.push_back(of_from.probability);
        row.into_probability.push_back(of_into.probability);
        row.from_logit.push_back(of_from.logit);
        row.into_logit.push_back(of_into.logit);
      }
    }
    if (progress && !progress(map, double(i + 1) / double(map.rows.size()))) return {};
  }
  return map;
}

std::string patchTsv(const PatchMap& map) {
  std::ostringstream table;
  table.precision(9);
  table << "stack\tlayer\tposition\ttoken\tprobability_of_from\tprobability_of_into\t"
           "logit_of_from\tlogit_of_into\n";
  for (const PatchedRow& row : map.rows)
    for (std::size_t p = 0; p < row.from_logit.size(); ++p)
      table << stackName(row.stack) << '\t' << row.layer << '\t' << p << '\t'
            << (p < row.labels.size() ? row.labels[p] : "") << '\t' << row.from_probability[p]
            << '\t' << row.into_probability[p] << '\t' << row.from_logit[p] << '\t'
            << row.into_logit[p] << '\n';
  return table.str();
}

}  // namespace tfm::train
