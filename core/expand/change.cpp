// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/change.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/expand/kinds.h"
#include "core/expand/parameter_maps.h"
#include "core/model/build_program.h"

namespace tfm::expand {
namespace {

/// A method's own settings may be left from another method, and a permission is no choice.
void checkChoices(Growth growth) {
  if (growth.kind == Kind::Hidden) growth.mask_steps = Growth().mask_steps;
  growth.allow_inexact = false;
  refuseWithoutEffect(growth, "growing " + std::string(rowOf(growth.kind).name));
}

void requireMemory(std::span<const Change> changes) {
  if (changes.empty()) return;
  requireAvailable("growing", costOf(changes).bytes, "memory", "Choose a smaller size");
}

std::string breakText(Break broken) {
  static constexpr const char* kTexts[] = {
      "",
      "entries that must be zero are random",
      "keys are not rescaled",
      "norm gains are not rescaled",
      "the norms' eps is not rescaled, as in the notebook",
      "zeros are appended although LayerNorm subtracts the mean",
      "the sinusoid is recomputed for the larger width",
      "the embedding scale is recomputed for the larger width"};
  return kTexts[int(broken)];
}

/// Throws Error for a rule that the expansion does not have.
void checkBreak(const ModelConfig& before, const Growth& growth) {
  if (growth.broken == Break::None) return;
  const std::vector<Break> possible = possibleBreaks(before, growth);
  if (std::ranges::find(possible, growth.broken) == possible.end())
    refuse(growth, "the expansion has no such rule to break (" + breakText(growth.broken) + ")",
           "Choose another break, or none");
}

/// The changes without parameter maps; `recipes` is filled with how to make those.
std::vector<Change> outlined(const ModelConfig& before, const Plan& plan, std::int64_t step,
                             std::vector<Recipe>& recipes) {
  std::vector<Change> changes;
  for (const Growth& growth : plan) {
    const ModelConfig& from = changes.empty() ? before : changes.back().after;
    checkChoices(growth);
    Recipe recipe = rowOf(growth.kind).recipe(from, growth, step);
    checkBreak(from, growth);
    Change change;
    change.growth = growth;
    change.before = from;
    change.layout_before = changes.empty() ? parameterLayout(from) : changes.back().layout_after;
    change.after = recipe.after;
    change.layout_after = parameterLayout(recipe.after);
    change.exact = recipe.exact && growth.broken == Break::None;
    change.inexact = growth.broken == Break::None
                         ? recipe.inexact
                         : "broken on purpose: " + breakText(growth.broken);
    change.notes = recipe.notes;
    change.growth.hidden_method = recipe.hidden_method;
    change.growth.layer_method = recipe.layer_method;
    changes.push_back(std::move(change));
    recipes.push_back(std::move(recipe));
    requireMemory(changes);
  }
  return changes;
}

AxisIndex follow(const AxisIndex& later, const AxisMap& earlier, std::int32_t born) {
  if (later.source < 0) {
    AxisIndex index = later;
    index.born = born;
    return index;
  }
  AxisIndex index = earlier[std::size_t(later.source)];
  index.share *= later.share;
  return index;
}

AxisMap follow(const AxisMap& later, const AxisMap& earlier, std::int32_t born) {
  AxisMap map;
  map.reserve(later.size());
  for (const AxisIndex& index : later) map.push_back(follow(index, earlier, born));
  return map;
}

/// On an axis centred for the first time, zeros appended by an earlier expansion become the negated
/// mean of the others.
void centreZeros(AxisMap& map) {
  for (AxisIndex& index : map)
    if (index.source == AxisIndex::kNew && index.added == Added::Zero && !index.padding)
      index.source = AxisIndex::kMean;
}

ParameterGrowth follow(const ParameterGrowth& later, const ParameterGrowth* earlier,
                       std::int32_t born) {
  ParameterGrowth p = later;
  static const AxisMap kNone;
  if (earlier == nullptr) {
    for (AxisIndex& index : p.rows) index.born = born;
    for (AxisIndex& index : p.cols) index.born = born;
    return p;
  }
  p.before = earlier->before;
  p.given = earlier->given;
  AxisMap rows = earlier->rows, cols = earlier->cols;
  if (later.centred_rows && !earlier->centred_rows) centreZeros(rows);
  if (later.centred_cols && !earlier->centred_cols) centreZeros(cols);
  p.rows = follow(later.rows, rows, born);
  p.cols = follow(later.cols, cols, born);
  p.factor *= earlier->factor;
  p.centred_rows = p.centred_rows || earlier->centred_rows;
  p.centred_cols = p.centred_cols || earlier->centred_cols;
  p.reset = p.reset || earlier->reset;
  p.violated = p.violated || earlier->violated;
  p.fresh_moments = p.fresh_moments || earlier->fresh_moments;
  return p;
}

}  // namespace

void refuse(const Growth& growth, const std::string& why, const std::string& instead) {
  throw Error(why, "growing " + std::string(rowOf(growth.kind).name), instead);
}

Change planGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step) {
  return std::move(planGrowths(before, {growth}, step).front());
}

