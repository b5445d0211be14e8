// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/probe.h"

#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/observe/selector.h"

namespace tfm::observe {
namespace {

std::shared_ptr<const Program> watchedProgram(const ModelConfig& config, const Batch& batch) {
  ProgramOptions options;
  options.scores = true;
  return std::make_shared<const Program>(
      buildProgram(config, {batch.size, batch.source_length, batch.target_length}, options));
}

}  // namespace

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
