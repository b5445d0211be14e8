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

/// What every study is told.
struct StudyOptions {
  /// Declares them. Must stay where it is until the verb has run.
  explicit StudyOptions(CLI::App& app);

  std::string preset, config, out;
  TaskOptions task;
  TrainOptions train;
  std::int64_t steps = 1000, seeds = 3;
  int threads = 1;
  bool json = false, force = false;

  /// The model fitted to its task. Throws Error naming what is wrong.
  Experiment experiment() const;
  /// 1, 2, ... as many as asked for.
  std::vector<std::uint64_t> seedNumbers() const;
  /// Gives a study its seeds, steps and threads.
  template <class Config>
  void applyTo(Config& study) const {
    study.seeds = seedNumbers();
    study.steps = steps;
    study.threads = threads;
  }
};

/// Declares --examples: how many held-out ones measure each model.
void addExamplesOption(CLI::App& options, std::int64_t& examples);

/// "3 seeds" or "1 seed".
std::string seedsText(std::int64_t runs);
/// "0.31 +- 0.02", or the mean alone where a single run has no deviation.
std::string spreadText(const std::string& mean, const std::string& deviation, std::int64_t runs);

/// Told the share that is done; false: it is to stop.
using StudyShare = std::function<bool(double share)>;

/// What the runs of a study follow from. `kind`: what only this kind of study has. `examples`:
/// held-out ones; 0: as the training says.
train::StudyParts madeWith(const StudyOptions& options, const std::string& kind,
                           const ModelConfig& model, const data::TaskConfig& task,
                           const train::TrainConfig& train, std::int64_t examples);

/// What a study is run with.
struct StudyRun {
  train::StudyParts made_with;  ///< see madeWith()
  /// Gives the table. Finished runs are kept in `runs` and taken from there.
  std::function<std::string(const StudyShare&, std::shared_ptr<train::StudyRuns> runs)> run;
  std::function<void()> print;
};

/// Runs a study with its progress on a terminal, saves the table that it gives, also after Ctrl-C,
/// and prints. Goes on from the finished runs that an interrupted study with the same options has
/// left. Gives the exit code.
int runAndSave(const StudyOptions& options, const data::TaskConfig& task, const StudyRun& study);

/// The same for a study of the engine, whose table is toTsv() of what it gives to `show`.
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
  one.run = [&](const StudyShare& go_on, std::shared_ptr<train::StudyRuns> runs) {
    Config with_runs = study;
    with_runs.kept = std::move(runs);
    result = run(with_runs, [&](double share, const Result&) { return go_on(share); });
    return toTsv(result);
  };
  one.print = [&] { show(result); };
  return runAndSave(options, study.task, one);
}

}  // namespace tfm::cli
