// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/wiring_study.h"

#include <CLI/App.hpp>
#include <iomanip>
#include <memory>
#include <sstream>

#include "app/cli/at_option.h"
#include "app/cli/output.h"
#include "app/cli/study_run.h"
#include "app/cli/verbs.h"

namespace tfm::cli {
namespace {

StudySummary summaryOfWirings(const train::WiringStudyResult& result) {
  std::ostringstream lines;
  lines << "seed  wiring     size    width  shuffled  by label     alone  reloaded   changed\n";
  for (const train::WiringPoint& p : result.points) {
    lines << std::left << std::setw(6) << p.seed << std::setw(11) << p.wiring << std::setw(4)
          << p.name << std::right << std::setw(9) << withCommas(p.width);
    for (const double share : {p.shuffled, p.by_label, p.alone, p.reloaded, p.changed})
      lines << std::setw(10) << percent(share);
    lines << '\n';
  }
  return {lines.str(), "points", train::tableOf(result.points)};
}

/// An Error about the wiring gets --preset as its place.
train::WiringStudyResult runWirings(const train::StudyConfig& study,
                                    const train::StudyProgress<train::WiringPoint>& progress) {
  return atOption(
      "--preset", [&] { return train::runWiringStudy(study, progress); }, "the notebook's wiring");
}

int run(const StudyOptions& o) {
  return runAndSave<train::WiringPoint>(o, o.study(), runWirings, summaryOfWirings);
}

}  // namespace

Action prepareWiringStudy(CLI::App& app) {
  const auto o = std::make_shared<StudyOptions>(app);
  addExamplesOption(app, *o);
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
