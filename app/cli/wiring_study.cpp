// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/wiring_study.h"

#include <CLI/App.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/output.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"

namespace tfm::cli {
namespace {

struct Options : StudyOptions {
  using StudyOptions::StudyOptions;

  std::int64_t examples = 1000;
};

void showJson(const Options& o, const train::WiringStudyResult& result) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const train::WiringPoint& p : result.points)
    points.push_back({{"seed", p.seed},
                      {"wiring", p.notebook ? "notebook" : "published"},
                      {"name", p.name},
                      {"width", p.width},
                      {"parameters", p.parameters},
                      {"examples", p.examples},
                      {"shuffled", p.shuffled},
                      {"by_label", p.by_label},
                      {"alone", p.alone},
                      {"reloaded", p.reloaded},
                      {"changed", p.changed}});
  printJson({{"seeds", o.seeds},
             {"steps", o.steps},
             {"cancelled", result.cancelled},
             {"points", points},
             {"file", o.out}});
}

void showTable(const Options& o, const train::WiringStudyResult& result) {
  std::cout << "seed  wiring     size    width  shuffled  by label     alone  reloaded   changed\n";
  for (const train::WiringPoint& p : result.points)
    std::cout << std::left << std::setw(6) << p.seed << std::setw(11)
              << (p.notebook ? "notebook" : "published") << std::setw(4) << p.name << std::right
              << std::setw(9) << withCommas(p.width) << std::setw(10) << percent(p.shuffled)
              << std::setw(10) << percent(p.by_label) << std::setw(10) << percent(p.alone)
              << std::setw(10) << percent(p.reloaded) << std::setw(10) << percent(p.changed)
              << '\n';
  std::cout << "saved " << o.out << '\n';
}

/// An Error about the wiring gets --preset as its place.
train::WiringStudyResult runStudy(
    const train::WiringStudyConfig& study,
    const std::function<bool(double, const train::WiringStudyResult&)>& progress) {
  return atOption(
      "--preset", [&] { return train::runWiringStudy(study, progress); }, "the notebook's wiring");
}

int run(const Options& o) {
  const Experiment experiment = o.experiment();
  train::WiringStudyConfig study{experiment.model, *experiment.task, experiment.train};
  o.applyTo(study);
  study.examples = o.examples;
  return runAndSave(o, study, runStudy, [&](const train::WiringStudyResult& result) {
    o.json ? showJson(o, result) : showTable(o, result);
  });
}

}  // namespace

Action prepareWiringStudy(CLI::App& app) {
  const auto o = std::make_shared<Options>(app);
  addExamplesOption(app, o->examples);
  app.footer(
      "A well-known notebook wires nested submodels so that attention runs over the texts of a\n"
      "batch and is never trained. Each seed trains that wiring and the published method (Devvrit\n"
      "et al. 2023) with the joint loss, the same examples, sizes, learning rate and steps. The\n"
      "table has seed, wiring, name, width, parameters (trained ones), examples and shares:\n"
      "  shuffled   right answers, in batches in a random order\n"
      "  by_label   the same, with one class after the other\n"
      "  alone      the same, one text at a time\n"
      "  reloaded   the same as shuffled, after saving and opening the model\n"
      "  changed    answers that differ between two random orders\n"
      "With --json: seeds, steps, cancelled, file; points [these columns].");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
