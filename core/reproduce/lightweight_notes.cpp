// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on Funnel-Transformer (Dai et al. 2020) and DeLighT (Mehta et al. 2021).
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>

#include "core/backend/registry.h"
#include "core/model/blocks/delight_attention.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

constexpr std::int64_t kTokens = 512;

ModelConfig funnel444() { return presetNamed("funnel-b4-4-4-h768").config(); }

/// Lengths of the last layer of each block.
Numbers blockLengths() {
  const std::vector<std::int64_t> lengths = layerLengths(funnel444(), Stack::Encoder, kTokens);
  return {double(lengths[3]), double(lengths[7]), double(lengths[11])};
}

/// Lengths of the first layers if each but the first pools.
Numbers ladder() {
  ModelConfig c = funnel444();
  for (std::size_t i = 1; i < c.encoder_layers.size(); ++i)
    c.encoder_layers[i].before = LengthChange::Pool;
  const std::vector<std::int64_t> lengths = layerLengths(c, Stack::Encoder, kTokens);
  return {lengths.begin(), lengths.begin() + 6};
}

/// Operations of a layer at full length, divided by those at half of it.
Numbers costOfHalf() {
  ModelConfig c = funnel444();
  c.positions = Positions::None;
  c.embedding_norm = false;
  c.encoder_layers.resize(1);
  const auto flops = [&](std::int64_t length) {
    return double(buildProgram(c, {1, length, 0}, {}).forwardFlops());
  };
  return {flops(kTokens) / flops(kTokens / 2)};
}

/// Layers and hidden size.
Numbers sizesOf(const char* preset) {
  const ModelConfig c = presetNamed(preset).config();
  return {double(c.encoder_layers.size()), double(c.hidden)};
}

/// The maps of a DExTra unit for a hidden size of 128 and w_m = 2.
std::vector<GroupedSizes> unitOf128(std::int64_t depth) {
  DelightAttention block;
  block.depth = depth;
  block.width = 2.0;
  return block.maps(128);
}

/// What a step that `append` adds to a program makes of these rows.
Numbers outputOf(const Numbers& rows, std::int64_t cols,
                 const std::function<TensorId(ProgramBuilder&, TensorId)>& append) {
  ProgramBuilder b({1, 1, 0}, false, false);
  const TensorId x = b.input("x", std::ssize(rows) / cols, cols);
  const TensorId y = append(b, x);
  const auto program = std::make_shared<const Program>(b.finish());
  const auto backend = makeBackend<double>();
  Executor<double> executor(program, *backend, false);
  executor.upload(x, std::span(rows));
  executor.forward(nullptr, {0, 0, 0});
  const MatrixView<const double> out = executor.values(y);
  return {out.data, out.data + out.size()};
}

/// One row through a grouped map without biases. weights: as many rows as columns in x
Numbers throughGroups(const Numbers& x, const Numbers& weights, std::int64_t groups, bool shuffle) {
  const auto size = std::ssize(x);
  return outputOf(x, size, [&](ProgramBuilder& b, TensorId row) {
    const TensorId weight = b.constant("weight", size, size / groups, weights);
    return ops::groupedLinear(b, "y", row, weight, kNoTensor, groups, shuffle);
  });
}

/// How many of 512 features each output of a grouped map reads: ones through weights of one.
Numbers readFeatures(std::int64_t groups) {
  constexpr std::int64_t kSize = 512;
  return throughGroups(Numbers(kSize, 1.0), Numbers(std::size_t(kSize * kSize / groups), 1.0),
                       groups, false);
}
double weightsOf512(std::int64_t groups) {
  const Numbers each = readFeatures(groups);
  return std::accumulate(each.begin(), each.end(), 0.0);
}

/// The columns of 1 ... 8 after a grouped map that changes nothing, and the shuffle.
Numbers shuffledEight() {
  constexpr std::int64_t kColumns = 8, kGroups = 2, kEach = kColumns / kGroups;
  Numbers identity;
  for (std::int64_t row = 0; row < kColumns; ++row)
    for (std::int64_t col = 0; col < kEach; ++col) identity.push_back(row % kEach == col ? 1 : 0);
  return throughGroups({1, 2, 3, 4, 5, 6, 7, 8}, identity, kGroups, true);
}

/// Which of two pooled vectors each of 8 positions repeats.
Numbers repeatedVectors() {
  return outputOf({0, 1}, 1, [](ProgramBuilder& b, TensorId pooled) {
    return ops::upsample(b, "y", pooled, {2, 4, 8, false});
  });
}

}  // namespace

