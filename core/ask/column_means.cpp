// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/column_means.h"

#include <algorithm>
#include <memory>

#include "core/backend/buffer.h"
#include "core/data/batches.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kAtOnce = 25;  // examples

/// Whether the rows of each tensor are positions of the decoder's text.
std::vector<bool> ofTarget(const Program& program) {
  std::vector<bool> of_target(program.tensors.size());
  if (const TensorId ids = program.find(names::kTargetIds); ids != kNoTensor)
    of_target[std::size_t(ids)] = true;
  for (const Step& step : program.steps)
    for (const TensorId output : step.outputs)
      if (output != kNoTensor)
        of_target[std::size_t(output)] = of_target[std::size_t(step.inputs.front())];
  return of_target;
}

/// Whether a position of the decoder's text is not after the last one that counts.
std::vector<bool> countedTargets(const Batch& batch) {
  std::vector<bool> counted(std::size_t(batch.size * batch.target_length));
  if (batch.label_weights.size() != counted.size()) {
    counted.flip();
    return counted;
  }
  for (std::int64_t s = 0; s < batch.size; ++s) {
    bool counts = false;
    for (std::int64_t p = batch.target_length; p-- > 0;) {
      const auto at = std::size_t(s * batch.target_length + p);
      counts = counts || batch.label_weights[at] > 0.0F;
      counted[at] = counts;
    }
  }
  return counted;
}

/// The rows of a tensor that are no padding.
template <class Real>
std::vector<bool> countedRows(Executor<Real>& executor, const Batch& batch, TensorId tensor,
                              bool of_target) {
  const Program& program = executor.program();
  const std::int64_t rows = program.tensors[std::size_t(tensor)].rows;
  if (of_target && rows == batch.size * batch.target_length) return countedTargets(batch);
  std::vector<bool> counted(std::size_t(rows), true);
  const auto without = [&](const auto& pads) {
    for (std::size_t r = 0; r < counted.size(); ++r) counted[r] = pads[r] == 0;
  };
  if (rows == std::int64_t(batch.source_pad.size())) {
    without(batch.source_pad);
    return counted;
  }
  for (const Step& step : program.steps)
    if (step.op == &ops::kPoolIds &&
        program.tensors[std::size_t(step.outputs.front())].rows == rows)
      without(executor.ids(step.outputs.front()));
  return counted;
}

}  // namespace

template <class Real>
std::map<std::string, std::vector<double>> columnMeans(const ModelState& state,
                                                       const data::Task& task,
                                                       const std::set<std::string>& tensors,
                                                       std::int64_t examples,
                                                       const Backend<Real>& backend) {
  const data::Framing framing = framingFor(state.config, task);
  const std::int64_t all = data::evaluationCount(task, examples);
  const AlignedVector<Real> numbers(state.parameters.begin(), state.parameters.end());
  const DeviceCopy<Real> parameters(backend.memory(), std::span<const Real>(numbers));
  std::map<std::string, std::vector<double>> means;
  std::map<std::string, double> rows;
  std::unique_ptr<Executor<Real>> executor;
  for (std::int64_t first = 0; first < all; first += kAtOnce) {
    const Batch batch =
        data::evaluationBatch(task, framing, std::uint64_t(first), std::min(kAtOnce, all - first));
    const BatchShape shape{batch.size, batch.source_length, batch.target_length};
    if (!executor || !(executor->program().shape == shape))
      executor = std::make_unique<Executor<Real>>(
          std::make_shared<const Program>(buildProgram(state.config, shape, {})), backend, false);
    setInputs(*executor, batch, 0);
    executor->forward(parameters.data(), {0, std::uint64_t(state.step), 0});
    const std::vector<bool> of_target = ofTarget(executor->program());
    for (const std::string& name : tensors) {
      const TensorId id = executor->program().find(name);
      const std::vector<bool> counted =
          countedRows(*executor, batch, id, of_target[std::size_t(id)]);
      const MatrixView<const Real> values = executor->values(id);
      std::vector<double>& sums = means[name];
      sums.resize(std::size_t(values.cols));
      Eigen::Map<Eigen::RowVectorXd> sum(sums.data(), values.cols);
      for (std::int64_t r = 0; r < values.rows; ++r)
        if (counted[std::size_t(r)]) sum += map(values).row(r).template cast<double>();
      rows[name] += double(std::ranges::count(counted, true));
    }
  }
  for (auto& [name, sums] : means)
    for (double& sum : sums) sum /= std::max(1.0, rows[name]);
  return means;
}

template std::map<std::string, std::vector<double>> columnMeans(const ModelState&,
                                                                const data::Task&,
                                                                const std::set<std::string>&,
                                                                std::int64_t,
                                                                const Backend<float>&);
template std::map<std::string, std::vector<double>> columnMeans(const ModelState&,
                                                                const data::Task&,
                                                                const std::set<std::string>&,
                                                                std::int64_t,
                                                                const Backend<double>&);

}  // namespace tfm::train
