// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/growth_text.h"
#include "app/cli/output.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"
#include "core/train/study_table.h"

namespace tfm::cli {
namespace {

struct Options : StudyOptions {
  using StudyOptions::StudyOptions;
  std::vector<std::string> growths;
};

train::StudyConfig studyConfig(const Options& o) {
  const Experiment experiment = o.experiment();
  train::StudyConfig study{experiment.model, *experiment.task, experiment.train};
  if (!o.growths.empty()) study.train.growths = scheduleFromTexts(o.growths);
  o.applyTo(study);
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
              << spreadText(shortNumber(last->loss_mean), shortNumber(last->loss_deviation, 2),
                            last->runs)
              << ", accuracy "
              << spreadText(percent(last->accuracy_mean), percent(last->accuracy_deviation),
                            last->runs)
              << ", " << shortNumber(last->flops_mean / 1e9) << " GFLOP, "
              << shortNumber(last->seconds_mean, 3) << " s at step " << withCommas(last->step)
              << ", " << seedsText(last->runs) << '\n';
  }
  std::cout << "saved         " << o.out << '\n';
}

/// An Error about the growths gets --grow as its place.
train::StudyResult runStudy(
    const train::StudyConfig& study,
    const std::function<bool(double, const train::StudyResult&)>& progress) {
  return atOption(
      "--grow", [&] { return train::runStudy(study, progress); }, "study");
}

int run(const Options& o) {
  const train::StudyConfig study = studyConfig(o);
  return runAndSave(o, study, runStudy,
                    [&](const train::StudyResult& result) { printResult(o, result); });
}

}  // namespace

Action prepareStudy(CLI::App& app) {
  const auto o = std::make_shared<Options>(app);
  addGrowOption(app, o->growths);
  app.footer(
      "Each seed is trained twice with the same examples: small and growing on the schedule, and\n"
      "at the final size from scratch. The table has arm, seed, step, loss, accuracy, flops,\n"
      "seconds and parameters; Does it pay? on the window's Grow screen opens it and exports its\n"
      "figure. With --json: seeds, steps, cancelled, file; spread [{arm, step,\n"
      "runs, loss_mean, loss_deviation, accuracy_mean, accuracy_deviation, flops_mean,\n"
      "seconds_mean}].");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
