// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_run.h"

#include <unistd.h>

#include <CLI/App.hpp>
#include <iostream>

#include "app/cli/feature_run.h"
#include "app/cli/output.h"
#include "app/cli/stop_signals.h"
#include "app/cli/thread_option.h"
#include "app/cli/verbs.h"
#include "core/data/task_table.h"
#include "core/io/atomic_file.h"
#include "core/train/fit_task.h"

namespace tfm::cli {

StudyOptions::StudyOptions(CLI::App& app) : task(app), train(app, StopRules::None) {
  CLI::Option_group* source = app.add_option_group("Model", "Where the model comes from");
  source->add_option("--preset", preset, "A known model; see transformarium-cli presets")
      ->type_name("NAME");
  source->add_option("--config", config, "A JSON file with model, task and train")
      ->type_name("FILE");
  source->require_option(1);
  app.add_option("--steps", steps, "Of each run")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  app.add_option("--seeds", seeds, "How many seeds, from 1")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  addThreadsOption(app, threads);
  app.add_option("--out", out, "Where to save every measurement (.tsv)")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, json);
}

void addExamplesOption(CLI::App& options, std::int64_t& examples) {
  options.add_option("--examples", examples, "Held-out examples that measure each model")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000));
}

Experiment StudyOptions::experiment() const {
  Experiment experiment = config.empty() ? presetExperiment(preset) : readExperiment(config);
  experiment.task = task.apply(experiment.task, experiment.model);
  train.apply(experiment.train, experiment.model);
  train::fitToTask(experiment.model, *data::makeTask(*experiment.task));
  return experiment;
}

std::vector<std::uint64_t> StudyOptions::seedNumbers() const {
  std::vector<std::uint64_t> numbers;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) numbers.push_back(std::uint64_t(seed));
  return numbers;
}

std::string seedsText(std::int64_t runs) {
  return std::to_string(runs) + (runs == 1 ? " seed" : " seeds");
}

std::string spreadText(const std::string& mean, const std::string& deviation, std::int64_t runs) {
  return runs < 2 ? mean : mean + " +- " + deviation;
}

int runAndSave(const StudyOptions& options, const data::TaskConfig& task,
               const std::function<std::string(const StudyShare&)>& run,
               const std::function<void()>& print) {
  std::vector<GivenFile> read = options.task.files();
  read.push_back({"--config", options.config});
  requireOtherFiles(read, {{"--out", options.out}});
  io::AtomicFile table(options.out);  // refused now rather than after hours of training
  const StopSignals signals;
  if (const int signal = fillFeatureCache(task, options.threads, signals).signal; signal != 0)
    return kSignal + signal;
  int stopped_by = 0;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const auto go_on = [&](double share) {
    if (terminal) std::cerr << "\r" << percent(share) << " done " << std::flush;
    if (const auto signal = signals.waitFor(std::chrono::milliseconds(0))) stopped_by = *signal;
    return stopped_by == 0;
  };
  const std::string lines = run(go_on);
  if (terminal) std::cerr << '\n';
  table.write(lines);
  table.commit();
  print();
  return stopped_by == 0 ? kDone : kSignal + stopped_by;
}

}  // namespace tfm::cli
