// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/importance.h"

#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/model/build_program.h"
#include "core/train/column_means.h"
#include "core/train/what_if.h"

namespace tfm::train {
namespace {

using observe::ChangedPart;

/// What switches each unit off.
std::vector<std::vector<TensorChange>> switchedOff(const ModelState& state, const data::Task& task,
                                                   const std::vector<UnitImportance>& units,
                                                   bool mean) {
  const BatchShape longest = fullShape(state.config, 1);
  std::vector<std::vector<ChangedPart>> parts;
  std::set<std::string> tensors;
  for (const UnitImportance& one : units) {
    parts.push_back(observe::changedParts(state.config, longest, one.unit.target));
    for (const ChangedPart& part : parts.back()) tensors.insert(part.tensor);
  }
  std::map<std::string, std::vector<double>> means;
  if (mean) means = columnMeans(state, task, tensors, kMeanExamples, *makeBackend<float>());
  std::vector<std::vector<TensorChange>> changes;
  for (const std::vector<ChangedPart>& of_unit : parts) {
    std::vector<TensorChange>& own = changes.emplace_back();
    for (const ChangedPart& part : of_unit) {
      TensorChange change{.tensor = part.tensor, .col = part.col, .cols = part.cols};
      if (mean) {
        const std::vector<double>& all = means.at(part.tensor);
        const auto begin = all.begin() + part.col;
        change.added.assign(begin, part.cols < 0 ? all.end() : begin + part.cols);
        change.added_cols = std::ssize(change.added);
      }
      own.push_back(std::move(change));
    }
  }
  return changes;
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
  table << "target\tlayer\tnumber\tloss\tloss_added\taccuracy\taccuracy_lost\tagreement\t"
           "divergence\n";
  table << "whole\t\t\t" << map.whole.loss << "\t0\t" << map.whole.accuracy() << "\t0\t1\t0\n";
  for (const UnitImportance& one : map.units)
    table << one.unit.target << '\t' << one.unit.layer << '\t' << one.unit.number << '\t'
          << one.score.loss << '\t' << map.lossAdded(one) << '\t' << one.score.accuracy() << '\t'
          << map.accuracyLost(one) << '\t' << one.score.agreement << '\t' << one.score.divergence
          << '\n';
  return table.str();
}

}  // namespace tfm::train
