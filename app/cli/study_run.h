// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/experiment.h"
#include "app/cli/task_options.h"
#include "app/cli/train_options.h"
#include "core/study/compare_models.h"

namespace CLI {
class Option_group;
}

namespace tfm::cli {

/// The options of every study.
struct StudyOptions {
  /// Declares the options. Must not move until the verb has run.
  explicit StudyOptions(CLI::App& app);

  CLI::Option_group* models;  ///< exactly one of these options is given
  std::string preset, config, out;
  TaskOptions task;
  TrainOptions train;
  std::int64_t steps = 1000, seeds = 3;
  double epochs = 0.0;        ///< instead of steps; 0: not given
  std::int64_t examples = 0;  ///< held-out ones at the end of a run; 0: as in training
  int threads = 1;
  bool same_start = false;  ///< of a study that compares models
  bool json = false, force = false;

  /// The study of --preset or --config: a model fitted to its task, and seeds 1, 2, ... Throws
  /// Error naming what is wrong.
  tfm::train::StudyConfig study() const;
  /// The same of another model; `source` names it in errors.
  tfm::train::StudyConfig study(Experiment experiment, const std::string& source) const;
};

/// Declares --examples: the number of held-out examples to evaluate each model.
void addExamplesOption(CLI::App& app, StudyOptions& options);

/// "3 seeds" or "1 seed".
std::string seedsText(std::int64_t runs);
/// "0.31 +- 0.02", or the mean alone for a single run.
std::string spreadText(const std::string& mean, const std::string& deviation, std::int64_t runs);

/// What determines the runs of a study. `kind`: specific to this kind of study.
train::StudyParts madeWith(const StudyOptions& options, const std::string& kind,
                           const train::StudyConfig& study);

/// What is printed of a study.
struct StudySummary {
  std::string lines;                            ///< for people
  train::MeasuredTable rows;                    ///< "spread" in JSON
  std::vector<train::SharedStart> shared = {};  ///< with --same-start
};
/// "accuracy" or "position accuracy".
std::string accuracyText(bool by_position);

/// A study to run.
struct StudyJob {
  train::StudyParts made_with;  ///< see madeWith()
  /// Returns the table. Finished runs are stored in `runs` and reused from there; false stops.
  std::function<std::string(const std::function<bool(double share)>& progress,
                            std::shared_ptr<train::KeptRuns> runs)>
      run;
  std::function<StudySummary()> summary;
};

/// Runs a study with progress on a terminal, saves its table, also after Ctrl-C, and prints what
/// came out. Goes on from the finished runs of a study with the same options. Returns the exit
/// code. Throws Error, unless --force, if the table there is of another study, or it is not known
/// of which.
int runAndSave(const StudyOptions& options, const data::TaskConfig& task, const StudyJob& study);

/// What it reports with --json, for --help: rows with these columns; with those of --same-start.
std::string membersOfReport(const train::MeasuredTable& columns, bool same_start);

/// The same for a study of the engine.
template <class Point>
int runAndSave(const StudyOptions& options, const train::StudyConfig& study,
               const std::function<train::StudyResult<Point>(
                   const train::StudyConfig&, const train::StudyProgress<Point>&)>& run,
               const std::function<StudySummary(const train::StudyResult<Point>&)>& summary) {
  train::StudyResult<Point> result;
  StudyJob one;
  one.made_with = madeWith(
      options, toTsv(train::emptyTable<Point>(false)) + toTsv(train::emptyTable<Point>(true)),
      study);
  one.run = [&](const auto& progress, std::shared_ptr<train::KeptRuns> runs) {
    train::StudyConfig with_runs = study;
    with_runs.kept = std::move(runs);
    result = run(with_runs, [&](double share, const auto&) { return progress(share); });
    return toTsv(result);
  };
  one.summary = [&] { return summary(result); };
  return runAndSave(options, study.task, one);
}

}  // namespace tfm::cli