std::vector<Change> planGrowths(const ModelConfig& before, const Plan& plan, std::int64_t step,
                                const Progress& progress) {
  std::vector<Recipe> recipes;
  std::vector<Change> changes = outlined(before, plan, step, recipes);
  std::int64_t all = 0;
  for (const Change& change : changes) all += std::int64_t(change.layout_after.parameters.size());
  Work work(progress, all);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Change& change = changes[i];
    // The growth as given: outlined() resolves automatic methods, which the recipe has.
    change.parameters = parameterMaps(change.before, plan[i], recipes[i], change.layout_before,
                                      change.layout_after, work);
  }
  return changes;
}

Change outlineGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step) {
  return std::move(outlineGrowths(before, {growth}, step).front());
}

std::vector<Change> outlineGrowths(const ModelConfig& before, const Plan& plan, std::int64_t step) {
  std::vector<Recipe> recipes;
  return outlined(before, plan, step, recipes);
}

GrowthCost costOf(std::span<const Change> changes) {
  // Per parameter: its value, two moments and, temporarily, the missed steps before and after.
  constexpr double kState = 3 * sizeof(float), kMissed = sizeof(std::int64_t);
  // The proof: the parameters in double, twice for a chain, and a copy in float for the answers.
  const double proof = (changes.size() > 1 ? 2 : 1) * sizeof(double) + sizeof(float);
  constexpr double kInfo = sizeof(ParameterGrowth) + 2 * sizeof(ParameterInfo);
  constexpr double kSecondsOfNumber = 60e-9, kSecondsOfIndex = 20e-9;
  GrowthCost cost;
  double maps = 0.0, peak = 0.0;
  for (const Change& change : changes) {
    const double before = double(change.layout_before.total);
    const double after = double(change.layout_after.total);
    double indices = 0.0;
    for (const ParameterInfo& p : change.layout_after.parameters)
      indices += double(p.rows() + p.cols());
    maps += indices * sizeof(AxisIndex) + kInfo * double(change.layout_after.parameters.size());
    const bool first = &change == changes.data();
    peak =
        std::max(peak, (kState + kMissed) * after + (first ? kMissed : kState + kMissed) * before);
    peak = std::max(peak, (kState + proof) * after + proof * before);
    cost.seconds += kSecondsOfNumber * after + kSecondsOfIndex * indices;
    cost.parameters = change.layout_after.total;
  }
  cost.bytes = std::int64_t(std::min(maps + peak, 1e18));
  return cost;
}

std::vector<ParameterGrowth> compose(std::span<const Change> changes) {
  check(!changes.empty(), "a chain has at least one change");
  std::vector<ParameterGrowth> whole = changes.front().parameters;
  for (std::size_t step = 1; step < changes.size(); ++step) {
    std::unordered_map<std::string_view, const ParameterGrowth*> named;
    for (const ParameterGrowth& p : whole) named.emplace(p.after.name, &p);
    std::vector<ParameterGrowth> next;
    next.reserve(changes[step].parameters.size());
    for (const ParameterGrowth& later : changes[step].parameters) {
      const auto earlier = later.before ? named.find(later.before->name) : named.end();
      next.push_back(
          follow(later, earlier == named.end() ? nullptr : earlier->second, std::int32_t(step)));
    }
    whole = std::move(next);
  }
  return whole;
}

std::vector<Break> possibleBreaks(const ModelConfig& before, const Growth& growth) {
  return rowOf(growth.kind).breaks(before, growth);
}

}  // namespace tfm::expand
