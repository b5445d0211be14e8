// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;
using io::ObjectReader;

Json toJson(const BlockConfig& block) {
  Json json{{"kind", blockName(block.kind())}};
  if (const AttentionSizes* a = attentionOf(block)) {
    json.update({{"heads", a->heads}, {"key_size", a->key_size}, {"value_size", a->value_size}});
    if (!a->key_sizes.empty()) json["key_sizes"] = a->key_sizes;
    if (!a->value_sizes.empty()) json["value_sizes"] = a->value_sizes;
  }
  if (const auto* f = std::get_if<FeedForward>(&block.f)) json["width"] = f->width;
  json["norm_eps"] = block.norm_eps;
  return json;
}

Json toJson(const std::vector<LayerConfig>& layers) {
  Json list = Json::array();
  for (const LayerConfig& layer : layers) {
    Json blocks = Json::array();
    for (const BlockConfig& block : layer.blocks) blocks.push_back(toJson(block));
    list.push_back({{"blocks", blocks}, {"gated", layer.gated}});
  }
  return list;
}

std::vector<std::int64_t> sizesFrom(ObjectReader& r, std::string_view name) {
  const nlohmann::json* json = r.child(name);
  if (json == nullptr) return {};
  const auto whole = [](const nlohmann::json& size) { return size.is_number_integer(); };
  if (!json->is_array() || !std::all_of(json->begin(), json->end(), whole))
    r.throwInvalid(name, "a list of one whole number for each head");
  return json->get<std::vector<std::int64_t>>();
}

void readSizes(ObjectReader& r, AttentionSizes& sizes) {
  sizes.heads = r.get("heads", sizes.heads);
  sizes.key_size = r.get("key_size", sizes.key_size);
  sizes.value_size = r.get("value_size", sizes.value_size);
  sizes.key_sizes = sizesFrom(r, "key_sizes");
  sizes.value_sizes = sizesFrom(r, "value_sizes");
}

constexpr std::array kKinds{BlockKind::SelfAttention, BlockKind::CrossAttention,
                            BlockKind::FeedForward};

BlockConfig blockFrom(const nlohmann::json& json, const std::string& where,
                      const LayerSizes& usual) {
  ObjectReader r(json, where);
  const auto name = r.get<std::string>("kind", "");
  const auto kind = std::ranges::find(kKinds, name, blockName);
  if (kind == kKinds.end())
    throw Error("the kind of a block is '" + name.substr(0, 60) + "'", where,
                "Expected: self_attention, cross_attention or feed_forward");
  BlockConfig block = blockOf(*kind, usual);
  if (AttentionSizes* sizes = attentionOf(block)) readSizes(r, *sizes);
  if (auto* f = std::get_if<FeedForward>(&block.f)) f->width = r.get("width", f->width);
  block.norm_eps = r.get("norm_eps", block.norm_eps);
  r.refuseUnknown();
  return block;
}

/// A layer in the format until 2026: one member per default block and per norm's eps. Members of
/// blocks that the layer does not have are ignored.
void readMembers(ObjectReader& r, LayerConfig& layer) {
  for (BlockConfig& block : layer.blocks) {
    const std::string name(blockName(block.kind()));
    if (auto* f = std::get_if<FeedForward>(&block.f)) f->width = r.get(name, f->width);
    if (const nlohmann::json* json = attentionOf(block) ? r.child(name) : nullptr) {
      ObjectReader sizes(*json, r.where());
      readSizes(sizes, *attentionOf(block));
      sizes.refuseUnknown();
    }
    block.norm_eps = r.get(name + "_norm_eps", block.norm_eps);
  }
  for (const BlockKind kind : kKinds) {
    r.child(blockName(kind));
    r.child(std::string(blockName(kind)) + "_norm_eps");
  }
}

