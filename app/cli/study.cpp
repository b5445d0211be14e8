// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <iomanip>
#include <memory>
#include <sstream>

#include "app/cli/arm_text.h"
#include "app/cli/at_option.h"
#include "app/cli/growth_text.h"
#include "app/cli/output.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/train/growth_study.h"

namespace tfm::cli {
namespace {

/// By train::Equal.
constexpr std::array kEqual{"steps", "operations", "seconds"};

struct StudyArguments : StudyOptions {
  using StudyOptions::StudyOptions;
  std::vector<std::string> growths, arms;
  std::string equal = kEqual.front();
};

/// What each arm has reached.
StudySummary summaryOfGrowth(const train::StudyCurves& curves) {
  const std::vector<train::StudySpread> spreads = spreadOf(curves);
  std::ostringstream lines;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const train::StudySpread& s = spreads[i];
    if (i + 1 < spreads.size() && spreads[i + 1].arm == s.arm) continue;
    std::string arm = s.arm;
    std::ranges::replace(arm, '_', ' ');
    lines << std::left << std::setw(13) << arm << ' ' << withCommas(s.parameters)
          << " parameters, loss "
          << spreadText(shortNumber(s.loss_mean), shortNumber(s.loss_deviation, 2), s.runs)
          << ", accuracy "
          << spreadText(percent(s.accuracy_mean), percent(s.accuracy_deviation), s.runs) << ", "
          << shortNumber(s.flops_mean / 1e9) << " GFLOP, " << shortNumber(s.seconds_mean, 3)
          << " s at step " << withCommas(s.step) << ", " << seedsText(s.runs) << '\n';
  }
  return {lines.str(), "spread", train::tableOf(spreads)};
}

int runStudy(const StudyArguments& o) {
  const bool growing = o.arms.empty();
  train::StudyConfig study = growing ? o.study() : studyOfArms(o, o.arms);
  if (!growing && !o.growths.empty())
    throw Error("--grow is for one model of --preset or --config", "--grow",
                "Add it to the model that is to grow: --arm NAME=MODEL," + o.growths.front());
  study.equal = train::Equal(std::ranges::find(kEqual, o.equal) - kEqual.begin());
  if (!o.growths.empty()) study.train.growths = scheduleFromTexts(o.growths);
  const auto run_study = [&](const auto& config, const auto& progress) {
    const auto begin = growing ? train::runGrowthStudy : train::compareModels;
    return atOption(
        growing ? "--grow" : "--arm", [&] { return begin(config, progress); }, "study");
  };
  return runAndSave<train::StudyPoint>(o, study, run_study, summaryOfGrowth);
}

}  // namespace

Action prepareStudy(CLI::App& app) {
  const auto o = std::make_shared<StudyArguments>(app);
  addArmOption(*o->models, o->arms);
  app.add_option("--equal", o->equal,
                 "The budget that is equal for all models, set by the first in its --steps: steps, "
                 "operations or seconds")
      ->check(CLI::IsMember(std::vector<std::string>(kEqual.begin(), kEqual.end())))
      ->capture_default_str()
      ->type_name("WORD");
  addGrowOption(app, o->growths);
  app.footer(
      "Each seed trains each model with the same examples, optimizer and batch size: those of the\n"
      "first --arm, unless an option says otherwise. Without --arm, one model is trained\n"
      "twice: small and growing on the schedule of --grow, and at the final size from scratch.\n"
      "The table has arm, seed, step, loss, accuracy (share of answers that are right in every\n"
      "position; of texts, right positions), flops, seconds and parameters; Training, Compare\n"
      "models in the window opens it and exports its figure. With --json: seeds, steps,\n"
      "cancelled, file; spread [{arm, step, runs, loss_mean, loss_deviation, accuracy_mean,\n"
      "accuracy_deviation, flops_mean, seconds_mean, parameters}].");
  return [o] { return runStudy(*o); };
}

}  // namespace tfm::cli
