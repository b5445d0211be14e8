// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/task_config.h"
#include "core/model/model_config.h"
#include "core/train/train_config.h"

namespace tfm::train {

class StudyRuns;

/// Does growing pay? A small model that grows on a schedule, against its final size from scratch.
struct StudyConfig {
  ModelConfig model;  ///< the small one
  data::TaskConfig task;
  TrainConfig train;  ///< with the schedule in `growths`; stop rules are ignored
  std::vector<std::uint64_t> seeds{1, 2, 3};
  std::int64_t steps = 1000;  ///< of each run
  int threads = 1;
  /// Where finished runs are kept (see study_runs.h); may be null.
  std::shared_ptr<StudyRuns> kept = nullptr;
};

enum class StudyArm { Grown, FromScratch };
/// "grown", "from_scratch".
std::string_view armName(StudyArm arm);

/// An evaluation of one run and its cost until then.
struct StudyPoint {
  std::int64_t step = 0;
  double loss = 0.0;
  double accuracy = 0.0;  ///< share of sequences with all positions right
  double flops = 0.0;     ///< three times those of the forward passes
  double seconds = 0.0;   ///< of training, without evaluations
  std::int64_t parameters = 0;
  bool operator==(const StudyPoint&) const = default;
};

struct StudyRun {
  StudyArm arm = StudyArm::Grown;
  std::uint64_t seed = 0;
  std::vector<StudyPoint> points;  ///< one every evaluate_every steps, and the last
};

/// The runs of one arm at one step.
struct StudySpread {
  StudyArm arm = StudyArm::Grown;
  std::int64_t step = 0;
  std::int64_t runs = 0;
  double loss_mean = 0.0, loss_deviation = 0.0;  ///< of the sample; 0 for a single run
  double accuracy_mean = 0.0, accuracy_deviation = 0.0;
  double flops_mean = 0.0;
  double seconds_mean = 0.0;
};

struct StudyResult {
  std::vector<StudyRun> runs;  ///< grown and from scratch for each seed
  bool cancelled = false;      ///< the last run may be incomplete
  ModelConfig final_model;
};

/// Called after every measurement and about ten times a second with the share of steps done and the
/// runs so far; returns false to cancel.
using StudyProgress = std::function<bool(double share, const StudyResult& so_far)>;

/// Trains both arms for each seed, with the same examples, optimizer and steps. Throws Error for a
/// schedule that is empty, ends after the last step or is impossible, and what training throws.
StudyResult runStudy(const StudyConfig& config, const StudyProgress& progress = {});

/// Mean and spread over the seeds at each measured step: first the grown, then those from scratch.
std::vector<StudySpread> spreadOf(const StudyResult& result);

}  // namespace tfm::train