LayerConfig layerFrom(const nlohmann::json& json, const std::string& where,
                      const LayerConfig& usual_layer, const LayerSizes& usual) {
  ObjectReader r(json, where);
  LayerConfig layer = usual_layer;
  if (const nlohmann::json* blocks = r.child("blocks")) {
    if (!blocks->is_array() || std::int64_t(blocks->size()) > kMaxBlocks)
      r.throwInvalid("blocks", "a list of 1 to " + std::to_string(kMaxBlocks) + " blocks");
    layer.blocks.clear();
    for (std::size_t i = 0; i < blocks->size(); ++i)
      layer.blocks.push_back(
          blockFrom((*blocks)[i], where + ".blocks." + std::to_string(i), usual));
  } else {
    readMembers(r, layer);
  }
  layer.gated = r.get("gated", layer.gated);
  r.refuseUnknown();
  return layer;
}

/// Layers as a number or a list; `usual` has the default sizes.
void readLayers(ObjectReader& reader, ModelConfig& config, Stack stack, const LayerSizes& usual) {
  const std::string name = std::string(stackName(stack)) + "_layers";
  const std::string where = reader.where() + ": " + name;
  const nlohmann::json* json = reader.child(name);
  if (json == nullptr) return;
  const bool number = json->is_number_integer();
  if (!number && !json->is_array())
    throw Error("layers are " + json->dump().substr(0, 60), where,
                "Expected: a whole number, or a list of layers");
  const std::int64_t count = number ? json->get<std::int64_t>() : std::int64_t(json->size());
  if (count < 0 || count > kMaxLayers)
    throw Error(std::to_string(count) + " layers", where,
                "Allowed: 0 to " + std::to_string(kMaxLayers));
  const LayerConfig layer = defaultLayer(config, stack, usual);
  std::vector<LayerConfig>& layers = config.layers(stack);
  layers.assign(std::size_t(count), layer);
  for (std::size_t i = 0; !number && i < layers.size(); ++i)
    layers[i] = layerFrom((*json)[i], where + "." + std::to_string(i), layer, usual);
}

}  // namespace

std::string toJson(const ModelConfig& config) {
  Json json;
  ModelConfig copy = config;
  io::writeFields(configFields(copy), json);
  if (const auto sizes = uniformSizes(config)) {
    json["encoder_layers"] = config.encoder_layers.size();
    json["decoder_layers"] = config.decoder_layers.size();
    json["heads"] = sizes->heads;
    json["key_size"] = sizes->key_size;
    json["value_size"] = sizes->value_size;
    json["feed_forward"] = sizes->feed_forward;
    json["norm_eps"] = sizes->norm_eps;
  } else {
    json["encoder_layers"] = toJson(config.encoder_layers);
    json["decoder_layers"] = toJson(config.decoder_layers);
    json["embedding_norm_eps"] = config.embedding_norm_eps;
    json["encoder_final_norm_eps"] = config.encoder_final_norm_eps;
    json["decoder_final_norm_eps"] = config.decoder_final_norm_eps;
  }
  return json.dump();
}

ModelConfig modelConfigFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  ObjectReader reader(json, where);
  ModelConfig config;
  reader.readFields(configFields(config));
  LayerSizes usual;
  usual.heads = reader.get("heads", usual.heads);
  usual.key_size = reader.get("key_size", usual.key_size);
  usual.value_size = reader.get("value_size", usual.key_size);
  usual.feed_forward = reader.get("feed_forward", usual.feed_forward);
  usual.norm_eps = reader.get("norm_eps", usual.norm_eps);
  readLayers(reader, config, Stack::Encoder, usual);
  readLayers(reader, config, Stack::Decoder, usual);
  config.embedding_norm_eps = reader.get("embedding_norm_eps", usual.norm_eps);
  config.encoder_final_norm_eps = reader.get("encoder_final_norm_eps", usual.norm_eps);
  config.decoder_final_norm_eps = reader.get("decoder_final_norm_eps", usual.norm_eps);
  reader.refuseUnknown();
  validate(config);
  return config;
}

}  // namespace tfm
