// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/verify.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <future>
#include <memory>
#include <utility>

#include "core/backend/registry.h"
#include "core/base/check.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"

namespace tfm::expand {
namespace {

constexpr double kTolerance = 1e-12;

template <class Real>
struct Outcome {
  std::int64_t rows = 0, cols = 0;
  std::vector<Real> outputs;
  double loss = 0.0;
};

template <class Real>
Outcome<Real> run(const ModelConfig& config, std::span<const Real> parameters, const Batch& batch,
                  std::int64_t step) {
  ProgramOptions options;
  options.loss = true;
  options.numbers = !batch.label_features.empty();
  const auto backend = makeBackend<Real>();
  const auto program = std::make_shared<const Program>(
      buildProgram(config, {batch.size, batch.source_length, batch.target_length}, options));
  Executor<Real> executor(program, *backend, false);
  setInputs(executor, batch, 0);
  const DeviceCopy<Real> on_device(backend->memory(), parameters);
  executor.forward(on_device.data(), {0, std::uint64_t(step), 0});
  const MatrixView<const Real> output = executor.values(program->find(names::kOutput));
  Outcome<Real> outcome{output.rows, output.cols, {}, 0.0};
  for (std::int64_t r = 0; r < output.rows; ++r)
    outcome.outputs.insert(outcome.outputs.end(), output.row(r), output.row(r) + output.cols);
  outcome.loss = double(executor.values(program->find(names::kLoss)).at(0, 0));
  return outcome;
}

template <class Real>
void compare(const std::vector<Real>& a, const std::vector<Real>& b, double& largest,
             double& mean) {
  largest = mean = 0.0;
  if (a.empty()) return;
  using Numbers = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;
  const Eigen::ArrayXd difference = (Numbers(a.data(), std::ssize(a)).template cast<double>() -
                                     Numbers(b.data(), std::ssize(b)).template cast<double>())
                                        .abs();
  // NaN must not pass.
  largest = difference.isNaN().any() ? HUGE_VAL : difference.maxCoeff();
  mean = difference.mean();
}

}  // namespace

Verdict verify(const ModelState& before, const Grown& grown, const Batch& probe,
               const Progress& progress) {
  const ModelState& after = grown.state;
  const std::int64_t step = before.step;
  const AlignedVector<double> exact(before.parameters.begin(), before.parameters.end());
  Work work(progress, 3);
  // Both models run in parallel: the user is waiting.
  auto of_before = std::async(std::launch::async, [&] {
    const Outcome<float> rounded = run<float>(before.config, before.parameters, probe, step);
    if (!work.isWanted()) throw Cancelled();
    return std::pair{rounded, run<double>(before.config, exact, probe, step)};
  });
  const Outcome<float> large = run<float>(after.config, after.parameters, probe, step);
  work.advance(1);
  const auto is_wanted = [&](std::int64_t, std::int64_t) { return work.isWanted(); };
  const AlignedVector<double> exact_grown =
      grownParameters<double>(grown.changes, exact, is_wanted);
  work.advance(1);
  const Outcome<double> large_exact = run<double>(after.config, exact_grown, probe, step);
  work.advance(1);
  const auto [small, small_exact] = of_before.get();
  check(small.outputs.size() == large.outputs.size(), "growth preserves the size of the output");

  Verdict v;
  compare(small.outputs, large.outputs, v.max_difference, v.mean_difference);
  compare(small_exact.outputs, large_exact.outputs, v.max_difference_double,
          v.mean_difference_double);
  for (const double y : small_exact.outputs)
    v.largest_output = std::max(v.largest_output, std::abs(y));
  v.tolerance = kTolerance * std::max(1.0, v.largest_output);
  v.exact = v.max_difference_double <= v.tolerance;
  v.loss_before = small.loss;
  v.loss_after = large.loss;
  v.parameters_before = before.layout.total;
  v.parameters_after = after.layout.total;
  v.rows = small.rows;
  v.cols = small.cols;
  v.outputs_before = small.outputs;
  v.outputs_after = large.outputs;
  return v;
}

}  // namespace tfm::expand
