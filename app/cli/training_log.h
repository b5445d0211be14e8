// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>

#include "core/train/training_loop.h"

namespace tfm::cli {

/// Measurements as JSON lines while they are made: {"kind": "step" or "evaluation", ...}. A step
/// that trained one submodel of several says which.
class TrainingLog {
 public:
  /// Of what follows `state`. "-": standard output. Throws Error where the file cannot be written.
  TrainingLog(const std::filesystem::path& path, const ModelState& state,
              const matformer::Nesting& nesting);

  /// What an interrupted run has measured after step `begin`, before training goes on from it.
  void writePast(const train::History& history, std::int64_t begin);
  /// A log that can no longer be written is told once and does not stop training.
  void write(const train::LoopNews& news);
  /// Whether something of it could not be written.
  bool failed() const { return failed_; }

 private:
  void writeSteps(const std::vector<train::StepMetrics>& steps);
  void writeEvaluations(const std::vector<train::Evaluation>& evaluations);
  void line(const nlohmann::ordered_json& json);

  std::filesystem::path path_;
  matformer::Nesting nesting_;
  std::uint64_t seed_;
  std::vector<matformer::Granularity> granularities_;
  std::int64_t last_step_, last_evaluation_;
  std::ofstream file_;
  std::ostream& out_;
  bool failed_ = false;
};

}  // namespace tfm::cli
