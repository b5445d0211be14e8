// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/program/executor.h"
#include "core/program/program_builder.h"
#include "tests/core/golden.h"

namespace tfm::test {

/// A program run with a golden's "parameters" and "target", to compare with its results and the
/// "gradients" of its loss.
class GoldenLayer {
 public:
  /// The golden's parameter of that name, as a parameter of the program.
  static TensorId parameter(ProgramBuilder& b, const Golden& golden, const std::string& name) {
    const auto shape = golden.at("parameters").at(name).shape();
    const auto axis = [](std::size_t size) {
      return Dimension{{Axis::Hidden, std::int64_t(size)}};
    };
    return b.parameter(name, {axis(shape[0]), axis(shape[1])}, {});
  }

  /// `ids`: the golden's integers that the program reads.
  GoldenLayer(const Golden& golden, Program program, const std::vector<std::string>& ids = {})
      : golden_(golden),
        program_(std::make_shared<const Program>(std::move(program))),
        parameters_(std::size_t(program_->parameters.total)) {
    for (const ParameterInfo& info : program_->parameters.parameters) {
      const std::vector<double> values = golden.at("parameters").at(info.name).numbers();
      std::ranges::copy(values, parameters_.begin() + info.offset);
    }
    for (const std::string& name : ids) {
      const std::vector<double> values = golden.at(name).numbers();
      executor_.upload(program_->find(name),
                       std::vector<std::int32_t>(values.begin(), values.end()));
    }
    executor_.upload(program_->find("target"), golden.at("target").numbers());
    executor_.forward(parameters_.data(), {});
  }

  std::size_t parameters() const { return program_->parameters.parameters.size(); }
  /// The largest difference of a tensor from the golden's of that name.
  double offIn(const char* tensor, const char* name) {
    const auto values = executor_.values(program_->find(tensor));
    return worst(golden_.at(name).numbers(), {values.data, values.data + values.size()});
  }
  /// The largest difference of a gradient.
  double offInGradients() {
    AlignedVector<double> gradients(parameters_.size());
    executor_.backward(parameters_.data(), gradients.data(), {program_->find("loss")}, {});
    double result = 0.0;
    for (const ParameterInfo& info : program_->parameters.parameters) {
      const auto first = gradients.begin() + info.offset;
      result = std::max(result, worst(golden_.at("gradients").at(info.name).numbers(),
                                      {first, first + info.size()}));
    }
    return result;
  }

 private:
  static double worst(const std::vector<double>& a, const std::vector<double>& b) {
    double result = a.size() == b.size() ? 0.0 : 1e300;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      result = std::max(result, std::abs(a[i] - b[i]));
    return result;
  }

  Golden golden_;
  std::shared_ptr<const Program> program_;
  AlignedVector<double> parameters_;
  std::unique_ptr<Backend<double>> backend_ = makeCpuBackend<double>();
  Executor<double> executor_{program_, *backend_, true};
};

}  // namespace tfm::test
