// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/task_config.h"
#include "core/model/model_config.h"
#include "core/study/kept_runs.h"
#include "core/study/study_table.h"
#include "core/tensor/aligned_vector.h"
#include "core/train/clock.h"
#include "core/train/train_config.h"

namespace tfm::train {

/// One of the models that are compared, and how it is trained. It may grow meanwhile.
struct StudyArm {
  std::string name;
  ModelConfig model;
  TrainConfig train;  ///< seed and stop rules are left out
  /// What it starts from, as of a saved model; null: initial values drawn from the seed.
  std::shared_ptr<const AlignedVector<float>> weights = nullptr;
  /// The one of its nested submodels that is measured, by name; empty: the whole model.
  std::string granularity = {};
};

/// The budget that all compared models share, that of the first: each other one trains until
/// another step would take more operations (see StudyPoint::flops) or seconds than all steps of the
/// first.
enum class Equal { Steps, Operations, Seconds };

/// What is studied: runs of a model on a task, the same for each seed. What the runs are, and what
/// they measure, is the kind of study: see compare_models.h, nesting_study.h.
struct StudyConfig {
  ModelConfig model;
  data::TaskConfig task;
  TrainConfig train;  ///< stop rules are left out
  std::vector<std::uint64_t> seeds{1, 2, 3};
  std::int64_t steps = 1000;     ///< of each run
  std::int64_t examples = 1000;  ///< held-out ones, where they are measured at the end of a run
  int threads = 1;
  /// For compareModels(), which uses them instead of model and training.
  std::vector<StudyArm> arms = {};
  Equal equal = Equal::Steps;  ///< to `steps` of the first arm
  /// Arms start with the numbers of the first in all tensors that have the same name and sizes.
  bool same_start = false;
  /// Finished runs are taken from here and put here; may be null.
  std::shared_ptr<KeptRuns> kept = nullptr;
};

/// What was measured. A point has the columns of its table, among them its seed.
template <class Point>
struct StudyResult {
  std::vector<Point> points;  ///< run after run
  bool cancelled = false;     ///< the last run may be incomplete
};

/// Called after every measurement, and about ten times per second between them, with the completed
/// share of all runs and the points so far; returns false to cancel.
template <class Point>
using StudyProgress = std::function<bool(double share, const StudyResult<Point>& so_far)>;

template <class Point>
std::string toTsv(const StudyResult<Point>& result) {
  return toTsv(result.points);
}

/// Does the runs of a study one after the other: reuses those that were kept, keeps those that it
/// finishes, and reports progress until it is cancelled.
template <class Point>
class StudyRunner {
 public:
  /// Throws Error where there is no seed.
  StudyRunner(const StudyConfig& config, const StudyProgress<Point>& progress,
              std::size_t runs_of_a_seed)
      : config_(config), progress_(progress), runs_(double(config.seeds.size() * runs_of_a_seed)) {
    if (config.seeds.empty())
      throw Error("there is no seed", "study", "Name at least one; three show a spread");
  }

  bool cancelled() const { return result_.cancelled; }
  const StudyResult<Point>& soFar() const { return result_; }
  StudyResult<Point> takeResult() { return std::move(result_); }

  /// One run. `measure` trains and adds points, and returns whether all of them are there; it is
  /// not called for a run that is kept, or after the study was cancelled.
  void run(std::uint64_t seed, const std::string& name, const std::function<bool()>& measure) {
    const std::string run = runName(seed, name);
    if (take(run) || result_.cancelled) return;
    const auto before = std::ptrdiff_t(result_.points.size());
    share_of_run_ = 0.0;
    const bool whole = measure();
    ++runs_done_;
    share_of_run_ = 0.0;
    if (!whole || !config_.kept) return;
    const auto first = result_.points.begin() + before;
    config_.kept->keep(run, toTsv(std::vector<Point>(first, result_.points.end())));
  }
  /// Calls `step`, which returns the share of the run that is done with it, until that is 1.
  /// Whether it came to the end.
  template <class Step>
  bool trainUntilDone(const Step& step) {
    while (share_of_run_ < 1.0 && !result_.cancelled) {
      share_of_run_ = step();
      if (added_ || pace_.isDue()) report();
    }
    return share_of_run_ >= 1.0;
  }
  /// Calls `step` for each of the study's steps. Whether it came to the end.
  template <class Step>
  bool train(const Step& step) {
    std::int64_t done = 0;
    return trainUntilDone([&] {
      step();
      return double(++done) / double(config_.steps);
    });
  }
  /// Reported after the current step, or by report().
  void add(Point point) {
    result_.points.push_back(std::move(point));
    added_ = true;
  }
  void report() {
    added_ = false;
    if (progress_ && !result_.cancelled)
      result_.cancelled = !progress_((double(runs_done_) + share_of_run_) / runs_, result_);
  }

 private:
  bool take(const std::string& run) {
    const auto text = config_.kept ? config_.kept->find(run) : std::nullopt;
    if (!text) return false;
    try {
      for (Point& point : pointsFromTsv<Point>(*text, run)) result_.points.push_back(point);
    } catch (const Error&) {
      return false;  // whatever it is, the run is done again
    }
    ++runs_done_;
    report();
    return true;
  }

  const StudyConfig& config_;
  const StudyProgress<Point>& progress_;
  const double runs_;
  RateLimiter pace_;
  std::int64_t runs_done_ = 0;
  double share_of_run_ = 0.0;
  bool added_ = false;
  StudyResult<Point> result_;
};

}  // namespace tfm::train
