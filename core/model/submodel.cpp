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

/// The largest size along an axis in a layer; 0 if it has none.
std::int64_t largest(const LayerConfig& layer, Axis axis) {
  std::int64_t most = 0;
  for (BlockConfig block : layer.blocks)
    for (const BlockSize& size : block.growable())
      if (size.axis == axis) most = std::max(most, *size.value);
  return most;
}

std::vector<std::int64_t> largestOfEach(const ModelConfig& config, Axis axis) {
  std::vector<std::int64_t> sizes;
  forEachLayer(config, [&](std::size_t, const LayerConfig& layer) {
    sizes.push_back(largest(layer, axis));
  });
  return sizes;
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
  return largestOfEach(config, Axis::FeedForward);
}

std::vector<std::int64_t> fullHeads(const ModelConfig& config) {
  return largestOfEach(config, Axis::Head);
}

void validate(const ModelConfig& config, const Submodel& submodel) {
  checkCount("widths", submodel.widths.size(), layerCount(config));
  checkCount("numbers of heads", submodel.heads.size(), layerCount(config));
  forEachLayer(config, [&](std::size_t i, const LayerConfig& layer) {
    if (!submodel.widths.empty())
      checkSize("width", i, submodel.widths[i], largest(layer, Axis::FeedForward));
    if (!submodel.heads.empty())
      checkSize("heads", i, submodel.heads[i], largest(layer, Axis::Head));
  });
}

ModelConfig configOf(const ModelConfig& config, const Submodel& submodel) {
  validate(config, submodel);
  ModelConfig part = config;
  forEachLayer(part, [&](std::size_t i, LayerConfig& layer) {
    for (BlockConfig& block : layer.blocks)
      for (const BlockSize& size : block.growable()) {
        if (size.axis == Axis::FeedForward && !submodel.widths.empty())
          *size.value = std::min(*size.value, submodel.widths[i]);
        if (size.axis == Axis::Head && !submodel.heads.empty())
          block.setHeads(std::min(*size.value, submodel.heads[i]));
      }
  });
  for (auto* layers : {&part.encoder_layers, &part.decoder_layers})
    for (std::size_t i = 1; i < layers->size(); ++i) {
      LayerConfig& layer = (*layers)[i];
      const bool alike = layer.blocks == (*layers)[i - 1].blocks;
      layer.repeats = layer.repeats && alike;
      part.share_layers = part.share_layers && alike;
    }
  return part;
}

}  // namespace tfm
