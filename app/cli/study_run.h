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
#include "core/train/study_runs.h"

namespace tfm::cli {

/// The options of every study.
struct StudyOptions {
  /// Declares the options. Must not move until the verb has run.
  explicit StudyOptions(CLI::App& app);

  std::string preset, config, out;
  TaskOptions task;
  TrainOptions train;
  std::int64_t steps = 1000, seeds = 3;
  int threads = 1;
  bool json = false, force = false;

  /// The model, fitted to its task. Throws Error naming what is wrong.
  Experiment experiment() const;
  /// 1, 2, ... `seeds`.
  std::vector<std::uint64_t> seedNumbers() const;
  /// Sets seeds, steps and threads of a study.
  template <class Config>
  void applyTo(Config& study) const {
    study.seeds = seedNumbers();
    study.steps = steps;
    study.threads = threads;
  }
};

/// Declares --examples: the number of held-out examples to evaluate each model.
void addExamplesOption(CLI::App& options, std::int64_t& examples);

/// "3 seeds" or "1 seed".
std::string seedsText(std::int64_t runs);
/// "0.31 +- 0.02", or the mean alone for a single run.
std::string spreadText(const std::string& mean, const std::string& deviation, std::int64_t runs);

/// Called with the share done; return false to stop.
using StudyProgress = std::function<bool(double share)>;

/// What determines the runs of a study. `kind`: specific to this kind of study. `examples`:
/// held-out examples; 0: as in training.
train::StudyParts madeWith(const StudyOptions& options, const std::string& kind,
                           const ModelConfig& model, const data::TaskConfig& task,
                           const train::TrainConfig& train, std::int64_t examples);

/// A study to run.
struct StudyRun {
  train::StudyParts made_with;  ///< see madeWith()
  /// Returns the table. Finished runs are stored in `runs` and reused from there.
  std::function<std::string(const StudyProgress&, std::shared_ptr<train::StudyRuns> runs)> run;
  std::function<void()> print;
};

/// Runs a study with progress on a terminal, saves its table, also after Ctrl-C, and prints it.
/// Resumes from the finished runs of an interrupted study with the same options. Returns the exit
/// code.
int runAndSave(const StudyOptions& options, const data::TaskConfig& task, const StudyRun& study);

/// The same for a study of the engine; the table is toTsv() of its result, which `show` prints.
template <class Config, class Result, class Show>
int runAndSave(const StudyOptions& options, const Config& study,
               Result (*run)(const Config&, const std::function<bool(double, const Result&)>&),
               const Show& show) {
  Result result;
  std::int64_t examples = 0;
  if constexpr (requires { study.examples; }) examples = study.examples;
  StudyRun one;
  one.made_with =
      madeWith(options, toTsv(Result()), study.model, study.task, study.train, examples);
  one.run = [&](const StudyProgress& progress, std::shared_ptr<train::StudyRuns> runs) {
    Config with_runs = study;
    with_runs.kept = std::move(runs);
    result = run(with_runs, [&](double share, const Result&) { return progress(share); });
    return toTsv(result);
  };
  one.print = [&] { show(result); };
  return runAndSave(options, study.task, one);
}

}  // namespace tfm::cli
