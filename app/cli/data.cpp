// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/task_options.h"
#include "app/cli/verbs.h"
#include "core/data/task_statistics.h"
#include "core/io/message_text.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;
using data::SideStatistics;

struct DataArguments {
  explicit DataArguments(CLI::App& app) : task(app) {}

  TaskOptions task;
  bool json = false;
};

double share(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0.0 : double(part) / double(all);
}

Json sideJson(const data::Task& task, const SideStatistics& side) {
  Json classes = Json::object();
  for (std::size_t i = 0; i < side.classes.size(); ++i)
    classes[task.targetVocabulary().token(std::int32_t(i))] = side.classes[i];
  Json lengths = Json::array();
  for (const data::LengthBin& bin : side.lengths)
    lengths.push_back({{"first", bin.first}, {"last", bin.last}, {"count", bin.count}});
  return {{"examples", side.examples}, {"classes", classes}, {"tokens", side.tokens},
          {"unknown", side.unknown},   {"cut", side.cut},    {"shortest", side.shortest},
          {"longest", side.longest},   {"lengths", lengths}};
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
    Json samples = Json::array();
    for (const data::Sample& sample : statistics.samples)
      samples.push_back({{"source", sample.source}, {"target", sample.target}});
    Json notes = Json::array();
    for (const data::ReadingNote& note : task->notes()) notes.push_back(noteText(note));
    printJson({{"task", task->name()},
               {"vocabulary", task->sourceVocabulary().size()},
               {"max_length", task->maxSourceLength()},
               {"left_out", statistics.left_out},
               {"notes", notes},
               {"training", sideJson(*task, statistics.training)},
               {"evaluation", sideJson(*task, statistics.evaluation)},
               {"samples", samples}});
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
  return [o] { return runData(*o); };
}

}  // namespace tfm::cli
