// SPDX-License-Identifier: GPL-3.0-or-later
// Composable function-preserving expansions for transformer architectures (after Gesmundo and Maile
// 2023). Its outputs are not stored; what it claims are its assertions.
#include <cmath>
#include <utility>

#include "core/expand/grow.h"
#include "core/model/model_state.h"
#include "core/model/presets.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

using expand::Growth;
using expand::Kind;
using expand::Plan;

constexpr LayerSizes kNotebookSizes{2, 6, 6, 4, 1e-6};
constexpr double kExact = 1e-12;  // in double

ModelConfig wholeModel() { return presetNamed("expansions-notebook").config(); }

ModelConfig oneLayer() { return presetNamed("expansions-layer").config(); }
ModelConfig feedForwardAlone() { return presetNamed("expansions-feed-forward").config(); }
ModelConfig attentionAlone() { return presetNamed("expansions-attention").config(); }

/// In a layer, since the size of states that are the output cannot grow.
ModelConfig attentionInLayer() {
  ModelConfig c = oneLayer();
  c.encoder_layers.front().blocks = {blockOf(SelfAttention{}, kNotebookSizes)};
  return c;
}

/// The sizes of "all transformations on full model".
Growth to(Kind kind) {
  static constexpr std::int64_t kSizes[]{9, 5, 9, 9, 8, 5};  // in the order of Kind
  Growth growth;
  growth.kind = kind;
  growth.size = kSizes[std::size_t(kind)];
  return growth;
}

const std::vector<Kind> kAllKinds{Kind::FeedForward, Kind::Heads,  Kind::ValueSize,
                                  Kind::KeySize,     Kind::Hidden, Kind::Layers};

Plan planOf(const std::vector<Kind>& kinds, std::optional<double> constant = std::nullopt) {
  Plan plan;
  for (const Kind kind : kinds) plan.push_back(to(kind));
  for (Growth& growth : plan) growth.constant = constant;
  return plan;
}

/// By how much the sum of all outputs changes in each cell that prints two, in its order.
Numbers changesOfSums() {
  const std::pair<ModelConfig, std::vector<Kind>> cells[]{
      {feedForwardAlone(), {Kind::FeedForward}},
      {attentionAlone(), {Kind::Heads}},
      {attentionAlone(), {Kind::ValueSize}},
      {attentionAlone(), {Kind::KeySize}},
      {attentionAlone(), {Kind::Heads, Kind::ValueSize, Kind::KeySize}},
      {oneLayer(), {Kind::Hidden}},
      {wholeModel(), {Kind::Layers}},
      {wholeModel(), {Kind::Hidden}},
      {wholeModel(), kAllKinds}};
  Numbers changes;
  for (const auto& [config, kinds] : cells)
    changes.push_back(std::abs(sumOfOutputs(config, planOf(kinds)) - sumOfOutputs(config, {})));
  return changes;
}

/// A model of the notebook and its preset; "": it is that of the recipe, or has none.
struct Cell {
  ModelConfig (*model)();
  const char* preset;
};
constexpr Cell kWhole{wholeModel, ""}, kLayer{oneLayer, "expansions-layer"},
    kFeedForward{feedForwardAlone, "expansions-feed-forward"},
    kAttention{attentionAlone, "expansions-attention"}, kAttentionInLayer{attentionInLayer, ""};

/// `wrong`: of a cell that is printed under the label of another.
Claim preserved(const std::string& what, const Cell& cell, const std::vector<Kind>& kinds,
                const std::string& wrong = {}) {
  return {.text = what + ": the output stays within a relative 1e-3",
          .printed = {1e-3},
          .how =
              "largest difference in double, divided by the largest output (of a layer, a "
              "feed-forward and where an attention's h grows: after its residual and a linear map)",
          .where = "Grow, Prove; expand --log",
          .preset = cell.preset,
          .picture = what.starts_with("Whole") ? "differences" : "",
          .ours = [=] { return Numbers{growthDifference(cell.model(), planOf(kinds))}; },
          .at_most = true,
          .promised = kExact,
          .wrong = wrong};
}