std::vector<Claim> lightweightClaims() {
  return {
      {.text = "T_M = T / 2^(M-1): T, T/2, T/4 after M = 1, 2, 3",
       .printed = {kTokens, kTokens / 2.0, kTokens / 4.0},
       .how = "lengths of the three blocks of funnel-b4-4-4-h768 for 512 tokens",
       .where = "Shape, Length",
       .ours = blockLengths},
      {.text = "T_M = T / 2^(M-1) for M = 1 ... 6, if every layer pools",
       .printed = {512, 256, 128, 64, 32, 16},
       .how = "lengths of the first 6 layers of that model, all but the first of which pool",
       .where = "Shape, Length",
       .ours = ladder},
      {.text = "M is the number of layers, each of which divides the length: after 12, of 512",
       .printed = {kTokens / 2048.0},
       .how = "the length after the 12 layers of funnel-b4-4-4-h768",
       .where = "Shape, Length",
       .ours = [] { return Numbers{blockLengths().back()}; },
       .right = {128},
       .wrong = "M counts blocks: only the first layer of a block pools."},
      {.text =
           "floor(i / 2^(M-1)) for i = 1 ... T: the vector that the last position repeats, M 3, "
           "T 8",
       .printed = {8 / 4},
       .how = "the engine's upsampling of the vectors 0 and 1 (T_M = 2) by 4; its last position",
       .where = "Shape, Length: hover a copy",
       .ours = [] { return Numbers{repeatedVectors().back()}; },
       .right = {1},
       .wrong = "With i from 1 it overruns by one, and the first vector is repeated once less; i "
                "counts from 0."},
      {.text = "Halving the length makes a layer four times cheaper",
       .printed = {4},
       .how = "operations of a layer of hidden size 768 at 512 and 256 tokens",
       .where = "Shape, operations of each layer",
       .ours = costOfHalf,
       .tolerance = 0.05,
       .right = {2.11},
       .wrong =
           "Only the products of attention are four times cheaper, all else twice, as the next "
           "sentence of the notes says; and it is per block."},
      {.text = "Large: 24 layers of 1024",
       .printed = {24, 1024},
       .how = "the preset funnel-b8-8-8-h1024",
       .where = "info",
       .ours = [] { return sizesOf("funnel-b8-8-8-h1024"); }},
      {.text = "Base: 12 layers of 768",
       .printed = {12, 768},
       .how = "the preset funnel-b4-4-4-h768",
       .where = "info",
       .ours = [] { return sizesOf("funnel-b4-4-4-h768"); }},
      {.text = "Small: 6 layers of 768",
       .printed = {6, 768},
       .how =
           "not computed: the size of a standard model that Funnels are compared with; no Funnel "
           "of 6 layers is published",
       .where = "info"},
      {.text = "512 features in 4 groups: 128 each",
       .printed = {128},
       .how = "the features that an output of the engine's grouped map reads: ones through weights "
              "of one",
       .where = "Shape, Width",
       .ours = [] { return Numbers{readFeatures(4).back()}; }},
      {.text = "G d_group^2 weights, much fewer than d_in x d_out",
       .printed = {4 * 128 * 128, 512 * 512},
       .how = "the same of all outputs, in 4 groups and in one",
       .where = "Matrices, the saving",
       .ours =
           [] {
             return Numbers{weightsOf512(4), weightsOf512(1)};
           }},
      {.text = "d_max = w_m d_in and d_0 = d / 2 for d 128, w_m 2",
       .printed = {256, 64},
       .how = "the widest and the last map of a DExTra unit of 4 maps",
       .where = "Shape, Width",
       .ours =
           [] {
             const std::vector<GroupedSizes> maps = unitOf128(4);
             const auto widest = std::ranges::max_element(maps, {}, &GroupedSizes::outputs);
             return Numbers{double(widest->outputs), double(maps.back().outputs)};
           }},
      {.text = "The first floor(N / 2) maps expand: 2 of 5",
       .printed = {2},
       .how = "maps up to the widest of a DExTra unit of 5 maps",
       .where = "Shape, Width",
       .ours =
           [] {
             const std::vector<GroupedSizes> maps = unitOf128(5);
             const auto widest = std::ranges::max_element(maps, {}, &GroupedSizes::outputs);
             return Numbers{double(std::distance(maps.begin(), widest) + 1)};
           },
       .right = {3},
       .wrong = "In the official code it is ceil(N / 2)."},
      {.text = "Groups in the figure: 1, 2, 4",
       .printed = {1, 2, 4},
       .how = "the dense input map and the first maps of a DExTra unit",
       .where = "Shape, Width",
       .ours =
           [] {
             const std::vector<GroupedSizes> maps = unitOf128(4);
             return Numbers{1, double(maps[0].groups), double(maps[1].groups)};
           }},
      {.text = "[x1 ... x4, y1 ... y4] becomes [x1, y1, x2, y2, x3, y3, x4, y4]",
       .printed = {1, 5, 2, 6, 3, 7, 4, 8},
       .how = "1 ... 8 through the engine's grouped map with two identity matrices and its shuffle",
       .where = "Shape, Width: crossing lines",
       .ours = shuffledEight,
       .wrong = "The notes call it the input mixer; that hands the unit's input to every map, and "
                "this is the shuffle."},
  };
}

}  // namespace tfm::reproduce
