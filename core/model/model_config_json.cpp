// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/word_list.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;
using io::ObjectReader;

constexpr const char* kGroup = "group";
constexpr const char* kWindow = "window";

Json toJson(BlockConfig block) {
  Json json{{"kind", block.kind().name}};
  io::writeFields(block.fields(), json);
  json["norm_eps"] = block.norm_eps;
  // As older versions have it.
  if (json.value(kGroup, std::int64_t{1}) == 1) json.erase(kGroup);
  if (json.value(kWindow, std::int64_t{0}) == 0) json.erase(kWindow);
  return json;
}

/// Repeats of a layer are one entry with their number.
Json toJson(const std::vector<LayerConfig>& layers) {
  Json list = Json::array();
  for (LayerConfig layer : layers) {
    if (layer.repeats && !list.empty()) {
      list.back()["repeats"] = list.back().value("repeats", std::int64_t{1}) + 1;
      continue;
    }
    Json blocks = Json::array();
    for (const BlockConfig& block : layer.blocks) blocks.push_back(toJson(block));
    list.push_back({{"blocks", blocks}, {"gated", layer.gated}});
    if (layer.before != LengthChange::None) io::writeFields(lengthFields(layer), list.back());
  }
  return list;
}

/// "self_attention, cross_attention or feed_forward"
std::string kindNames() {
  std::vector<std::string> names;
  for (const AnyBlock& kind : blockKinds()) names.emplace_back(BlockConfig{kind}.kind().name);
  return wordList(names, "or");
}

BlockConfig blockFrom(const nlohmann::json& json, const std::string& where,
                      const LayerSizes& usual) {
  ObjectReader r(json, where);
  const auto name = r.get<std::string>("kind", "");
  const auto is = [&](const AnyBlock& kind) { return BlockConfig{kind}.kind().name == name; };
  const auto kind = std::ranges::find_if(blockKinds(), is);
  if (kind == blockKinds().end())
    throw Error("the kind of a block is '" + name.substr(0, 60) + "'", where,
                "Expected: " + kindNames());
  BlockConfig block = blockOf(*kind, usual);
  r.readFields(block.fields());
  block.norm_eps = r.get("norm_eps", block.norm_eps);
  r.refuseUnknown();
  return block;
}

/// A layer in the format until 2026: one member per default block (a number if the block has one
/// size) and per norm's eps. Members of blocks that the layer does not have are ignored.
void readMembers(ObjectReader& r, LayerConfig& layer) {
  for (BlockConfig& block : layer.blocks) {
    const std::string name(block.kind().name);
    const std::vector<io::Field> fields = block.fields();
    if (fields.size() == 1) {
      std::int64_t& size = *std::get<io::IntegerSlot>(fields.front().slot).value;
      size = r.get(name, size);
    } else if (const nlohmann::json* json = r.child(name)) {
      ObjectReader sizes(*json, r.where());
      sizes.readFields(fields);
      sizes.refuseUnknown();
    }
    block.norm_eps = r.get(name + "_norm_eps", block.norm_eps);
  }
  for (const AnyBlock& kind : blockKinds()) {
    const std::string name(BlockConfig{kind}.kind().name);
    r.child(name);
    r.child(name + "_norm_eps");
  }
}

/// Appends a layer with its repeats.
void readLayer(const nlohmann::json& json, const std::string& where,
               const LayerConfig& default_layer, const LayerSizes& usual,
               std::vector<LayerConfig>& layers) {
  ObjectReader r(json, where);
  LayerConfig layer = default_layer;
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
  r.readFields(lengthFields(layer));
  const std::int64_t repeats = r.get("repeats", std::int64_t{1});
  r.refuseUnknown();
  if (repeats < 1 || repeats > kMaxLayers - std::ssize(layers))
    throw Error("a layer runs " + std::to_string(repeats) + " times", where,
                "Allowed: 1 or more, and " + std::to_string(kMaxLayers) + " in a stack at most");
  for (std::int64_t run = 0; run < repeats; ++run) {
    layer.repeats = run > 0;
    if (layer.repeats) layer.before = LengthChange::None;
    layers.push_back(layer);
  }
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
  layers.clear();
  if (number) layers.assign(std::size_t(count), layer);
  for (std::int64_t i = 0; !number && i < count; ++i)
    readLayer((*json)[std::size_t(i)], where + "." + std::to_string(i), layer, usual, layers);
}

void readFrequencies(ObjectReader& reader, std::vector<double>& frequencies) {
  const nlohmann::json* list = reader.child("rotary_frequencies");
  if (list == nullptr) return;
  if (!list->is_array() || list->size() > std::size_t(kMaxPositions) ||
      !std::ranges::all_of(*list, [](const auto& one) { return one.is_number(); }))
    reader.throwInvalid("rotary_frequencies", "a list of numbers");
  frequencies = list->get<std::vector<double>>();
}

/// Fields that older versions do not know are left out where they have their default value.
void eraseDefaults(Json& json) {
  ModelConfig usual;
  Json plain;
  io::writeFields(configFields(usual), plain);
  for (const char* name :
       {"share_embeddings", "embedding_size", "embedding_base", "gated_feed_forward", "rotary_base",
        "rotary_size", "norm_gain", "parallel_blocks", "query_key_norm", "query_key_norm_eps",
        "output_transform", "sinusoid_halves", "distance_buckets", "distance_furthest",
        "embedding_map"})
    if (json[name] == plain[name]) json.erase(name);
}

}  // namespace

std::string toJson(const ModelConfig& config) {
  Json json;
  ModelConfig copy = config;
  io::writeFields(configFields(copy), json);
  if (config.pooling != PoolingConfig{})
    io::writeFields(poolingFields(copy.pooling), json["pooling"]);
  eraseDefaults(json);
  if (!config.rotary_frequencies.empty()) json["rotary_frequencies"] = config.rotary_frequencies;
  if (config.rotary_magnitude != 1.0) json["rotary_magnitude"] = config.rotary_magnitude;
  if (const auto sizes = uniformSizes(config)) {
    json["encoder_layers"] = config.encoder_layers.size();
    json["decoder_layers"] = config.decoder_layers.size();
    json["heads"] = sizes->heads;
    json["key_size"] = sizes->key_size;
    json["value_size"] = sizes->value_size;
    json["feed_forward"] = sizes->feed_forward;
    json["norm_eps"] = sizes->norm_eps;
    if (sizes->group != 1) json[kGroup] = sizes->group;
    if (sizes->window != 0) json[kWindow] = sizes->window;
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
  if (const nlohmann::json* pooling = reader.child("pooling")) {
    ObjectReader fields(*pooling, where + ": pooling");
    fields.readFields(poolingFields(config.pooling));
    fields.refuseUnknown();
  }
  readFrequencies(reader, config.rotary_frequencies);
  config.rotary_magnitude = reader.get("rotary_magnitude", config.rotary_magnitude);
  LayerSizes usual;
  usual.heads = reader.get("heads", usual.heads);
  usual.key_size = reader.get("key_size", usual.key_size);
  usual.value_size = reader.get("value_size", usual.key_size);
  usual.group = reader.get(kGroup, usual.group);
  usual.window = reader.get(kWindow, usual.window);
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