/// Those that its blocks have, others as they are by default.
LayerSizes sizesOfFirstLayer(const ModelConfig& c) {
  LayerSizes sizes;
  for (BlockConfig block : c.encoder_layers.front().blocks)
    for (const BlockSize& size : block.growable())
      if (std::int64_t* common = sizes.along(size.axis)) *common = *size.value;
  return sizes;
}

Numbers sizesNow() {
  const ModelConfig c = wholeModel();
  const LayerSizes sizes = uniformSizes(c).value();
  return {double(sizes.key_size),  double(sizes.value_size),   double(c.hidden),
          double(sizes.heads),     double(sizes.feed_forward), double(c.encoder_layers.size()),
          double(c.source_length), double(c.output_size),      c.position_deviation};
}

Numbers sizesOfAll() {
  const ModelConfig c =
      expand::grow(initialState(wholeModel(), 42), planOf(kAllKinds)).state.config;
  const LayerSizes sizes = sizesOfFirstLayer(c);
  return {double(sizes.feed_forward), double(sizes.heads), double(sizes.value_size),
          double(sizes.key_size),     double(c.hidden),    double(c.encoder_layers.size())};
}

}  // namespace

std::vector<Claim> expansionsClaims() {
  const std::vector<Kind> in_layer{Kind::FeedForward, Kind::Heads, Kind::ValueSize, Kind::KeySize,
                                   Kind::Hidden};
  std::vector<Claim> claims{
      {.text = "Sizes: k 6, v 6, h 5, E 2, p 4, N 2, sequence 2, outputs 2; positions from N(0, "
               "0.02)",
       .printed = {6, 6, 5, 2, 4, 2, 2, 2, 0.02},
       .how = "the preset expansions-notebook",
       .where = "Matrices; info --preset expansions-notebook",
       .picture = "parameters",
       .ours = sizesNow},
      {.text = "Feed-forward alone: p 6; batches of 3",
       .printed = {6, 3},
       .how = "hidden size of the feed-forward that is grown alone; sequences in a batch of the "
              "recipe",
       .where = "Matrices",
       .ours =
           [] {
             return Numbers{double(sizesOfFirstLayer(feedForwardAlone()).feed_forward),
                            double(sourceNamed("expansions-notebook").training().batch_size)};
           }},
      {.text = "All transformations: p 9, E 5, v 9, k 9, h 8, N 5",
       .printed = {9, 5, 9, 9, 8, 5},
       .how = "the sizes of the whole model after all six",
       .where = "Grow",
       .picture = "parameters",
       .ours = sizesOfAll},
      {.text = "Each of nine cells prints two sums of outputs that are the same, original and "
               "expanded",
       .printed = Numbers(9, 1e-3),
       .how = "the difference of the two sums in double: feed-forward; attention, E, v, k and all "
              "three; layer, h; whole model, N, h and all six",
       .where = "Grow, Prove; expand --log for each parameter",
       .picture = "sums",
       .ours = changesOfSums,
       .at_most = true,
       .promised = 1e-10},
      preserved("Feed-forward alone, p 6 + 3", kFeedForward, {Kind::FeedForward}),
      preserved("Feed-forward alone, h 5 + 3", kFeedForward, {Kind::Hidden}),
      preserved("Feed-forward alone, both of p and h", kFeedForward,
                {Kind::FeedForward, Kind::Hidden}),
      preserved("Attention alone, E 2 + 3", kAttention, {Kind::Heads}),
      preserved("Attention alone, v 6 + 3", kAttention, {Kind::ValueSize}),
      preserved("Attention alone, k 6 + 3", kAttention, {Kind::KeySize}),
      preserved("Attention alone, h 5 + 3", kAttentionInLayer, {Kind::Hidden}),
      preserved("Attention alone, all of E, v and k", kAttention,
                {Kind::Heads, Kind::ValueSize, Kind::KeySize},
                "Its cell prints \"Expanded key/query representation\", the label of the one "
                "before."),
      preserved("Attention alone, all of E, v, k and h", kAttentionInLayer,
                {Kind::Heads, Kind::ValueSize, Kind::KeySize, Kind::Hidden}),
      preserved("Layer, p 4 + 5", kLayer, {Kind::FeedForward}),
      preserved("Layer, E 2 + 3", kLayer, {Kind::Heads}),
      preserved("Layer, v 6 + 3", kLayer, {Kind::ValueSize}),
      preserved("Layer, k 6 + 3", kLayer, {Kind::KeySize}),
      preserved("Layer, h 5 + 3", kLayer, {Kind::Hidden}),
      preserved("Layer, all five", kLayer, in_layer),
      preserved("Whole model, p 4 + 5", kWhole, {Kind::FeedForward}),
      preserved("Whole model, E 2 + 3", kWhole, {Kind::Heads}),
      preserved("Whole model, v 6 + 3", kWhole, {Kind::ValueSize}),
      preserved("Whole model, k 6 + 3", kWhole, {Kind::KeySize}),
      preserved("Whole model, N 2 + 3", kWhole, {Kind::Layers}),
      preserved("Whole model, h 5 + 3", kWhole, {Kind::Hidden}),
      preserved("Whole model, all six", kWhole, kAllKinds,
                "Its cell prints \"Expanded hidden dimension\", the label of the one before.")};
  claims.push_back(
      {.text = "New entries that may be anything are 42, and nothing changes",
       .printed = {1e-3},
       .how = "all six with the constant 42, in double",
       .where = "expand --plan, with constant: 42",
       .ours = [] { return Numbers{growthDifference(wholeModel(), planOf(kAllKinds, 42.0))}; },
       .at_most = true,
       .promised = kExact,
       .wrong = "Its other 42 is the seed; the two have nothing to do with each other."});
  claims.push_back(
      {.text = "The comments say: heads expansion is section 3.2, head addition 3.3",
       .printed = {3.2, 3.3},
       .how = "the order of the expansions, as in the paper and in the notebook's own titles",
       .where = "Grow, the six cards",
       .ours =
           [] {
             const auto section = [](Kind kind) { return 3.0 + 0.1 * (1.0 + double(kind)); };
             return Numbers{section(Kind::ValueSize), section(Kind::Heads)};
           },
       .tolerance = 1e-9,
       .right = {3.3, 3.2},
       .wrong = "The comments are swapped; the titles of the notebook have the right numbers."});
  claims.push_back(
      {.text = "Growing h preserves the function although the eps of the norms stays",
       .printed = {1},
       .how = "1 if h 5 + 3 with the break no_eps_rescale changes less than 1e-12, else 0",
       .where = "Grow, Break it; expand --break no_eps_rescale",
       .ours =
           [] {
             Plan plan = planOf({Kind::Hidden});
             plan.front().broken = expand::Break::NoEpsRescale;
             plan.front().allow_inexact = true;
             return Numbers{growthDifference(wholeModel(), plan) <= kExact ? 1.0 : 0.0};
           },
       .right = {0},
       .wrong = "The gain is rescaled and the eps is not, which float and 1e-3 do not notice."});
  claims.push_back({.text = "Printed shapes and sums of parameters, seed 42",
                    .printed = {},
                    .how = "not computed: its outputs are not stored, and they need JAX's random "
                           "generator",
                    .where = "Grow"});
  claims.push_back({.text = "Masked scores are -9e15",
                    .printed = {-9e15},
                    .how = "not computed: no mask is ever passed",
                    .where = "nowhere"});
  return claims;
}

}  // namespace tfm::reproduce
