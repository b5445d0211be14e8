// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/task_options.h"
#include "app/cli/verbs.h"
#include "core/data/task_statistics.h"
#include "core/io/message_text.h"

namespace tfm::cli {
namespace {

using data::SideStatistics;

struct DataArguments {
  explicit DataArguments(CLI::App& app) : task(app) {}

  TaskOptions task;
  bool json = false;
};

double share(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0.0 : double(part) / double(all);
}

/// What data reports: a task and its examples.
struct DataResult {
  const data::Task& task;
  const data::TaskStatistics& statistics;
};

/// One side of the examples: training or evaluation.
struct DataSide {
  const data::Task& task;
  const SideStatistics& side;
};

const ResultRows<DataResult>& dataRows() {
  using Side = DataSide;
  using R = DataResult;
  static const ResultRows<data::LengthBin> bins{
      row<data::LengthBin>("first", &data::LengthBin::first),
      row<data::LengthBin>("last", &data::LengthBin::last),
      row<data::LengthBin>("count", &data::LengthBin::count)};
  static const ResultRows<Side> sides{
      row<Side>("examples", [](const Side& s) { return s.side.examples; }),
      row<Side>(
          "classes",
          [](const Side& s) {
            Json classes = Json::object();
            for (std::size_t i = 0; i < s.side.classes.size(); ++i)
              classes[s.task.targetVocabulary().token(std::int32_t(i))] = s.side.classes[i];
            return classes;
          },
          "examples of each"),
      row<Side>("tokens", [](const Side& s) { return s.side.tokens; }),
      row<Side>("unknown", [](const Side& s) { return s.side.unknown; }),
      row<Side>(
          "cut", [](const Side& s) { return s.side.cut; }, "texts that are truncated"),
      row<Side>("shortest", [](const Side& s) { return s.side.shortest; }),
      row<Side>(
          "longest", [](const Side& s) { return s.side.longest; }, "in tokens"),
      listRow<Side>("lengths", bins, [](const Side& s) { return s.side.lengths; })};
  static const ResultRows<data::Sample> samples{row<data::Sample>("source", &data::Sample::source),
                                                row<data::Sample>("target", &data::Sample::target)};
  static const ResultRows<R> rows{
      row<R>("task", [](const R& r) { return r.task.name(); }),
      row<R>(
          "vocabulary", [](const R& r) { return r.task.sourceVocabulary().size(); }, "tokens"),
      row<R>("max_length", [](const R& r) { return r.task.maxSourceLength(); }),
      row<R>(
          "left_out", [](const R& r) { return r.statistics.left_out; }, "examples"),
      row<R>("notes",
             [](const R& r) {
               Json notes = Json::array();
               for (const data::ReadingNote& note : r.task.notes()) notes.push_back(noteText(note));
               return notes;
             }),
      objectRow<R>("training", sides,
                   [](const R& r) {
                     return Side{r.task, r.statistics.training};
                   }),
      objectRow<R>("evaluation", sides,
                   [](const R& r) {
                     return Side{r.task, r.statistics.evaluation};
                   }),
      listRow<R>("samples", samples, [](const R& r) { return r.statistics.samples; })};
  return rows;
}

void printSide(const char* name, const data::Task& task, const SideStatistics& side) {
  constexpr std::int64_t kWidest = 40;
  std::cout << name << "  " << withCommas(side.examples) << " examples, " << withCommas(side.tokens)
            << " tokens, " << percent(share(side.unknown, side.tokens)) << " of them unknown, "
            << percent(share(side.cut, side.examples)) << " of the texts truncated\n";
  for (std::size_t i = 0; i < side.classes.size(); ++i)
    std::cout << "  " << std::left << std::setw(20)
              << task.targetVocabulary().token(std::int32_t(i)) << std::right << std::setw(10)
              << withCommas(side.classes[i]) << "  "
              << percent(share(side.classes[i], side.examples)) << '\n';
  std::int64_t most = 1;
  for (const data::LengthBin& bin : side.lengths) most = std::max(most, bin.count);
  std::cout << "  tokens per text, " << side.shortest << " to " << side.longest << '\n';
  for (const data::LengthBin& bin : side.lengths)
    if (bin.count > 0)
      std::cout << "  " << std::right << std::setw(6) << bin.first << " - " << std::left
                << std::setw(6) << bin.last << std::right << std::setw(10) << withCommas(bin.count)
                << "  " << std::string(std::size_t((kWidest * bin.count + most - 1) / most), '#')
                << '\n';
}

int runData(const DataArguments& o) {
  constexpr std::size_t kLongestShown = 200;
  const auto task = o.task.make(o.task.apply({}, {}));
  const data::TaskStatistics statistics = data::statisticsOf(*task);
  if (o.json) {
    printJson(jsonOf(dataRows(), DataResult{*task, statistics}));
    return kDone;
  }
  std::cout << "vocabulary  " << withCommas(task->sourceVocabulary().size()) << " tokens\n"
            << "skipped     " << withCommas(statistics.left_out) << " examples\n\n";
  printSide("training", *task, statistics.training);
  std::cout << '\n';
  printSide("evaluation", *task, statistics.evaluation);
  std::cout << '\n';
  for (const data::Sample& sample : statistics.samples)
    std::cout << sample.target << "  " << io::shortened(sample.source, kLongestShown) << '\n';
  return kDone;
}

}  // namespace

Action prepareData(CLI::App& app) {
  const auto o = std::make_shared<DataArguments>(app);
  addJsonFlag(app, o->json);
  app.footer(paragraph("With --json: " + membersOf(dataRows()) + "."));
  return [o] { return runData(*o); };
}

}  // namespace tfm::cli
