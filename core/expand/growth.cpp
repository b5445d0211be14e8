// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/growth.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/expand/chosen.h"
#include "core/expand/growth_fields.h"
#include "core/io/json_guard.h"

namespace tfm::expand {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxIndex = 1024;
constexpr std::size_t kMaxGrowths = 1000;
constexpr double kMaxConstant = 1e6;

Json fieldsOf(const Growth& growth) {
  Json json;
  Growth copy = growth;
  io::writeFields(growthFields(copy), json);
  return json;
}

Json write(const Growth& growth) {
  Growth usual;
  usual.kind = growth.kind;
  const Json plain = fieldsOf(usual);
  Json json = fieldsOf(growth);
  for (const auto& [name, value] : plain.items())
    if (name != "kind" && json[name] == value) json.erase(name);
  if (!growth.layers.empty()) json["layers"] = growth.layers;
  if (!growth.heads.empty()) json["heads_chosen"] = growth.heads;
  if (growth.constant) json["constant"] = *growth.constant;
  if (growth.seed) json["seed"] = *growth.seed;
  return json;
}

std::vector<std::int64_t> indices(io::ObjectReader& reader, std::string_view name) {
  const nlohmann::json* list = reader.child(name);
  if (list == nullptr) return {};
  std::vector<std::int64_t> read;
  const bool fits = list->is_array() && std::int64_t(list->size()) <= kMaxIndex;
  if (!fits) reader.throwInvalid(name, "a list of whole numbers");
  for (const nlohmann::json& item : *list) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() >= std::uint64_t(kMaxIndex))
      reader.throwInvalid(name, "whole numbers from 0 to " + std::to_string(kMaxIndex - 1));
    read.push_back(item.get<std::int64_t>());
  }
  return read;
}

Growth read(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  Growth growth;
  for (const char* name : {"kind", "size"})
    if (reader.child(name) == nullptr)
      throw Error("'" + std::string(name) + "' is missing", where,
                  "Expected: {\"kind\": \"feed_forward\", \"size\": 16}");
  reader.readFields(growthFields(growth));
  growth.layers = indices(reader, "layers");
  growth.heads = indices(reader, "heads_chosen");
  if (const nlohmann::json* value = reader.child("constant")) {
    if (!value->is_number() || std::abs(value->get<double>()) > kMaxConstant)
      reader.throwInvalid("constant", "a number from -1e6 to 1e6");
    growth.constant = value->get<double>();
  }
  if (const nlohmann::json* value = reader.child("seed")) {
    if (!value->is_number_unsigned()) reader.throwInvalid("seed", "a whole number from 0");
    growth.seed = value->get<std::uint64_t>();
  }
  reader.refuseUnknown();
  io::checkFields(growthFields(growth), where);
  return growth;
}

/// ", layer 1" or ", layers 1, 3", counted from 1; empty for none.
std::string listed(const std::string& what, const std::vector<std::int64_t>& indices) {
  if (indices.empty()) return {};
  std::string text = ", " + what + (indices.size() > 1 ? "s " : " ");
  for (std::size_t i = 0; i < indices.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(indices[i] + 1);
  return text;
}

}  // namespace

