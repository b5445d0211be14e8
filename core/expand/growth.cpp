// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/growth.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/expand/growth_fields.h"
#include "core/expand/kinds.h"
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
  if (growth.constant) json["constant"] = *growth.constant;
  if (growth.seed) json["seed"] = *growth.seed;
  return json;
}

Growth read(const nlohmann::json& json, const std::string& where) {
  io::ObjectReader reader(json, where);
  Growth growth;
  for (const char* name : {"kind", "size"})
    if (reader.child(name) == nullptr)
      throw Error("'" + std::string(name) + "' is missing", where,
                  "Expected: {\"kind\": \"feed_forward\", \"size\": 16}");
  reader.readFields(growthFields(growth));
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
  using io::IntegersSlot;
  using io::SwitchSlot;
  std::vector<std::string_view> names;
  for (const KindRow& row : kinds()) names.push_back(row.name);
  std::vector<io::Field> fields{
      {"kind", "Kind of expansion", choice(g.kind, std::move(names))},
      {"size", "The new size", IntegerSlot{&g.size, 1, 1'048'576}},
      {"stacks",
       "Stacks that grow",
       choice(g.stacks, {"all", "encoder", "decoder"}),
       {},
       "The hidden size grows everywhere at once"},
      {"layers",
       "Layers of each stack that grow, from 0; none for all",
       IntegersSlot{&g.layers, 0, kMaxIndex - 1},
       {},
       "Only feed-forward blocks and attentions grow in single layers"},
      {"attentions",
       "Attentions of a layer that grow",
       choice(g.attentions, {"all", "self", "cross"}),
       {},
       "Only heads, key and value size belong to attentions"},
      {"heads_chosen",
       "Heads that grow, from 0; none for all",
       IntegersSlot{&g.heads, 0, kMaxIndex - 1},
       {},
       "Only key and value size grow per head"},
      {"position",
       "Layers: index of the first new layer; -1 for after the last",
       IntegerSlot{&g.position, -1, kMaxIndex},
       {},
       "Only new layers have a position"},
      {"hidden_method",
       "How the hidden size grows",
       choice(g.hidden_method, {"automatic", "zero_pad", "centre", "average", "duplicate", "mask"}),
       {},
       "Only the hidden size has this method"},
      {"mask_steps",
       "Mask: training steps until new components have full weight",
       IntegerSlot{&g.mask_steps, 1, 1'000'000'000},
       {},
       "Only method mask of the hidden size takes mask steps"},
      {"layer_method",
       "How new layers preserve the answers",
       choice(g.layer_method, {"automatic", "zero_branches", "gate", "hand_over"}),
       {},
       "Only new layers have this method"},
      {"unshare",
       "Give layers that share parameters their own first",
       SwitchSlot{&g.unshare},
       {},
       "Layers that share parameters become wider together"},
      {"allow_inexact",
       "Allow expansions that change the answers",
       SwitchSlot{&g.allow_inexact},
       {},
       "Only the hidden size and new layers can be inexact"},
      {"break", "Rule that is broken on purpose",
       choice(g.broken, {"nothing", "random_instead_of_zero", "no_key_rescale", "no_gain_rescale",
                         "no_eps_rescale", "zero_pad_under_layer_norm", "sinusoid_recomputed",
                         "embedding_scale_recomputed"})},
  };
  for (io::Field& field : fields)
    if (!field.instead.empty())
      field.applies = [&g, name = field.name] { return rowOf(g.kind).takes(name); };
  auto& mask_steps = *std::ranges::find(fields, "mask_steps", &io::Field::name);
  mask_steps.applies = [&g] {
    return g.kind == Kind::Hidden && g.hidden_method == HiddenMethod::Mask;
  };
  return fields;
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

void refuseWithoutEffect(const Growth& growth, const std::string& where) {
  const Json written = write(growth);
  Growth copy = growth;
  io::refuseWithoutEffect(
      growthFields(copy),
      [&](std::string_view name) { return std::string(written.contains(name) ? name : ""); },
      where);
}

void dropWithoutEffect(Growth& growth) {
  Growth usual;
  const Json plain = fieldsOf(usual);
  const Json written = write(growth);
  const std::vector<io::Field> fields = growthFields(growth);
  for (const io::Field& field : fields) {
    if (field.hasEffect() || !written.contains(field.name)) continue;
    nlohmann::json one = nlohmann::json::object();
    if (plain.contains(field.name)) one[std::string(field.name)] = plain[std::string(field.name)];
    if (auto* list = std::get_if<io::IntegersSlot>(&field.slot)) list->value->clear();
    io::ObjectReader(one, "growth").readFields(std::span(&field, 1));
  }
}

std::vector<std::int64_t> chosenSizes(const ModelConfig& model, const Growth& growth) {
  return rowOf(growth.kind).sizes(model, growth);
}

std::string sizesText(const std::vector<std::int64_t>& sizes) {
  if (sizes.empty()) return "?";
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  const std::string text = std::to_string(*least);
  return *least == *most ? text : text + "\u2013" + std::to_string(*most);
}

std::string describe(const Growth& growth, const ModelConfig& before) {
  const KindRow& row = rowOf(growth.kind);
  const std::vector<std::int64_t> sizes = chosenSizes(before, growth);
  std::string text =
      std::string(row.words) + " " + sizesText(sizes) + " \u2192 " + std::to_string(growth.size);
  if (growth.stacks != Stacks::All)
    text += growth.stacks == Stacks::Encoder ? ", encoder" : ", decoder";
  if (growth.attentions != Attentions::All)
    text += growth.attentions == Attentions::Self ? ", self-attention" : ", cross-attention";
  text += listed("layer", growth.layers) + listed("head", growth.heads);
  text += row.details(growth);
  if (growth.broken != Break::None) text += " (broken on purpose)";
  return text;
}

}  // namespace tfm::expand
