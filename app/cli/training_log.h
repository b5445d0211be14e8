// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/live/training_loop.h"

namespace tfm::cli {

/// Where a command begins to train, before it resumes what it has left.
struct RunStart {
  std::string run;  ///< the same for commands that train the same, bit for bit
  ModelConfig model;
  std::int64_t step = 0;
};
RunStart startOf(const train::Document& document, const train::TrainConfig& config);

/// Writes a training as JSON lines while it runs: {"kind": "run", "step", "evaluation" or "growth",
/// "step": ..., ...} by ascending step. A step of one of several submodels names it.
class TrainingLog {
 public:
  /// Appends to a log of the same run up to the step of `now`, the document that training goes on
  /// with; what stands there of later steps, which are trained again, is dropped. Then writes what
  /// of its history since the start is not there. "-": standard output. Throws Error if the file
  /// cannot be written, and unless `force`, which replaces it, if it is anything but a log of this
  /// run.
  TrainingLog(const std::filesystem::path& path, const RunStart& start, const train::Document& now,
              const train::TrainConfig& config, bool force);
  ~TrainingLog();

  /// If writing fails, prints one message; training continues.
  void write(const train::LoopNews& news);
  /// Whether writing has failed.
  bool failed() const { return failed_; }

 private:
  struct Line;
  using Lines = std::vector<Line>;

  void takeFormer(const train::Document& now, bool force);
  void addSteps(const std::vector<train::StepMetrics>& steps, Lines& lines);
  void addEvaluations(const std::vector<train::Evaluation>& evaluations, Lines& lines);
  void addGrowths(const ModelConfig& model, std::int64_t step, Lines& lines) const;
  void put(Lines lines);

  std::filesystem::path path_;
  RunStart start_;
  train::TrainConfig config_;
  std::uint64_t seed_;
  data::TaskForm form_;
  std::vector<matformer::Granularity> granularities_;
  std::int64_t last_step_, last_evaluation_;
  std::set<std::int64_t> growths_;  // steps of those in the file
  bool has_run_ = false;            // the line of this run
  std::ofstream file_;
  std::ostream& out_;
  bool failed_ = false;
};

}  // namespace tfm::cli
