// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/nesting_study.h"

#include <CLI/App.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/nesting_options.h"
#include "app/cli/output.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"

namespace tfm::cli {
namespace {

struct Options : StudyOptions {
  explicit Options(CLI::App& app) : StudyOptions(app), nesting(app) {}

  NestingOptions nesting;
  std::int64_t examples = 1000;
};

train::NestingStudyConfig studyConfig(const Options& o) {
  const Experiment experiment = o.experiment();
  train::NestingStudyConfig study{experiment.model, *experiment.task, experiment.train};
  o.nesting.apply(study.train, study.model);
  if (study.train.nesting.widths.empty())
    study.train.nesting = matformer::defaultNesting(study.model);
  o.applyTo(study);
  study.examples = o.examples;
  return study;
}

void showJson(const Options& o, const train::NestingStudyResult& result) {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const train::NestingSpread& s : spreadOf(result))
    table.push_back({{"name", s.name},
                     {"trained", s.separate ? "separately" : "nested"},
                     {"parameters", s.parameters},
                     {"runs", s.runs},
                     {"loss_mean", s.loss.mean},
                     {"loss_deviation", s.loss.deviation},
                     {"accuracy_mean", s.accuracy.mean},
                     {"accuracy_deviation", s.accuracy.deviation},
                     {"agreement_mean", s.agreement.mean}});
  printJson({{"seeds", o.seeds},
             {"steps", o.steps},
             {"cancelled", result.cancelled},
             {"spread", table},
             {"file", o.out}});
}

void showTable(const Options& o, const train::NestingStudyResult& result) {
  for (const train::NestingSpread& s : spreadOf(result))
    std::cout << std::left << std::setw(5) << s.name << std::setw(12)
              << (s.separate ? "separately" : "nested") << std::right << std::setw(12)
              << withCommas(s.parameters) << " parameters  accuracy "
              << spreadText(percent(s.accuracy.mean), percent(s.accuracy.deviation), s.runs)
              << ", loss "
              << spreadText(shortNumber(s.loss.mean), shortNumber(s.loss.deviation, 2), s.runs)
              << ", agrees in " << percent(s.agreement.mean) << ", " << seedsText(s.runs) << '\n';
  std::cout << "saved " << o.out << '\n';
}

int run(const Options& o) {
  const train::NestingStudyConfig study = studyConfig(o);
  return runAndSave(o, study, train::runNestingStudy, [&](const train::NestingStudyResult& result) {
    o.json ? showJson(o, result) : showTable(o, result);
  });
}

}  // namespace

Action prepareNestingStudy(CLI::App& app) {
  const auto o = std::make_shared<Options>(app);
  addExamplesOption(app, o->examples);
  app.footer(
      "Each seed trains one nested model, and each of its sizes separately, with the\n"
      "same examples, optimizer and steps. Agreement is with the whole nested model of the seed.\n"
      "The table has seed, name, trained (nested, separately), widths, heads, parameters, flops,\n"
      "examples, answers (one per example; of a text, its characters), right, accuracy with its\n"
      "interval at 95 % (low, high), loss, agreement,\n"
      "divergence, milliseconds (of an example) and seconds (of training). With --json: seeds,\n"
      "steps, cancelled, file; spread [{name, trained, parameters, runs, loss_mean,\n"
      "loss_deviation, accuracy_mean, accuracy_deviation, agreement_mean}].");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
