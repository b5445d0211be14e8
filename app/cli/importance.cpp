// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/importance.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"
#include "core/io/atomic_file.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ImportanceCommand {
  std::string file, out;
  std::string of = "heads";
  train::ImportanceOptions options;
  bool zero = false;  // the default, said
  bool json = false;
};

Json jsonOf(const train::ImportanceMap& map) {
  Json units = Json::array();
  for (const train::UnitImportance& one : map.units)
    units.push_back(
        {{"target", one.unit.target},
         {"layer", one.unit.layer},
         {"number", one.unit.number},
         {"loss", one.score.loss},
         {"loss_added", map.lossAdded(one)},
         {map.whole.answers.accuracyName(), one.score.accuracy()},
         {map.whole.answers.accuracyName() + std::string("_lost"), map.accuracyLost(one)},
         {"agreement", one.score.agreement},
         {"divergence", one.score.divergence}});
  return {{"examples", map.whole.examples},
          {"loss", map.whole.loss},
          {map.whole.answers.accuracyName(), map.whole.accuracy()},
          {"units", units}};
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
    printJson(jsonOf(map));
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
      "Ctrl-C stops and keeps what has been measured.\n"
      "With --json: examples, loss, accuracy, units [{target, layer, number, loss, loss_added,\n"
      "accuracy, accuracy_lost, agreement, divergence}].");
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
