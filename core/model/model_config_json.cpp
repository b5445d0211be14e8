// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/unused_attention.h"

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;
using io::ObjectReader;

Json toJson(const AttentionSizes& a) {
  Json json{{"heads", a.heads}, {"key_size", a.key_size}, {"value_size", a.value_size}};
  if (!a.key_sizes.empty()) json["key_sizes"] = a.key_sizes;
  if (!a.value_sizes.empty()) json["value_sizes"] = a.value_sizes;
  return json;
}

Json toJson(const LayerConfig& layer, bool crosses) {
  Json json{{"self_attention", toJson(layer.self_attention)}};
  if (crosses) json["cross_attention"] = toJson(layer.cross_attention);
  json["feed_forward"] = layer.feed_forward;
  json["self_attention_norm_eps"] = layer.self_attention_norm_eps;
  json["cross_attention_norm_eps"] = layer.cross_attention_norm_eps;
  json["feed_forward_norm_eps"] = layer.feed_forward_norm_eps;
  json["gated"] = layer.gated;
  return json;
}

std::vector<std::int64_t> sizesFrom(ObjectReader& r, std::string_view name) {
  const nlohmann::json* json = r.child(name);
  if (json == nullptr) return {};
  const auto whole = [](const nlohmann::json& size) { return size.is_number_integer(); };
  if (!json->is_array() || !std::all_of(json->begin(), json->end(), whole))
    r.wrong(name, "a list of one whole number for each head");
  return json->get<std::vector<std::int64_t>>();
}

AttentionSizes attentionFrom(const nlohmann::json* json, const std::string& where,
                             const AttentionSizes& usual) {
  if (json == nullptr) return usual;
  ObjectReader r(*json, where);
  const AttentionSizes sizes{r.get("heads", usual.heads), r.get("key_size", usual.key_size),
                             r.get("value_size", usual.value_size), sizesFrom(r, "key_sizes"),
                             sizesFrom(r, "value_sizes")};
  r.refuseUnknown();
  return sizes;
}

std::vector<LayerConfig> layersFrom(const nlohmann::json* json, const std::string& where,
                                    const LayerSizes& usual) {
  if (json == nullptr) return {};
  if (json->is_number_integer()) {
    const auto count = json->get<std::int64_t>();
    if (count < 0 || count > kMostLayers)
      throw Error(std::to_string(count) + " layers", where, "Allowed: 0 to 1024");
    return uniformLayers(count, usual);
  }
  if (!json->is_array())
    throw Error("layers are " + json->dump().substr(0, 60), where,
                "Expected: a whole number, or a list of layers");
  if (std::int64_t(json->size()) > kMostLayers)
    throw Error("too many layers", where, "Allowed: 0 to 1024");
  std::vector<LayerConfig> layers = uniformLayers(std::int64_t(json->size()), usual);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerConfig& layer = layers[i];
    ObjectReader r((*json)[i], where + "." + std::to_string(i));
    layer.self_attention =
        attentionFrom(r.child("self_attention"), r.where(), layer.self_attention);
    layer.cross_attention =
        attentionFrom(r.child("cross_attention"), r.where(), layer.cross_attention);
    layer.feed_forward = r.get("feed_forward", layer.feed_forward);
    layer.self_attention_norm_eps = r.get("self_attention_norm_eps", layer.self_attention_norm_eps);
    layer.cross_attention_norm_eps =
        r.get("cross_attention_norm_eps", layer.cross_attention_norm_eps);
    layer.feed_forward_norm_eps = r.get("feed_forward_norm_eps", layer.feed_forward_norm_eps);
    layer.gated = r.get("gated", layer.gated);
    r.refuseUnknown();
  }
  return layers;
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
    const auto list = [&](const char* name, const std::vector<LayerConfig>& layers, bool crosses) {
      json[name] = Json::array();
      for (const LayerConfig& layer : layers) json[name].push_back(toJson(layer, crosses));
    };
    list("encoder_layers", config.encoder_layers, false);
    list("decoder_layers", config.decoder_layers, config.hasCrossAttention());
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
  config.encoder_layers =
      layersFrom(reader.child("encoder_layers"), where + ": encoder_layers", usual);
  config.decoder_layers =
      layersFrom(reader.child("decoder_layers"), where + ": decoder_layers", usual);
  config.embedding_norm_eps = reader.get("embedding_norm_eps", usual.norm_eps);
  config.encoder_final_norm_eps = reader.get("encoder_final_norm_eps", usual.norm_eps);
  config.decoder_final_norm_eps = reader.get("decoder_final_norm_eps", usual.norm_eps);
  reader.refuseUnknown();
  alignUnusedAttention(config);
  validate(config);
  return config;
}

}  // namespace tfm
