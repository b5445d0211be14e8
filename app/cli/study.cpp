// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <iomanip>
#include <memory>
#include <sstream>

#include "app/cli/arm_text.h"
#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/growth_text.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/study/growth_study.h"

namespace tfm::cli {
namespace {

/// By train::Equal.
constexpr std::array kEqual{"steps", "operations", "seconds"};

struct StudyArguments : StudyOptions {
  using StudyOptions::StudyOptions;
  std::vector<std::string> growths, arms;
  std::string equal = kEqual.front();
};

std::string armText(std::string arm) {
  std::ranges::replace(arm, '_', ' ');
  return arm;
}

/// What each arm has reached.
StudySummary summaryOfGrowth(const train::StudyCurves& curves) {
  const std::vector<train::StudySpread> spreads = spreadOf(curves);
  std::ostringstream lines;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const train::StudySpread& s = spreads[i];
    if (i + 1 < spreads.size() && spreads[i + 1].arm == s.arm) continue;
    lines << std::left << std::setw(13) << armText(s.arm) << ' ' << withCommas(s.parameters)
          << " parameters, loss "
          << spreadText(shortNumber(s.loss_mean), shortNumber(s.loss_deviation, 2), s.runs) << ", "
          << accuracyText(s.by_position) << ' '
          << spreadText(percent(s.accuracy_mean), percent(s.accuracy_deviation), s.runs) << ", "
          << shortNumber(s.flops_mean / 1e9) << " GFLOP, " << shortNumber(s.seconds_mean, 3)
          << " s at step " << withCommas(s.step) << ", " << seedsText(s.runs) << '\n';
  }
  return {lines.str(), train::tableOf(spreads)};
}

std::string lineOf(const train::SharedStart& one) {
  return "same start: " + armText(one.arm) + " has " + withCommas(one.tensors) + " of its " +
         withCommas(one.all_tensors) + " tensors, " +
         percent(double(one.parameters) / double(one.all_parameters)) +
         " of its parameters, as the first model\n";
}

int runStudy(const StudyArguments& o) {
  const bool growing = o.arms.empty();
  train::StudyConfig study = growing ? o.study() : studyOfArms(o, o.arms);
  if (!growing && !o.growths.empty())
    throw Error("--grow is for one model of --preset or --config", "--grow",
                "Add it to the model that is to grow: --arm NAME=MODEL," + o.growths.front());
  study.equal = train::Equal(std::ranges::find(kEqual, o.equal) - kEqual.begin());
  if (!o.growths.empty()) study.train.growths = scheduleFromTexts(o.growths);
  study.same_start = o.same_start;
  const auto run_study = [&](const auto& config, const auto& progress) {
    const auto begin = growing ? train::runGrowthStudy : train::compareModels;
    return atOption(
        growing ? "--grow" : "--arm", [&] { return begin(config, progress); }, "study");
  };
  const auto summary = [&](const train::StudyCurves& curves) {
    StudySummary summary = summaryOfGrowth(curves);
    if (!study.same_start) return summary;
    summary.shared = train::sharedStarts(growing ? train::growthStudyArms(study) : study);
    for (const train::SharedStart& one : summary.shared) summary.lines += lineOf(one);
    return summary;
  };
  return runAndSave<train::StudyPoint>(o, study, run_study, summary);
}

}  // namespace

Action prepareStudy(CLI::App& app) {
  const auto o = std::make_shared<StudyArguments>(app);
  addArmOption(*o->models, o->arms);
  addChoice(app, "--equal", o->equal, {kEqual.begin(), kEqual.end()},
            "The budget that is equal for all models, set by the first in its --steps: steps, "
            "operations or seconds");
  app.add_flag("--same-start", o->same_start,
               "Each tensor that has the name and sizes of one of the first model starts with its "
               "numbers, for each seed");
  addGrowOption(app, o->growths);
  app.footer(paragraph(
      "Each seed trains each model with the same examples, optimizer and batch size: those of the "
      "first --arm, unless an option says otherwise. Without --arm, one model is trained twice: "
      "small and growing on the schedule of --grow, and at the final size from scratch. The table "
      "has arm, seed, step, loss, accuracy (share of answers that are right in every position; of "
      "texts, hidden tokens and numbers position_accuracy instead, the share of right positions), "
      "flops, seconds and parameters; Training, Compare models in the window opens it and exports "
      "its figure. With --json: " +
      membersOfReport(train::emptyTable<train::StudySpread>(false), true) +
      "; where the table has position_accuracy, so has the spread. A seed draws the weights of "
      "each tensor from a stream that the tensor's place in the model chooses: models whose lists "
      "of tensors differ (info lists them) start from other weights even in tensors of the same "
      "name and size, unless --same-start is given. A growth by method=mask must be fully open at "
      "the end of its run."));
  return [o] { return runStudy(*o); };
}

}  // namespace tfm::cli
