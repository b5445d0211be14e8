// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/probe.h"

#include "core/base/check.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/observe/selector.h"

namespace tfm::observe {
namespace {

std::shared_ptr<const Program> watchedProgram(const ModelConfig& config, const Batch& batch) {
  return std::make_shared<const Program>(
      probedProgram(config, {batch.size, batch.source_length, batch.target_length}));
}

}  // namespace

Program probedProgram(const ModelConfig& config, const BatchShape& shape) {
  ProgramOptions options;
  options.scores = true;
  return buildProgram(config, shape, options);
}

Observations ofSequence(const Observations& all, const Program& alone, std::int64_t sequence) {
  Observations result;
  for (const auto& [name, tensor] : all) {
    const std::int64_t rows = alone.tensor(name).rows;
    const std::int64_t first = tensor.rows > rows ? sequence * rows * tensor.cols : 0;
    check(rows * tensor.cols + first <= std::int64_t(tensor.values.size()),
          "the sequence is in the batch");
    const auto begin = tensor.values.begin() + std::ptrdiff_t(first);
    result[name] = {rows, tensor.cols, {begin, begin + std::ptrdiff_t(rows * tensor.cols)}};
  }
  return result;
}

Probe::Probe(const ModelConfig& config, const Batch& batch, const Backend<float>& backend)
    : backend_(backend), executor_(watchedProgram(config, batch), backend, false) {}

Observations Probe::run(std::span<const float> parameters, const Batch& batch,
                        std::string_view pattern, std::uint64_t step) {
  setInputs(executor_, batch, 0);
  const DeviceCopy<float> on_device(backend_.memory(), parameters);
  executor_.forward(on_device.data(), {0, step, 0});
  Observations result;
  for (const auto& [name, id] : program().index) {
    if (program().tensors[std::size_t(id)].role != Role::Activation || !selects(pattern, name))
      continue;
    const MatrixView<const float> v = executor_.values(id);
    result[name] = {v.rows, v.cols, std::vector<float>(v.data, v.data + v.size())};
  }
  return result;
}

}  // namespace tfm::observe
