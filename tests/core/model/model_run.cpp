// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/model/model_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/backend/cpu/cpu_backend.h"
#include "core/tensor/random.h"

namespace tfm::test {
namespace {

template <class Real>
std::vector<double> numbersOf(MatrixView<Real> view) {
  return {view.data, view.data + view.size()};
}

}  // namespace

ModelRun::ModelRun(const ModelConfig& config, const BatchShape& shape,
                   const ProgramOptions& options)
    : ModelRun(buildProgram(config, shape, options)) {}

ModelRun::ModelRun(Program program)
    : program_(std::make_shared<const Program>(std::move(program))),
      backend_(makeCpuBackend<double>()),
      executor_(program_, *backend_, true) {
  initialize(program_->parameters, 1, parameters_);
  gradients_.resize(parameters_.size());
}

void ModelRun::setParameter(const std::string& name, const std::vector<double>& values) {
  const ParameterInfo* info = program_->parameters.find(name);
  if (info == nullptr || info->size() != std::int64_t(values.size()))
    throw std::runtime_error("no parameter of that size: " + name);
  std::copy(values.begin(), values.end(), parameters_.begin() + info->offset);
}

void ModelRun::setIds(std::string_view name, const std::vector<std::int32_t>& values) {
  executor_.upload(program_->find(name), values);
}

void ModelRun::setNumbers(std::string_view name, const std::vector<double>& values) {
  executor_.upload(program_->find(name), values);
}

void ModelRun::setEqualWeights() {
  const auto rows = std::size_t(program_->tensor(names::kLabelWeights).rows);
  setNumbers(names::kLabelWeights, std::vector<double>(rows, 1.0 / double(rows)));
}

double ModelRun::forward() {
  executor_.forward(parameters_.data(), position);
  const TensorId loss = program_->find(names::kLoss);
  return loss == kNoTensor ? 0.0 : executor_.values(loss).at(0, 0);
}

double ModelRun::backward() {
  const double loss = forward();
  std::fill(gradients_.begin(), gradients_.end(), 0.0);
  executor_.backward(parameters_.data(), gradients_.data(), {program_->find(names::kLoss)},
                     position);
  return loss;
}

std::vector<double> ModelRun::values(std::string_view name) {
  return numbersOf(executor_.values(program_->find(name)));
}

std::vector<double> ModelRun::activationGradient(std::string_view name) {
  return numbersOf(executor_.gradient(program_->find(name)));
}

std::vector<double> ModelRun::parameterGradient(const std::string& name) {
  const ParameterInfo& info = *program_->parameters.find(name);
  return numbersOf(parameterView(gradients_.data(), info));
}

void setDrawnInputs(ModelRun& run, const ModelConfig& config) {
  std::uint32_t stream = 0;
  std::set<std::string> computed;
  for (const Step& step : run.program().steps)
    for (const TensorId id : step.outputs)
      if (id != kNoTensor) computed.insert(run.program().tensors[std::size_t(id)].name);
  for (const TensorInfo& t : run.program().tensors) {
    if ((t.role != Role::Input && t.role != Role::Ids) || computed.contains(t.name)) continue;
    const Random random(23, ++stream);
    if (t.role == Role::Input) {
      std::vector<double> values(std::size_t(t.rows * t.cols));
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] =
            t.name == names::kLabelWeights ? random.uniform(i) / double(t.rows) : random.normal(i);
      run.setNumbers(t.name, values);
      continue;
    }
    std::int64_t bound = config.output_size;
    if (t.name == names::kSourceIds)
      bound = config.source_vocabulary;
    else if (t.name == names::kTargetIds || config.output == OutputKind::Vocabulary)
      bound = config.target_vocabulary;
    std::vector<std::int32_t> values(std::size_t(t.rows), 0);
    const std::int64_t length = t.rows / run.program().shape.sequences;
    for (std::int64_t i = 0; i < t.rows; ++i) {
      if (t.name == names::kSourcePad)
        values[std::size_t(i)] = i / length % 2 == 1 && i % length == length - 1 ? 1 : 0;
      else if (t.name != names::kTargetPad)
        values[std::size_t(i)] = std::int32_t(random.integer(std::uint64_t(i), bound));
    }
    run.setIds(t.name, values);
  }
}

}  // namespace tfm::test