std::vector<io::Field> growthFields(Growth& g) {
  using io::choice;
  using io::IntegerSlot;
  using io::SwitchSlot;
  return {
      {"kind", "Kind of expansion",
       choice(g.kind, {"feed_forward", "heads", "value_size", "key_size", "hidden", "layers"})},
      {"size", "The new size", IntegerSlot{&g.size, 1, 1'048'576}},
      {"stacks", "Stacks that grow", choice(g.stacks, {"all", "encoder", "decoder"})},
      {"attentions", "Attentions of a layer that grow",
       choice(g.attentions, {"all", "self", "cross"})},
      {"position", "Layers: index of the first new layer; -1 for after the last",
       IntegerSlot{&g.position, -1, kMaxIndex}},
      {"hidden_method", "How the hidden size grows",
       choice(g.hidden_method,
              {"automatic", "zero_pad", "centre", "average", "duplicate", "mask"})},
      {"mask_steps", "Mask: training steps until new components have full weight",
       IntegerSlot{&g.mask_steps, 1, 1'000'000'000}},
      {"layer_method", "How new layers preserve the answers",
       choice(g.layer_method, {"automatic", "zero_branches", "gate", "hand_over"})},
      {"unshare", "Give layers that share parameters their own first", SwitchSlot{&g.unshare}},
      {"allow_inexact", "Allow expansions that change the answers", SwitchSlot{&g.allow_inexact}},
      {"break", "Rule that is broken on purpose",
       choice(g.broken, {"nothing", "random_instead_of_zero", "no_key_rescale", "no_gain_rescale",
                         "no_eps_rescale", "zero_pad_under_layer_norm", "sinusoid_recomputed",
                         "embedding_scale_recomputed"})},
  };
}

std::string toJson(const Plan& plan) {
  Json list = Json::array();
  for (const Growth& growth : plan) list.push_back(write(growth));
  return list.dump();
}

Plan planFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  if (json.is_object()) return {read(json, where)};
  if (!json.is_array() || json.size() > kMaxGrowths)
    throw Error("the plan is not a list of expansions", where,
                "Expected: [{\"kind\": \"feed_forward\", \"size\": 16}, ...]");
  Plan plan;
  for (std::size_t i = 0; i < json.size(); ++i)
    plan.push_back(read(json[i], where + ", expansion " + std::to_string(i)));
  return plan;
}

bool applies(std::string_view field, const Growth& growth) {
  const bool hidden = growth.kind == Kind::Hidden, layers = growth.kind == Kind::Layers;
  const bool by_head = growth.kind == Kind::KeySize || growth.kind == Kind::ValueSize;
  if (field == "stacks" || field == "unshare") return !hidden;
  if (field == "layers") return !hidden && !layers;
  if (field == "attentions") return by_head || growth.kind == Kind::Heads;
  if (field == "heads_chosen") return by_head;
  if (field == "position" || field == "layer_method") return layers;
  if (field == "hidden_method") return hidden;
  if (field == "mask_steps") return hidden && growth.hidden_method == HiddenMethod::Mask;
  if (field == "allow_inexact") return hidden || layers;
  return true;
}

std::string fieldWithoutEffect(const Growth& growth) {
  const Json written = write(growth);
  for (const auto& [field, value] : written.items())
    if (!applies(field, growth)) return field;
  return {};
}

std::string_view kindName(Kind kind) {
  Growth growth;
  const std::vector<io::Field> fields = growthFields(growth);
  return std::get<io::ChoiceSlot>(fields.front().slot).words[std::size_t(kind)];
}

std::optional<Axis> axisOf(Kind kind) {
  static constexpr std::optional<Axis> kAxes[] = {Axis::FeedForward, Axis::Head,   Axis::Value,
                                                  Axis::Key,         Axis::Hidden, std::nullopt};
  return kAxes[int(kind)];
}

std::vector<std::int64_t> chosenSizes(const ModelConfig& c, const Growth& growth) {
  if (growth.kind == Kind::Hidden) return {c.hidden};
  std::vector<std::int64_t> sizes;
  if (growth.kind == Kind::Layers) {
    for (const Stack stack : chosenStacks(c, growth.stacks))
      sizes.push_back(std::ssize(c.layers(stack)));
    return sizes;
  }
  ModelConfig copy = c;
  forEachChosenSize(copy, growth,
                    [&](Stack, std::int64_t, const BlockConfig&, const BlockSize& size) {
                      if (!size.own || size.own->empty()) return sizes.push_back(*size.value);
                      for (std::int64_t head = 0; head < size.heads; ++head)
                        if (picks(growth.heads, head))
                          sizes.push_back((*size.own)[std::size_t(head)]);
                    });
  return sizes;
}

std::string sizesText(const std::vector<std::int64_t>& sizes) {
  if (sizes.empty()) return "?";
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  const std::string text = std::to_string(*least);
  return *least == *most ? text : text + "\u2013" + std::to_string(*most);
}

std::string describe(const Growth& growth, const ModelConfig& before) {
  static constexpr const char* kWords[] = {"feed-forward width", "heads",       "value size",
                                           "key size",           "hidden size", "layers"};
  const std::vector<std::int64_t> sizes = chosenSizes(before, growth);
  std::string text = std::string(kWords[int(growth.kind)]) + " " + sizesText(sizes) + " \u2192 " +
                     std::to_string(growth.size);
  if (growth.stacks != Stacks::All)
    text += growth.stacks == Stacks::Encoder ? ", encoder" : ", decoder";
  if (growth.attentions != Attentions::All)
    text += growth.attentions == Attentions::Self ? ", self-attention" : ", cross-attention";
  text += listed("layer", growth.layers) + listed("head", growth.heads);
  if (growth.kind == Kind::Layers && growth.position == 0) text += ", before layer 1";
  if (growth.kind == Kind::Layers && growth.position > 0)
    text += ", after layer " + std::to_string(growth.position);
  static constexpr const char* kHidden[] = {"",           ", zero-padded", ", centred",
                                            ", averaged", ", duplicated",  ", masked"};
  static constexpr const char* kLayer[] = {"", ", zero branches", ", gated", ", handed over"};
  if (growth.kind == Kind::Hidden) text += kHidden[int(growth.hidden_method)];
  if (growth.kind == Kind::Layers) text += kLayer[int(growth.layer_method)];
  if (growth.broken != Break::None) text += " (broken on purpose)";
  return text;
}

}  // namespace tfm::expand
