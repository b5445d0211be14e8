// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/submodel.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace tfm {
namespace {

template <class Config, class Visit>
void forEachLayer(Config& config, const Visit& visit) {
  std::size_t number = 0;
  for (auto* layers : {&config.encoder_layers, &config.decoder_layers})
    for (auto& layer : *layers) visit(number++, layer);
}

/// The largest feed-forward width in a layer; 0 without feed-forward.
std::int64_t widest(const LayerConfig& layer) {
  std::int64_t most = 0;
  for (const BlockConfig& block : layer.blocks)
    if (const auto* f = std::get_if<FeedForward>(&block.f)) most = std::max(most, f->width);
  return most;
}
std::int64_t maxHeads(const LayerConfig& layer) {
  std::int64_t most = 0;
  for (const BlockConfig& block : layer.blocks)
    if (const AttentionSizes* a = attentionOf(block)) most = std::max(most, a->heads);
  return most;
}

void checkCount(const char* what, std::size_t given, std::int64_t layers) {
  if (given == 0 || std::int64_t(given) == layers) return;
  throw Error(std::to_string(given) + " " + what + " for " + std::to_string(layers) + " layers",
              "submodel", "Use one per layer, encoder layers first");
}

void checkSize(const char* what, std::size_t layer, std::int64_t given, std::int64_t most) {
  if (given >= std::min<std::int64_t>(1, most) && given <= most) return;
  throw Error(
      std::string(what) + " " + std::to_string(given) + " in layer " + std::to_string(layer + 1),
      "submodel", "Allowed: 1 to " + std::to_string(most));
}

}  // namespace

std::int64_t layerCount(const ModelConfig& config) {
  return std::int64_t(config.encoder_layers.size() + config.decoder_layers.size());
}

std::vector<std::int64_t> fullWidths(const ModelConfig& config) {
  std::vector<std::int64_t> widths;
  forEachLayer(config,
               [&](std::size_t, const LayerConfig& layer) { widths.push_back(widest(layer)); });
  return widths;
}

std::vector<std::int64_t> fullHeads(const ModelConfig& config) {
  std::vector<std::int64_t> heads;
  forEachLayer(config,
               [&](std::size_t, const LayerConfig& layer) { heads.push_back(maxHeads(layer)); });
  return heads;
}

void validate(const ModelConfig& config, const Submodel& submodel) {
  checkCount("widths", submodel.widths.size(), layerCount(config));
  checkCount("numbers of heads", submodel.heads.size(), layerCount(config));
  forEachLayer(config, [&](std::size_t i, const LayerConfig& layer) {
    if (!submodel.widths.empty()) checkSize("width", i, submodel.widths[i], widest(layer));
    if (!submodel.heads.empty()) checkSize("heads", i, submodel.heads[i], maxHeads(layer));
  });
}

ModelConfig configOf(const ModelConfig& config, const Submodel& submodel) {
  validate(config, submodel);
  ModelConfig part = config;
  forEachLayer(part, [&](std::size_t i, LayerConfig& layer) {
    for (BlockConfig& block : layer.blocks) {
      auto* f = std::get_if<FeedForward>(&block.f);
      if (f && !submodel.widths.empty()) f->width = std::min(f->width, submodel.widths[i]);
      AttentionSizes* attention = submodel.heads.empty() ? nullptr : attentionOf(block);
      if (!attention) continue;
      attention->heads = std::min(attention->heads, submodel.heads[i]);
      for (auto* sizes : {&attention->key_sizes, &attention->value_sizes})
        if (!sizes->empty()) sizes->resize(std::size_t(attention->heads));
    }
  });
  const auto alike = [](const std::vector<LayerConfig>& layers) {
    return std::all_of(layers.begin(), layers.end(),
                       [&](const LayerConfig& layer) { return layer == layers.front(); });
  };
  part.share_layers =
      config.share_layers && alike(part.encoder_layers) && alike(part.decoder_layers);
  return part;
}

}  // namespace tfm
