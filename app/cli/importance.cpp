// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/importance.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"
#include "core/io/atomic_file.h"

namespace tfm::cli {
namespace {

struct ImportanceCommand {
  std::string file, out;
  std::string of = "heads";
  train::ImportanceOptions options;
  bool zero = false;  // the default, said
  bool json = false;
};

const ResultRows<train::ImportanceMap>& importanceRows() {
  using Map = train::ImportanceMap;
  using Unit = std::pair<const Map*, const train::UnitImportance*>;
  const auto named = [](auto of, std::string ending) {  // accuracy, or position_accuracy
    return [=](const auto& result) { return of(result).whole.answers.accuracyName() + ending; };
  };
  const auto map_of = [](const Unit& unit) -> const Map& { return *unit.first; };
  const auto itself = [](const Map& map) -> const Map& { return map; };
  ResultRow<Unit> accuracy =
      row<Unit>("accuracy", [](const Unit& u) { return u.second->score.accuracy(); });
  accuracy.key = named(map_of, "");
  ResultRow<Unit> lost =
      row<Unit>("accuracy_lost", [](const Unit& u) { return u.first->accuracyLost(*u.second); });
  lost.key = named(map_of, "_lost");
  ResultRow<Map> whole = row<Map>("accuracy", [](const Map& m) { return m.whole.accuracy(); });
  whole.key = named(itself, "");
  static const ResultRows<Unit> units{
      row<Unit>("target", [](const Unit& u) { return u.second->unit.target; }),
      row<Unit>("layer", [](const Unit& u) { return u.second->unit.layer; }),
      row<Unit>("number", [](const Unit& u) { return u.second->unit.number; }),
      row<Unit>("loss", [](const Unit& u) { return u.second->score.loss; }),
      row<Unit>("loss_added", [](const Unit& u) { return u.first->lossAdded(*u.second); }),
      accuracy,
      lost,
      row<Unit>("agreement", [](const Unit& u) { return u.second->score.agreement; }),
      row<Unit>("divergence", [](const Unit& u) { return u.second->score.divergence; })};
  static const ResultRows<Map> rows{
      row<Map>("examples", [](const Map& m) { return m.whole.examples; }),
      row<Map>("loss", [](const Map& m) { return m.whole.loss; }), whole,
      listRow<Map>("units", units, [](const Map& m) {
        std::vector<Unit> all;
        for (const train::UnitImportance& unit : m.units) all.emplace_back(&m, &unit);
        return all;
      })};
  return rows;
}

void print(const train::ImportanceMap& map) {
  std::size_t longest = std::string_view("without").size();
  for (const train::UnitImportance& one : map.units)
    longest = std::max(longest, one.unit.target.size());
  const auto row = [&](const std::string& name, const std::string& accuracy,
                       const std::string& lost, const std::string& loss) {
    std::cout << std::left << std::setw(int(longest)) << name << std::right << std::setw(12)
              << accuracy << std::setw(12) << lost << std::setw(12) << loss << '\n';
  };
  row("without", "accuracy", "lost", "loss added");
  for (const train::UnitImportance& one : map.units)
    row(one.unit.target, percent(one.score.accuracy()), percent(map.accuracyLost(one)),
        shortNumber(map.lossAdded(one)));
  std::cout << "whole model: accuracy " << percent(map.whole.accuracy()) << ", loss "
            << shortNumber(map.whole.loss) << ", of " << withCommas(map.whole.examples)
            << " evaluation examples\n";
}

int measureImportance(const ImportanceCommand& o) {
  const StopSignals signals;
  requireOtherFiles({{"FILE", o.file}}, {{"--out", o.out, kTableEndings}});
  const OpenModel model = openWithTask(o.file);
  LongWork work(signals);
  train::ImportanceMap map;
  const auto progress = [&](const train::ImportanceMap& so_far, double share) {
    if (!work.goOn(share)) map = so_far;
    return work.signal() == 0;
  };
  if (auto whole =
          train::importance(model.task, std::make_shared<const ModelState>(model.document.state),
                            o.options, progress))
    map = std::move(*whole);
  work.clearLine();
  const std::size_t asked = map.units.size();
  std::erase_if(map.units, [](const train::UnitImportance& one) { return !one.done; });
  if (!o.out.empty()) io::writeFile(o.out, train::importanceTsv(map));
  if (o.json)
    printJson(jsonOf(importanceRows(), map));
  else
    print(map);
  if (work.signal() == 0) return kDone;
  say("Interrupted: " + withCommas(std::int64_t(map.units.size())) + " of " +
      counted(std::int64_t(asked), "part") + " measured");
  return kSignal + work.signal();
}

}  // namespace

Action prepareImportance(CLI::App& app) {
  const auto o = std::make_shared<ImportanceCommand>();
  addFileArgument(app, o->file);
  addChoice(app, "--of", o->of, {"heads", "neurons", "layers"},
            "What to switch off in turn: heads, neurons or layers");
  addNumber(app, "--group", o->options.group, 1, 1'000'000, "Neurons switched off at once");
  bool& mean = o->options.mean;
  CLI::Option* zero = app.add_flag("--zero", o->zero, "Set them to 0 (default)");
  app.add_flag("--mean", mean, "Set them to their mean over held-out examples instead")
      ->excludes(zero);
  addNumber(app, "--examples", o->options.examples, 1, 10'000'000, "Number of held-out examples");
  addThreadsOption(app, o->options.threads);
  app.add_option("--out", o->out, "Save the table here (.tsv)")->type_name("FILE");
  addJsonFlag(app, o->json);
  app.footer(
      "Each part is switched off alone; the model is measured on the same held-out examples, and\n"
      "reads their right answers.\n"
      "Ctrl-C stops and keeps what has been measured.\n" +
      paragraph("With --json: " + membersOf(importanceRows()) + "."));
  return [o] {
    static const std::map<std::string, observe::UnitKind> kKinds{
        {"heads", observe::UnitKind::Heads},
        {"neurons", observe::UnitKind::Neurons},
        {"layers", observe::UnitKind::Layers}};
    o->options.of = kKinds.at(o->of);
    return measureImportance(*o);
  };
}

}  // namespace tfm::cli
