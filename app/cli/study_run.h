// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/experiment.h"
#include "app/cli/task_options.h"
#include "app/cli/train_options.h"

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
  bool json = false;

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

/// Runs a study with its progress on a terminal, saves the table that it gives, also after Ctrl-C,
/// and prints. Gives the exit code.
int runAndSave(const StudyOptions& options, const data::TaskConfig& task,
               const std::function<std::string(const StudyShare&)>& run,
               const std::function<void()>& print);

/// The same for a study of the engine, whose table is toTsv() of what it gives to `show`.
template <class Config, class Result, class Show>
int runAndSave(const StudyOptions& options, const Config& study,
               Result (*run)(const Config&, const std::function<bool(double, const Result&)>&),
               const Show& show) {
  Result result;
  const auto run_all = [&](const StudyShare& go_on) {
    result = run(study, [&](double share, const Result&) { return go_on(share); });
    return toTsv(result);
  };
  return runAndSave(options, study.task, run_all, [&] { show(result); });
}

}  // namespace tfm::cli
