// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"

namespace tfm::test {

/// One model in double precision with everything that a run needs; tensors are spoken of by name.
class ModelRun {
 public:
  /// Parameters are drawn from seed 1.
  ModelRun(const ModelConfig& config, const BatchShape& shape, const ProgramOptions& options);
  explicit ModelRun(Program program);

  const Program& program() const { return *program_; }
  const Backend<double>& backend() const { return *backend_; }
  AlignedVector<double>& parameters() { return parameters_; }
  AlignedVector<double>& gradients() { return gradients_; }
  RunPosition position;

  void setParameter(const std::string& name, const std::vector<double>& values);
  void setIds(std::string_view name, const std::vector<std::int32_t>& values);
  void setNumbers(std::string_view name, const std::vector<double>& values);
  /// Every label weight: a mean over all rows.
  void setEqualWeights();

  /// The loss, or 0 for a program without one.
  double forward();
  /// forward() and the gradients of its loss.
  double backward();

  std::vector<double> values(std::string_view name);
  std::vector<double> activationGradient(std::string_view name);
  std::vector<double> parameterGradient(const std::string& name);

 private:
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Backend<double>> backend_;
  Executor<double> executor_;
  AlignedVector<double> parameters_, gradients_;
};

/// Fills every input that the program has with drawn numbers, the last source position of every
/// second sequence being padding.
void setDrawnInputs(ModelRun& run, const ModelConfig& config);

}  // namespace tfm::test
