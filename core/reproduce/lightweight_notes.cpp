// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on Funnel-Transformer (Dai et al. 2020) and DeLighT (Mehta et al. 2021).
#include <algorithm>
#include <iterator>

#include "core/model/presets.h"
#include "core/reproduce/lightweight_sizes.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

constexpr std::int64_t kTokens = 512;

/// Lengths of the last layer of each block.
Numbers blockLengths() {
  const Numbers lengths = lengthsOf(funnelOf444(), kTokens);
  return {lengths[3], lengths[7], lengths[11]};
}

/// Layers and hidden size.
Numbers sizesOf(const char* preset) {
  const ModelConfig c = presetNamed(preset).config();
  return {double(c.encoder_layers.size()), double(c.hidden)};
}

}  // namespace

std::vector<Claim> lightweightClaims() {
  return {
      {.text = "T_M = T / 2^(M-1): T, T/2, T/4 after M = 1, 2, 3",
       .printed = {kTokens, kTokens / 2.0, kTokens / 4.0},
       .how = "lengths of the three blocks of funnel-b4-4-4-h768 for 512 tokens",
       .where = "Shape, Length",
       .preset = "funnel-b4-4-4-h768",
       .picture = "lengths",
       .ours = blockLengths},
      {.text = "T_M = T / 2^(M-1) for M = 1 ... 6, if every layer pools",
       .printed = {512, 256, 128, 64, 32, 16},
       .how = "lengths of the first 6 layers of that model, all but the first of which pool",
       .where = "its figure",
       .picture = "lengths",
       .ours =
           [] {
             const Numbers lengths = lengthsOf(funnelOf444(true), kTokens);
             return Numbers(lengths.begin(), lengths.begin() + 6);
           }},
      {.text = "M is the number of layers, each of which divides the length: after 12, of 512",
       .printed = {kTokens / 2048.0},
       .how = "the length after the 12 layers of funnel-b4-4-4-h768",
       .where = "Shape, Length",
       .preset = "funnel-b4-4-4-h768",
       .picture = "lengths",
       .ours = [] { return Numbers{blockLengths().back()}; },
       .right = {128},
       .wrong =
           "M counts blocks: only the first layer of a block pools. If each of M layers halved "
           "the length, it would be T / 2^M."},
      {.text =
           "Queries and the residual are built from the pooled states, keys and values from the "
           "others: T' 256, T 512, 512, T' 256",
       .printed = {256, 512, 512, 256},
       .how =
           "rows of the queries, keys, values and residual of the first layer that pools, for 512 "
           "tokens",
       .where = "Shape; Attention",
       .preset = "funnel-b4-4-4-h768",
       .picture = "lengths",
       .ours = [] { return rowsOfPoolingAttention(kTokens); }},
      {.text =
           "floor(i / 2^(M-1)) for i = 1 ... T: the vector that the last position repeats, M 3, "
           "T 8",
       .printed = {8 / 4},
       .how = "the engine's upsampling of the vectors 0 and 1 (T_M = 2) by 4; its last position",
       .where = "its figure",
       .picture = "index",
       .ours = [] { return Numbers{repeatedVectors(8, 4).back()}; },
       .right = {1},
       .wrong = "With i from 1 it overruns by one, and the first vector is repeated once less; i "
                "counts from 0."},
      {.text = "Each hidden vector is repeated 2^(M-1) times: 4 after M = 3",
       .printed = {4},
       .how = "positions that repeat the first of 2 vectors, up-sampled by the engine to 8",
       .where = "its figure",
       .picture = "index",
       .ours = [] { return Numbers{double(std::ranges::count(repeatedVectors(8, 4), 0.0))}; }},
      {.text = "h^(1), which is added to the repeated vectors, is the output of the first layer",
       .printed = {1},
       .how = "the layer whose output is added in funnel-b4-4-4-h768 with a layer at full length",
       .where = "Flow, where the first block has only one layer",
       .preset = "funnel-tagger",
       .ours = [] { return Numbers{double(layerAddedToCopies())}; },
       .right = {4},
       .wrong = "It is that of the first block, whose last layer is the 4th of B4-4-4."},
      {.text = "Halving the length makes a layer four times cheaper",
       .printed = {4},
       .how = "operations of a layer of hidden size 768 at 512 and 256 tokens",
       .where = "Shape, operations of each layer",
       .preset = "funnel-b4-4-4-h768",
       .picture = "cost",
       .ours = [] { return Numbers{operationsAt(kTokens) / operationsAt(kTokens / 2)}; },
       .tolerance = 0.05,
       .right = {2.11},
       .wrong =
           "Only the products of attention are four times cheaper, all else twice, as the next "
           "sentence of the notes says; and it is per block."},
      {.text = "The term T d^2 dominates",
       .printed = {1},
       .how = "1 if at 512 tokens the operations that grow with T alone are more than those that "
              "grow with T^2, from a layer at 256 and 512 tokens",
       .where = "Shape, operations of each layer",
       .preset = "funnel-b4-4-4-h768",
       .picture = "cost",
       .ours =
           [] {
             const double whole = operationsAt(kTokens), half = operationsAt(kTokens / 2);
             const double quadratic = 2 * (whole - 2 * half);  // a T + b T^2 at T = 512
             return Numbers{whole - quadratic > quadratic ? 1.0 : 0.0};
           }},
      {.text = "Large: 24 layers of 1024",
       .printed = {24, 1024},
       .how = "the preset funnel-b8-8-8-h1024",
       .where = "Shape, Length; info --preset",
       .preset = "funnel-b8-8-8-h1024",
       .ours = [] { return sizesOf("funnel-b8-8-8-h1024"); }},
      {.text = "Base: 12 layers of 768",
       .printed = {12, 768},
       .how = "the preset funnel-b4-4-4-h768",
       .where = "Shape, Length; info --preset",
       .preset = "funnel-b4-4-4-h768",
       .ours = [] { return sizesOf("funnel-b4-4-4-h768"); }},
      {.text = "Small: 6 layers of 768",
       .printed = {6, 768},
       .how =
           "not computed: the size of a standard model that Funnels are compared with; no Funnel "
           "of 6 layers is published",
       .where = "nowhere"},
      {.text = "512 features in 4 groups: 128 each",
       .printed = {128},
       .how = "the features that an output of the engine's grouped map reads: ones through weights "
              "of one",
       .where = "Shape, Width",
       .preset = "delight-wmt14-en-de-256",
       .picture = "groups",
       .ours = [] { return Numbers{readFeatures(512, 4).back()}; }},
      {.text = "G d_group^2 weights, much fewer than d_in x d_out",
       .printed = {4 * 128 * 128, 512 * 512},
       .how =
           "the features that all outputs of the engine's grouped map read, in 4 groups and in one",
       .where = "Matrices, the saving",
       .preset = "delight-sequence",
       .picture = "groups",
       .ours =
           [] {
             return Numbers{weightsOfGroups(512, 4), weightsOfGroups(512, 1)};
           }},
      {.text = "d_max = w_m d_in and d_0 = d / 2 for d 128, w_m 2",
       .printed = {256, 64},
       .how = "the widest and the last map of a DExTra unit of 4 maps",
       .where = "Shape, Width",
       .preset = "delight-wmt14-en-de-128",
       .picture = "widths",
       .ours =
           [] {
             const std::vector<GroupedSizes> maps = dextraUnit(128, 4);
             const auto widest = std::ranges::max_element(maps, {}, &GroupedSizes::outputs);
             return Numbers{double(widest->outputs), double(maps.back().outputs)};
           }},
      {.text = "The first floor(N / 2) maps expand: 2 of 5",
       .printed = {2},
       .how = "maps up to the widest of a DExTra unit of 5 maps",
       .where = "Shape, Width",
       .preset = "delight-wmt14-en-de-128",
       .picture = "widths",
       .ours =
           [] {
             const std::vector<GroupedSizes> maps = dextraUnit(128, 5);
             const auto widest = std::ranges::max_element(maps, {}, &GroupedSizes::outputs);
             return Numbers{double(std::distance(maps.begin(), widest) + 1)};
           },
       .right = {3},
       .wrong = "In the official code it is ceil(N / 2)."},
      {.text = "Groups in the figure: 1, 2, 4",
       .printed = {1, 2, 4},
       .how = "the dense input map and the first maps of a DExTra unit",
       .where = "Shape, Width",
       .preset = "delight-wmt14-en-de-128",
       .picture = "widths",
       .ours =
           [] {
             const std::vector<GroupedSizes> maps = dextraUnit(128, 4);
             return Numbers{1, double(maps[0].groups), double(maps[1].groups)};
           }},
      {.text = "8 features in 2 groups: 4 each",
       .printed = {4},
       .how =
           "the features that an output of the engine's grouped map reads: ones through weights of "
           "one",
       .where = "Shape, Width",
       .preset = "delight-wmt14-en-de-128",
       .picture = "shuffle",
       .ours = [] { return Numbers{readFeatures(8, 2).back()}; }},
      {.text = "[x1 ... x4, y1 ... y4] becomes [x1, y1, x2, y2, x3, y3, x4, y4]",
       .printed = {1, 5, 2, 6, 3, 7, 4, 8},
       .how = "1 ... 8 through the engine's grouped map with two identity matrices and its shuffle",
       .where = "Shape, Width: crossing lines",
       .preset = "delight-wmt14-en-de-128",
       .picture = "shuffle",
       .ours = [] { return shuffled(8, 2); },
       .wrong = "The notes call it the input mixer; that hands the unit's input to every map, and "
                "this is the shuffle."},
      {.text =
           "Funnels outperform standard transformers on most of GLUE, and not on STS-B; DeLighT is "
           "as good or better with fewer parameters",
       .how = "not computed: no numbers are given, and they need models pretrained for weeks; see "
              "the manual, Studies, for a DeLighT and a standard model on French sentences",
       .where = "Compare models; study --arm"},
  };
}

}  // namespace tfm::reproduce
