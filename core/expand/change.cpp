// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/change.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/expand/parameter_maps.h"
#include "core/expand/recipe.h"
#include "core/model/build_program.h"

namespace tfm::expand {
namespace {

Recipe recipeFor(const ModelConfig& before, const Growth& growth, std::int64_t step) {
  if (growth.kind == Kind::Hidden) return growHidden(before, growth, step);
  if (growth.kind == Kind::Layers) return addLayers(before, growth);
  return growSizes(before, growth);
}

std::string breakWords(Break broken) {
  switch (broken) {
    case Break::None:
      return {};
    case Break::RandomInsteadOfZero:
      return "entries that must be zero are random";
    case Break::NoKeyRescale:
      return "keys are not rescaled";
    case Break::NoGainRescale:
      return "norm gains are not rescaled";
    case Break::NoEpsRescale:
      return "the norms' eps is not rescaled";
    case Break::ZeroPadUnderLayerNorm:
      return "zeros are appended although LayerNorm subtracts the mean";
    case Break::SinusoidRecomputed:
      return "the sinusoid is computed anew for the larger width";
    case Break::EmbeddingScaleRecomputed:
      return "the embedding scale is computed anew for the larger width";
  }
  return {};
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
  p.rows = follow(later.rows, earlier->rows, born);
  p.cols = follow(later.cols, earlier->cols, born);
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
  throw Error(why, "growing " + std::string(kindName(growth.kind)), instead);
}

Change planGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step) {
  Recipe recipe = recipeFor(before, growth, step);
  Change change;
  change.growth = growth;
  change.before = before;
  change.layout_before = parameterLayout(before);
  change.after = recipe.after;
  change.layout_after = parameterLayout(recipe.after);
  change.parameters =
      parameterMaps(before, growth, recipe, change.layout_before, change.layout_after);
  change.exact = recipe.exact && growth.broken == Break::None;
  change.inexact = growth.broken == Break::None ? recipe.inexact
                                                : "broken on purpose: " + breakWords(growth.broken);
  change.notes = std::move(recipe.notes);
  if (growth.kind == Kind::Hidden) change.growth.hidden_method = recipe.hidden_method;
  if (growth.kind == Kind::Layers) change.growth.layer_method = recipe.layer_method;
  return change;
}

std::vector<Change> planGrowths(const ModelConfig& before, const Plan& plan, std::int64_t step) {
  std::vector<Change> changes;
  for (const Growth& growth : plan)
    changes.push_back(planGrowth(changes.empty() ? before : changes.back().after, growth, step));
  return changes;
}

std::vector<ParameterGrowth> compose(std::span<const Change> changes) {
  check(!changes.empty(), "a chain has a change");
  std::vector<ParameterGrowth> whole = changes.front().parameters;
  for (std::size_t step = 1; step < changes.size(); ++step) {
    std::vector<ParameterGrowth> next;
    for (const ParameterGrowth& later : changes[step].parameters) {
      const auto named = [&](const ParameterGrowth& p) {
        return later.before && p.after.name == later.before->name;
      };
      const auto earlier = std::find_if(whole.begin(), whole.end(), named);
      next.push_back(
          follow(later, earlier == whole.end() ? nullptr : &*earlier, std::int32_t(step)));
    }
    whole = std::move(next);
  }
  return whole;
}

std::vector<Break> possibleBreaks(const ModelConfig& before, const Growth& growth) {
  const bool hidden = growth.kind == Kind::Hidden;
  const bool layer_norm =
      before.norm == NormKind::LayerNorm && before.architecture != Architecture::Attention;
  std::vector<Break> breaks{Break::RandomInsteadOfZero};
  if (growth.kind == Kind::KeySize) breaks.push_back(Break::NoKeyRescale);
  if (!hidden) return breaks;
  if (layer_norm) breaks = {Break::ZeroPadUnderLayerNorm};
  breaks.push_back(Break::NoGainRescale);
  breaks.push_back(Break::NoEpsRescale);
  if (before.positions == Positions::Sinusoidal && growth.size % 2 == 0)
    breaks.push_back(Break::SinusoidRecomputed);
  if (before.embedding_scale != 1.0) breaks.push_back(Break::EmbeddingScaleRecomputed);
  return breaks;
}

}  // namespace tfm::expand
