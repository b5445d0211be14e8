// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/model_outputs.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "core/backend/buffer.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/expand/grow.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"

namespace tfm::reproduce {

Outputs outputsOf(const ModelConfig& config, std::span<const double> parameters, const Batch& batch,
                  std::string_view tensor, std::optional<std::uint64_t> training_step) {
  ProgramOptions options;
  options.scores = true;
  options.training = training_step.has_value();
  const auto backend = makeBackend<double>();
  const auto program = std::make_shared<const Program>(
      buildProgram(config, {batch.size, batch.source_length, batch.target_length}, options));
  Executor<double> executor(program, *backend, false);
  setInputs(executor, batch, 0);
  const DeviceCopy<double> on_device(backend->memory(), parameters);
  executor.forward(on_device.data(), {0, training_step.value_or(0), 0});
  if (program->find(tensor) == kNoTensor)
    throw Error("the model has no tensor '" + std::string(tensor) + "'", "reproduce",
                "probe lists those of a model");
  const MatrixView<const double> view = executor.values(program->find(tensor));
  Outputs outputs{view.rows, view.cols, {}};
  for (std::int64_t r = 0; r < view.rows; ++r)
    outputs.values.insert(outputs.values.end(), view.row(r), view.row(r) + view.cols);
  return outputs;
}

Numbers afterOneStep(const ModelConfig& config, std::span<const double> parameters,
                     const Batch& batch, double rate) {
  const auto backend = makeBackend<double>();
  const auto program = std::make_shared<const Program>(
      buildProgram(config, {batch.size, batch.source_length, batch.target_length}, {.loss = true}));
  Executor<double> executor(program, *backend, true);
  setInputs(executor, batch, 0);
  const DeviceCopy<double> on_device(backend->memory(), parameters);
  executor.forward(on_device.data(), {0, 0, 0});
  Numbers after(parameters.begin(), parameters.end());
  Buffer<double> gradients(backend->memory(), Numbers(after.size()));
  executor.backward(on_device.data(), gradients.data(), {program->find(names::kLoss), 1.0, true},
                    {0, 0, 0});
  HostCopy<double> on_host;
  const auto steps = on_host.of(backend->memory(), std::as_const(gradients).span());
  for (std::size_t i = 0; i < after.size(); ++i) after[i] -= rate * steps[i];
  return after;
}

Batch featureBatch(const ModelConfig& config, std::int64_t sequences) {
  Batch batch;
  batch.size = sequences;
  batch.source_length = config.source_length;
  const std::int64_t width = config.featureWidth();
  for (std::int64_t i = 0; i < batch.size * batch.source_length * width; ++i)
    batch.source_features.push_back(2.0 * std::sin(double(i * i + 1)));
  return batch;
}

double largestDifference(const Numbers& a, const Numbers& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const double difference = std::abs(a.at(i) - b.at(i));
    largest = std::isnan(difference) ? HUGE_VAL : std::max(largest, difference);
  }
  return largest;
}

namespace {

/// Of a new model, grown by a plan.
Numbers grownOutputs(const ModelConfig& config, const expand::Plan& plan) {
  const ModelState state = initialState(config, 42);
  const AlignedVector<double> before(state.parameters.begin(), state.parameters.end());
  const Batch batch = featureBatch(config);
  if (plan.empty()) return outputsOf(config, before, batch, names::kOutput).values;
  const expand::Grown grown = expand::grow(state, plan);
  const AlignedVector<double> after = expand::grownParameters<double>(grown.changes, before);
  return outputsOf(grown.state.config, after, batch, names::kOutput).values;
}

}  // namespace

double sumOfOutputs(const ModelConfig& config, const expand::Plan& plan) {
  const Numbers outputs = grownOutputs(config, plan);
  return std::accumulate(outputs.begin(), outputs.end(), 0.0);
}

double growthDifference(const ModelConfig& config, const expand::Plan& plan) {
  const Numbers small = grownOutputs(config, {});
  const Numbers nothing(small.size());
  return largestDifference(grownOutputs(config, plan), small) / largestDifference(small, nothing);
}

}  // namespace tfm::reproduce
