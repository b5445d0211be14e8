// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/nesting_study.h"

#include <CLI/App.hpp>
#include <iomanip>
#include <memory>
#include <sstream>

#include "app/cli/nesting_options.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"

namespace tfm::cli {
namespace {

struct NestingStudyArguments : StudyOptions {
  explicit NestingStudyArguments(CLI::App& app) : StudyOptions(app), nesting(app) {}

  NestingOptions nesting;
};

StudySummary summaryOfNesting(const train::NestingStudyResult& result) {
  const std::vector<train::NestingSpread> spreads = spreadOf(result);
  std::ostringstream lines;
  for (const train::NestingSpread& s : spreads)
    lines << std::left << std::setw(5) << s.name << std::setw(12) << s.trained << std::right
          << std::setw(12) << withCommas(s.parameters) << " parameters  "
          << accuracyText(s.by_position) << ' '
          << spreadText(percent(s.accuracy.mean), percent(s.accuracy.deviation), s.runs)
          << ", loss "
          << spreadText(shortNumber(s.loss.mean), shortNumber(s.loss.deviation, 2), s.runs)
          << ", agrees in " << percent(s.agreement.mean) << ", " << seedsText(s.runs) << '\n';
  return {lines.str(), train::tableOf(spreads)};
}

int runNestingStudy(const NestingStudyArguments& o) {
  train::StudyConfig study = o.study();
  if (study.train.nesting.widths.empty())
    study.train.nesting = matformer::defaultNesting(study.model);
  o.nesting.apply(study.train, study.model);
  o.nesting.requireSizes(study.train.nesting, study.model, o.config);
  return runAndSave<train::NestingPoint>(o, study, train::runNestingStudy, summaryOfNesting);
}

}  // namespace

Action prepareNestingStudy(CLI::App& app) {
  const auto o = std::make_shared<NestingStudyArguments>(app);
  addExamplesOption(app, *o);
  app.footer(paragraph(
      "Each seed trains one nested model, and each of its sizes separately, with the same "
      "examples, optimizer and steps. Agreement is with the whole nested model of the seed. The "
      "table has seed, name, trained (nested, separately), widths, heads, parameters, flops, "
      "examples, answers (one per example; of a text, its characters), right, accuracy (of texts, "
      "hidden tokens and numbers position_accuracy) with its interval at 95 % (low, high), loss, "
      "agreement, divergence, milliseconds (of an example) and seconds (of training). With "
      "--json: " +
      membersOfReport(train::emptyTable<train::NestingSpread>(false), false) + "."));
  return [o] { return runNestingStudy(*o); };
}

}  // namespace tfm::cli
