// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/study.h"

#include <unistd.h>

#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/experiment.h"
#include "app/cli/growth_text.h"
#include "app/cli/output.h"
#include "app/cli/stop_signals.h"
#include "app/cli/task_options.h"
#include "app/cli/thread_option.h"
#include "app/cli/train_options.h"
#include "app/cli/verbs.h"
#include "core/data/task_table.h"
#include "core/io/atomic_file.h"
#include "core/train/fit_task.h"

namespace tfm::cli {
namespace {

struct Options {
  explicit Options(CLI::App& app) : task(app), train(app) {}

  std::string preset, config, out;
  TaskOptions task;
  TrainOptions train;
  std::vector<std::string> growths;
  std::int64_t steps = 1000, seeds = 3;
  int threads = 1;
  bool json = false;
};

train::StudyConfig studyConfig(const Options& o) {
  Experiment experiment = o.config.empty() ? presetExperiment(o.preset) : readExperiment(o.config);
  train::StudyConfig study;
  study.task = o.task.apply(experiment.task, experiment.model);
  study.train = experiment.train;
  o.train.apply(study.train, experiment.model);
  if (!o.growths.empty()) study.train.growths = scheduleFromTexts(o.growths);
  train::fitToTask(experiment.model, *data::makeTask(study.task));
  study.model = experiment.model;
  study.seeds.clear();
  for (std::int64_t seed = 1; seed <= o.seeds; ++seed) study.seeds.push_back(std::uint64_t(seed));
  study.steps = o.steps;
  study.threads = o.threads;
  return study;
}

void printResult(const Options& o, const train::StudyResult& result) {
  const std::vector<train::StudySpread> spreads = spreadOf(result);
  if (o.json) {
    nlohmann::ordered_json table = nlohmann::ordered_json::array();
    for (const train::StudySpread& s : spreads)
      table.push_back({{"arm", armName(s.arm)},
                       {"step", s.step},
                       {"runs", s.runs},
                       {"loss_mean", s.loss_mean},
                       {"loss_deviation", s.loss_deviation},
                       {"accuracy_mean", s.accuracy_mean},
                       {"accuracy_deviation", s.accuracy_deviation},
                       {"flops_mean", s.flops_mean},
                       {"seconds_mean", s.seconds_mean}});
    printJson({{"seeds", o.seeds},
               {"steps", o.steps},
               {"cancelled", result.cancelled},
               {"spread", table},
               {"file", o.out}});
    return;
  }
  for (const train::StudyArm arm : {train::StudyArm::Grown, train::StudyArm::FromScratch}) {
    const train::StudySpread* last = nullptr;
    for (const train::StudySpread& s : spreads)
      if (s.arm == arm) last = &s;
    if (last == nullptr) continue;
    std::cout << (arm == train::StudyArm::Grown ? "grown         " : "from scratch  ") << "loss "
              << shortNumber(last->loss_mean) << " +- " << shortNumber(last->loss_deviation, 2)
              << ", accuracy " << percent(last->accuracy_mean) << " +- "
              << percent(last->accuracy_deviation) << ", " << shortNumber(last->flops_mean / 1e9)
              << " GFLOP, " << shortNumber(last->seconds_mean, 3) << " s at step "
              << withCommas(last->step) << ", " << last->runs << " seeds\n";
  }
  std::cout << "saved         " << o.out << '\n';
}

int run(const Options& o) {
  const train::StudyConfig study = studyConfig(o);
  io::AtomicFile table(o.out);  // refused now rather than after hours of training
  const StopSignals signals;
  int stopped_by = 0;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const auto progress = [&](double share, const train::StudyResult&) {
    if (terminal) std::cerr << "\r" << percent(share) << " done " << std::flush;
    if (const auto signal = signals.waitFor(std::chrono::milliseconds(0))) stopped_by = *signal;
    return stopped_by == 0;
  };
  const train::StudyResult result = train::runStudy(study, progress);
  if (terminal) std::cerr << '\n';
  table.write(toTsv(result));
  table.commit();
  printResult(o, result);
  return stopped_by == 0 ? kDone : kSignal + stopped_by;
}

}  // namespace

Action prepareStudy(CLI::App& app) {
  const auto o = std::make_shared<Options>(app);
  CLI::Option_group* source = app.add_option_group("Model", "Where the small model comes from");
  source->add_option("--preset", o->preset, "A known model; see transformarium-cli presets")
      ->type_name("NAME");
  source->add_option("--config", o->config, "A JSON file with model, task and train")
      ->type_name("FILE");
  source->require_option(1);
  addGrowOption(app, o->growths);
  app.add_option("--steps", o->steps, "Of each run")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  app.add_option("--seeds", o->seeds, "How many seeds, from 1")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  addThreadsOption(app, o->threads);
  app.add_option("--out", o->out, "Where to save every measurement (.tsv)")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, o->json);
  app.footer(
      "Each seed is trained twice with the same examples: small and growing on the schedule, and\n"
      "at the final size from scratch. The table has arm, seed, step, loss, accuracy, flops,\n"
      "seconds and parameters. With --json: seeds, steps, cancelled, file; spread [{arm, step,\n"
      "runs, loss_mean, loss_deviation, accuracy_mean, accuracy_deviation, flops_mean,\n"
      "seconds_mean}].");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
