// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/lightweight_sizes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "core/backend/registry.h"
#include "core/model/blocks/delight_attention.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"

namespace tfm::reproduce {
namespace {

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

}  // namespace

ModelConfig funnelOf444(bool every_layer) {
  ModelConfig config = presetNamed("funnel-b4-4-4-h768").config();
  for (std::size_t i = 1; every_layer && i < config.encoder_layers.size(); ++i)
    config.encoder_layers[i].before = LengthChange::Pool;
  return config;
}

Numbers lengthsOf(const ModelConfig& config, std::int64_t tokens) {
  const std::vector<std::int64_t> lengths = layerLengths(config, Stack::Encoder, tokens);
  return {lengths.begin(), lengths.end()};
}

Numbers rowsOfPoolingAttention(std::int64_t tokens) {
  const Program program = buildProgram(funnelOf444(), {1, tokens, 0}, {});
  Numbers rows;
  for (const char* of : {".query", ".key", ".value", "_residual"})
    rows.push_back(
        double(program.tensor("encoder.layers.4.self_attention" + std::string(of)).rows));
  return rows;
}

std::int64_t layerAddedToCopies() {
  ModelConfig config = funnelOf444();
  setFunnelLayers(config, std::array{FunnelBlock{4}, FunnelBlock{4}, FunnelBlock{4}}, 1);
  const Program program = buildProgram(config, {1, config.source_length, 0}, {});
  const auto& steps = program.steps;
  const auto sum = std::ranges::find_if(
      steps, [](const Step& step) { return step.path.ends_with(".upsampled_residual"); });
  const TensorId added = sum->inputs[1];
  const auto maker = std::ranges::find_if(
      steps, [&](const Step& step) { return std::ranges::count(step.outputs, added) > 0; });
  return maker->site.layer + 1;
}

double operationsAt(std::int64_t tokens) {
  ModelConfig config = funnelOf444();
  config.positions = Positions::None;
  config.embedding_norm = false;
  config.encoder_layers.resize(1);
  return double(buildProgram(config, {1, tokens, 0}, {}).forwardFlops());
}

std::vector<GroupedSizes> dextraUnit(std::int64_t hidden, std::int64_t depth) {
  DelightAttention block;
  block.depth = depth;
  block.width = 2.0;
  return block.maps(hidden);
}

Numbers readFeatures(std::int64_t size, std::int64_t groups) {
  return throughGroups(Numbers(std::size_t(size), 1.0),
                       Numbers(std::size_t(size * size / groups), 1.0), groups, false);
}

double weightsOfGroups(std::int64_t size, std::int64_t groups) {
  const Numbers each = readFeatures(size, groups);
  return std::accumulate(each.begin(), each.end(), 0.0);
}

Numbers shuffled(std::int64_t size, std::int64_t groups) {
  const std::int64_t each = size / groups;
  Numbers columns, identity;
  for (std::int64_t row = 0; row < size; ++row) {
    columns.push_back(double(row + 1));
    for (std::int64_t col = 0; col < each; ++col) identity.push_back(row % each == col ? 1 : 0);
  }
  return throughGroups(columns, identity, groups, true);
}

Numbers repeatedVectors(std::int64_t length, std::int64_t times) {
  Numbers vectors;
  for (std::int64_t i = 0; i < length / times; ++i) vectors.push_back(double(i));
  return outputOf(vectors, 1, [&](ProgramBuilder& b, TensorId pooled) {
    return ops::upsample(b, "y", pooled, {length / times, times, length, false});
  });
}

}  // namespace tfm::reproduce
