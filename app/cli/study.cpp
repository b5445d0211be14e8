// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iomanip>
#include <memory>
#include <sstream>

#include "app/cli/at_option.h"
#include "app/cli/growth_text.h"
#include "app/cli/output.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"
#include "core/train/growth_study.h"

namespace tfm::cli {
namespace {

struct Options : StudyOptions {
  using StudyOptions::StudyOptions;
  std::vector<std::string> growths;
};

/// What each arm has reached.
StudySummary summaryOf(const train::StudyCurves& curves) {
  const std::vector<train::StudySpread> spreads = spreadOf(curves);
  std::ostringstream lines;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const train::StudySpread& s = spreads[i];
    if (i + 1 < spreads.size() && spreads[i + 1].arm == s.arm) continue;
    std::string arm = s.arm;
    std::ranges::replace(arm, '_', ' ');
    lines << std::left << std::setw(13) << arm << " loss "
          << spreadText(shortNumber(s.loss_mean), shortNumber(s.loss_deviation, 2), s.runs)
          << ", accuracy "
          << spreadText(percent(s.accuracy_mean), percent(s.accuracy_deviation), s.runs) << ", "
          << shortNumber(s.flops_mean / 1e9) << " GFLOP, " << shortNumber(s.seconds_mean, 3)
          << " s at step " << withCommas(s.step) << ", " << seedsText(s.runs) << '\n';
  }
  return {lines.str(), "spread", train::tableOf(spreads)};
}

/// An Error about the growths gets --grow as its place.
train::StudyCurves runStudy(const train::StudyConfig& study,
                            const train::StudyProgress<train::StudyPoint>& progress) {
  return atOption(
      "--grow", [&] { return train::runGrowthStudy(study, progress); }, "study");
}

int run(const Options& o) {
  train::StudyConfig study = o.study();
  if (!o.growths.empty()) study.train.growths = scheduleFromTexts(o.growths);
  return runAndSave<train::StudyPoint>(o, study, runStudy, summaryOf);
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
