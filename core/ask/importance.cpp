// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/importance.h"

#include <sstream>
#include <utility>

#include "core/ask/what_if.h"
#include "core/backend/registry.h"
#include "core/base/error.h"

namespace tfm::train {
namespace {

/// What switches each unit off.
std::vector<std::vector<TensorChange>> switchedOff(const ModelState& state, const data::Task& task,
                                                   const std::vector<UnitImportance>& units,
                                                   bool mean) {
  using Kind = observe::Intervention::Kind;
  std::vector<observe::Intervention> off(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    off[i].target = units[i].unit.target;
    off[i].kind = mean ? Kind::Mean : Kind::Set;
  }
  return changesBy(state, task, off, *makeBackend<float>());
}

}  // namespace

std::optional<ImportanceMap> importance(std::shared_ptr<const data::Task> task,
                                        std::shared_ptr<const ModelState> state,
                                        const ImportanceOptions& options,
                                        const ImportanceProgress& progress) {
  ImportanceMap map;
  for (observe::Unit& unit : observe::unitsOf(state->config, options.of, options.group))
    map.units.push_back({std::move(unit), {}, false});
  if (map.units.empty())
    throw Error("the model has no parts of this kind", "importance",
                "Choose heads, neurons or layers, whichever it has");
  SubmodelScorer scorer(task, state, options.examples, options.threads);
  const double work = double(map.units.size() + 1) * double(scorer.examples());
  double done = 0.0;
  const auto measure = [&](SubmodelScore& slot, const auto& score) {
    const auto report = [&](const SubmodelScore& so_far) {
      slot = so_far;
      return !progress || progress(map, (done + double(so_far.examples)) / work);
    };
    const std::optional<SubmodelScore> whole = score(report);
    if (!whole) return false;
    slot = *whole;
    done += double(scorer.examples());
    return true;
  };
  if (!measure(map.whole, [&](const auto& report) { return scorer.score({}, report); })) return {};
  const auto changes = switchedOff(*state, *task, map.units, options.mean);
  for (std::size_t i = 0; i < map.units.size(); ++i) {
    UnitImportance& one = map.units[i];
    if (!measure(one.score,
                 [&](const auto& report) { return scorer.scoreChanged(changes[i], report); }))
      return {};
    one.done = true;
  }
  return map;
}

std::string importanceTsv(const ImportanceMap& map) {
  std::ostringstream table;
  table.precision(9);
  const char* accuracy = map.whole.answers.accuracyName();
  table << "target\tlayer\tnumber\tloss\tloss_added\t" << accuracy << '\t' << accuracy
        << "_lost\tagreement\tdivergence\n";
  table << "whole\t\t\t" << map.whole.loss << "\t0\t" << map.whole.accuracy() << "\t0\t1\t0\n";
  for (const UnitImportance& one : map.units)
    table << one.unit.target << '\t' << one.unit.layer << '\t' << one.unit.number << '\t'
          << one.score.loss << '\t' << map.lossAdded(one) << '\t' << one.score.accuracy() << '\t'
          << map.accuracyLost(one) << '\t' << one.score.agreement << '\t' << one.score.divergence
          << '\n';
  return table.str();
}

}  // namespace tfm::train
