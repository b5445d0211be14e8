// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"

namespace tfm {
namespace {

using Json = nlohmann::ordered_json;

struct WriteField {
  const ModelConfig& config;
  Json operator()(const IntegerField& f) const { return config.*f.member; }
  Json operator()(const RealField& f) const { return config.*f.member; }
  Json operator()(const SwitchField& f) const { return config.*f.member; }
  Json operator()(const ChoiceField& f) const { return f.words[std::size_t(f.get(config))]; }
};

/// A JSON object whose values are fetched by name, with errors that name them; remembers what was asked for.
class Reader {
 public:
  Reader(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw Error("a JSON object is expected here", where_);
  }

  template <class Value>
  Value get(std::string_view name, Value usual) {
    const std::string key(name);
    asked_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) return usual;
    if (!fits<Value>(*found)) wrong(key, expectation<Value>());
    return found->get<Value>();
  }
  const nlohmann::json* child(std::string_view name) {
    const std::string key(name);
    asked_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  [[noreturn]] void wrong(const std::string& key, const std::string& expected) const {
    throw Error("'" + key + "' is " + object_.at(key).dump().substr(0, 60), where_,
                "Expected: " + expected);
  }
  /// Throws for a member that nobody asked for: a misspelt field must not be ignored.
  void refuseUnknown() const {
    for (const auto& member : object_.items())
      if (!asked_.contains(member.key()))
        throw Error("there is no field '" + member.key() + "'", where_, "Remove it or correct its name");
  }
  const std::string& where() const { return where_; }

 private:
  template <class Value>
  static bool fits(const nlohmann::json& value) {
    if constexpr (std::is_same_v<Value, bool>) return value.is_boolean();
    if constexpr (std::is_same_v<Value, std::int64_t>) return value.is_number_integer();
    if constexpr (std::is_same_v<Value, double>) return value.is_number();
    return value.is_string();
  }
  template <class Value>
  static std::string expectation() {
    if constexpr (std::is_same_v<Value, bool>) return "true or false";
    if constexpr (std::is_same_v<Value, std::int64_t>) return "a whole number";
    if constexpr (std::is_same_v<Value, double>) return "a number";
    return "a word";
  }

  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string> asked_;
};

struct ReadField {
  ModelConfig& config;
  const ConfigField& field;
  Reader& reader;

  void operator()(const IntegerField& f) const {
    config.*f.member = reader.get<std::int64_t>(field.name, config.*f.member);
  }
  void operator()(const RealField& f) const {
    config.*f.member = reader.get<double>(field.name, config.*f.member);
  }
  void operator()(const SwitchField& f) const {
    config.*f.member = reader.get<bool>(field.name, config.*f.member);
  }
  void operator()(const ChoiceField& f) const {
    const auto usual = std::string(f.words[std::size_t(f.get(config))]);
    const auto word = reader.get<std::string>(field.name, usual);
    for (std::size_t i = 0; i < f.words.size(); ++i)
      if (f.words[i] == word) return f.set(config, int(i));
    reader.wrong(std::string(field.name), allowedText(field));
  }
};

Json toJson(const AttentionSizes& a) {
  return {{"heads", a.heads}, {"key_size", a.key_size}, {"value_size", a.value_size}};
}

Json toJson(const LayerConfig& layer) {
  return {{"self_attention", toJson(layer.self_attention)},
          {"cross_attention", toJson(layer.cross_attention)},
          {"feed_forward", layer.feed_forward},
          {"self_attention_norm_eps", layer.self_attention_norm_eps},
          {"cross_attention_norm_eps", layer.cross_attention_norm_eps},
          {"feed_forward_norm_eps", layer.feed_forward_norm_eps}};
}

AttentionSizes attentionFrom(const nlohmann::json* json, const std::string& where,
                             const AttentionSizes& usual) {
  if (json == nullptr) return usual;
  Reader r(*json, where);
  const AttentionSizes sizes{r.get("heads", usual.heads), r.get("key_size", usual.key_size),
                             r.get("value_size", usual.value_size)};
  r.refuseUnknown();
  return sizes;
}

std::vector<LayerConfig> layersFrom(const nlohmann::json* json, const std::string& where,
                                    const LayerSizes& usual) {
  constexpr std::int64_t kMostLayers = 1024;
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
  if (std::int64_t(json->size()) > kMostLayers) throw Error("too many layers", where, "Allowed: 0 to 1024");
  std::vector<LayerConfig> layers = uniformLayers(std::int64_t(json->size()), usual);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerConfig& layer = layers[i];
    Reader r((*json)[i], where + "." + std::to_string(i));
    layer.self_attention = attentionFrom(r.child("self_attention"), r.where(), layer.self_attention);
    layer.cross_attention = attentionFrom(r.child("cross_attention"), r.where(), layer.cross_attention);
    layer.feed_forward = r.get("feed_forward", layer.feed_forward);
    layer.self_attention_norm_eps = r.get("self_attention_norm_eps", layer.self_attention_norm_eps);
    layer.cross_attention_norm_eps = r.get("cross_attention_norm_eps", layer.cross_attention_norm_eps);
    layer.feed_forward_norm_eps = r.get("feed_forward_norm_eps", layer.feed_forward_norm_eps);
    r.refuseUnknown();
  }
  return layers;
}

}  // namespace

std::string toJson(const ModelConfig& config) {
  Json json;
  for (const ConfigField& field : configFields())
    json[std::string(field.name)] = std::visit(WriteField{config}, field.kind);
  if (const auto sizes = uniformSizes(config)) {
    json["encoder_layers"] = config.encoder_layers.size();
    json["decoder_layers"] = config.decoder_layers.size();
    json["heads"] = sizes->heads;
    json["key_size"] = sizes->key_size;
    json["value_size"] = sizes->value_size;
    json["feed_forward"] = sizes->feed_forward;
    json["norm_eps"] = sizes->norm_eps;
  } else {
    for (const auto& [name, layers] : {std::pair{"encoder_layers", &config.encoder_layers},
                                       std::pair{"decoder_layers", &config.decoder_layers}}) {
      json[name] = Json::array();
      for (const LayerConfig& layer : *layers) json[name].push_back(toJson(layer));
    }
    json["encoder_final_norm_eps"] = config.encoder_final_norm_eps;
    json["decoder_final_norm_eps"] = config.decoder_final_norm_eps;
  }
  return json.dump();
}

ModelConfig modelConfigFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  Reader reader(json, where);
  ModelConfig config;
  for (const ConfigField& field : configFields())
    std::visit(ReadField{config, field, reader}, field.kind);
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
  config.encoder_final_norm_eps = reader.get("encoder_final_norm_eps", usual.norm_eps);
  config.decoder_final_norm_eps = reader.get("decoder_final_norm_eps", usual.norm_eps);
  reader.refuseUnknown();
  validate(config);
  return config;
}

}  // namespace tfm
