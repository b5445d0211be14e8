// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/expand/double_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "core/backend/cpu/cpu_backend.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"

namespace tfm::test {

namespace {

DoubleRun runOnce(const ModelConfig& config, const AlignedVector<double>& parameters,
                  const Batch& batch, std::int64_t step, const Submodel& submodel, bool gradients) {
  ProgramOptions options;
  options.loss = true;
  options.submodel = submodel;
  const auto backend = makeCpuBackend<double>();
  const auto program = std::make_shared<const Program>(
      buildProgram(config, {batch.size, batch.source_length, batch.target_length}, options));
  Executor<double> executor(program, *backend, gradients);
  setInputs(executor, batch, 0);
  const RunPosition position{0, std::uint64_t(step), 0};
  executor.forward(parameters.data(), position);
  DoubleRun run;
  const MatrixView<const double> output = executor.values(program->find(names::kOutput));
  for (std::int64_t r = 0; r < output.rows; ++r)
    run.outputs.insert(run.outputs.end(), output.row(r), output.row(r) + output.cols);
  const TensorId loss = program->find(names::kLoss);
  run.loss = executor.values(loss).at(0, 0);
  if (!gradients) return run;
  run.gradients.assign(parameters.size(), 0.0);
  executor.backward(parameters.data(), run.gradients.data(), {loss}, position);
  return run;
}

}  // namespace

DoubleRun runInDouble(const ModelConfig& config, const AlignedVector<double>& parameters,
                      const Batch& batch, std::int64_t step, const Submodel& submodel) {
  return runOnce(config, parameters, batch, step, submodel, true);
}

std::vector<double> outputsInDouble(const ModelConfig& config,
                                    const AlignedVector<double>& parameters, const Batch& batch,
                                    std::int64_t step, const Submodel& submodel) {
  return runOnce(config, parameters, batch, step, submodel, false).outputs;
}

AlignedVector<double> inDouble(const ModelState& state) {
  return {state.parameters.begin(), state.parameters.end()};
}

AlignedVector<double> grownInDouble(const ModelState& before, const expand::Grown& grown) {
  return expand::grownParameters<double>(grown.changes, inDouble(before));
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

double largestOf(const expand::ParameterGrowth& p, expand::Entry entry,
                 const AlignedVector<double>& arena) {
  double most = -1.0;
  for (std::int64_t r = 0; r < p.after.rows(); ++r)
    for (std::int64_t c = 0; c < p.after.cols(); ++c)
      if (p.entry(r, c) == entry)
        most =
            std::max(most, std::abs(arena[std::size_t(p.after.offset + r * p.after.cols() + c)]));
  return most;
}

const expand::ParameterGrowth& parameterOf(const expand::Change& change, const std::string& name) {
  for (const expand::ParameterGrowth& p : change.parameters)
    if (p.after.name == name) return p;
  throw std::runtime_error("no parameter " + name);
}

}  // namespace tfm::test
