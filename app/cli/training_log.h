// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>

#include "core/train/training_loop.h"

namespace tfm::cli {

/// Writes measurements as JSON lines during training: {"kind": "step" or "evaluation", ...}. A step
/// of one of several submodels names it.
class TrainingLog {
 public:
  /// Logs measurements after `state`. "-": standard output. Throws Error if the file cannot be
  /// written.
  TrainingLog(const std::filesystem::path& path, const ModelState& state,
              const matformer::Nesting& nesting);

  /// Writes the measurements of an interrupted run after step `begin`, before it is resumed.
  void writePast(const train::History& history, std::int64_t begin);
  /// If writing fails, prints one message; training continues.
  void write(const train::LoopNews& news);
  /// Whether writing has failed.
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
