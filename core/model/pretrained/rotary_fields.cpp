// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/rotary_fields.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "core/model/pretrained/foreign_config.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

using io::ObjectReader;

/// A number above 0.
double positive(ObjectReader& reader, const char* name, double usual) {
  const double number = reader.get(name, usual);
  if (!(number > 0.0 && number <= 1e9)) reader.throwInvalid(name, "a number above 0");
  return number;
}

/// Slower by `factor`, from wave lengths of L0 / high_freq_factor positions on by and by, and
/// wholly from L0 / low_freq_factor on.
void scaleAsLlama3(ObjectReader& reader, double trained, std::vector<double>& frequencies) {
  const double factor = positive(reader, "factor", 8.0);
  const double low = positive(reader, "low_freq_factor", 1.0);
  const double high = positive(reader, "high_freq_factor", 4.0);
  if (high <= low) reader.throwInvalid("high_freq_factor", "more than low_freq_factor");
  for (double& w : frequencies) {
    const double waves = trained * w / (2.0 * std::numbers::pi);
    const double kept = std::clamp((waves - low) / (high - low), 0.0, 1.0);
    w = (1.0 - kept) * w / factor + kept * w;
  }
}

/// Slower by `factor` for the pairs that turn less than beta_slow times in the trained context, not
/// at all for those that turn more than beta_fast times, and in between by and by.
double scaleAsYarn(ObjectReader& reader, double trained, double base,
                   std::vector<double>& frequencies) {
  const double factor = positive(reader, "factor", 1.0);
  const double fast = positive(reader, "beta_fast", 32.0);
  const double slow = positive(reader, "beta_slow", 1.0);
  const double usual = factor > 1.0 ? 0.1 * std::log(factor) + 1.0 : 1.0;
  const auto* attention = reader.child("attention_factor");
  const double magnitude = attention == nullptr || attention->is_null()
                               ? usual
                               : positive(reader, "attention_factor", usual);
  const bool truncates = reader.get("truncate", true);
  const auto size = double(2 * frequencies.size());
  const auto pairOf = [&](double turns) {
    return size * std::log(trained / (2.0 * std::numbers::pi * turns)) / (2.0 * std::log(base));
  };
  double first = pairOf(fast), last = pairOf(slow);
  if (truncates) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, size - 1.0);
  if (first == last) last += 0.001;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double scaled = std::clamp((double(i) - first) / (last - first), 0.0, 1.0);
    frequencies[i] *= scaled / factor + (1.0 - scaled);
  }
  return magnitude;
}

/// rope_parameters or rope_scaling.
void readScaling(ObjectReader& reader, const RotaryFields& fields, double trained,
                 ModelConfig& config) {
  std::vector<double> frequencies = ops::rotaryFrequencies(
      config.rotary_size > 0 ? config.rotary_size : fields.head, config.rotary_base);
  const std::string type = reader.get<std::string>(
      reader.child("rope_type") != nullptr ? "rope_type" : "type", "default");
  reader.child("type");
  trained = positive(reader, "original_max_position_embeddings", trained);
  if (type == "linear") {
    const double factor = positive(reader, "factor", 1.0);
    for (double& w : frequencies) w /= factor;
  } else if (type == "llama3") {
    scaleAsLlama3(reader, trained, frequencies);
  } else if (type == "yarn") {
    config.rotary_magnitude = scaleAsYarn(reader, trained, config.rotary_base, frequencies);
  } else if (type == "dynamic") {
    reader.child("factor");
    frequencies.clear();
  } else if (type == "default") {
    frequencies.clear();
  } else {
    reader.throwInvalid("rope_type", "default, linear, llama3, yarn or dynamic");
  }
  if (!frequencies.empty()) {
    config.rotary_size = 2 * std::ssize(frequencies);
    config.rotary_frequencies = std::move(frequencies);
  }
  reader.refuseUnknown("this field is not read, and the angles may depend on it",
                       "If they do not, remove it from the file");
}

}  // namespace

namespace {

using Json = nlohmann::ordered_json;

/// The share of a head that turns, of which the reader makes so many components.
double shareOf(std::int64_t turned, std::int64_t head) {
  double share = double(turned) / double(head);
  if (std::int64_t(double(head) * share) < turned) share = std::nextafter(share, 2.0);
  return share;
}

/// What scales the angles as those of the config are.
Json scalingOf(const ModelConfig& config, const RotaryFields& fields) {
  const std::vector<double>& scaled = config.rotary_frequencies;
  if (scaled.empty()) return {{"rope_type", "default"}};
  const std::vector<double> usual = ops::rotaryFrequencies(
      config.rotary_size > 0 ? config.rotary_size : fields.head, config.rotary_base);
  constexpr double kDigits = 1e6;  // factors have few
  const double factor = std::round(kDigits * usual.back() / scaled.back()) / kDigits;
  const bool all = std::abs(usual.front() / scaled.front() - factor) < 0.5 / kDigits;
  if (all) return {{"rope_type", "linear"}, {"factor", factor}};
  return {{"rope_type", "llama3"},
          {"factor", factor},
          {"low_freq_factor", 1.0},
          {"high_freq_factor", 4.0},
          {"original_max_position_embeddings", 8192}};
}

}  // namespace

std::string rotaryFields(const ModelConfig& config, const RotaryFields& fields) {
  Json scaling = scalingOf(config, fields);
  Json json{{"rope_theta", config.rotary_base}};
  if (scaling["rope_type"] != "default") json["rope_scaling"] = scaling;
  scaling["rope_theta"] = config.rotary_base;
  if (fields.share) {
    const double share =
        shareOf(config.rotary_size > 0 ? config.rotary_size : fields.head, fields.head);
    json["partial_rotary_factor"] = scaling["partial_rotary_factor"] = share;
    json["rotary_pct"] = share;
  }
  json["rope_parameters"] = std::move(scaling);
  return json.dump();
}

void readRotary(ObjectReader& reader, const RotaryFields& fields, ModelConfig& config) {
  constexpr const char* kShare = "partial_rotary_factor";
  config.positions = Positions::Rotary;
  double base = 1e4, share = fields.share.value_or(1.0);
  std::vector<ObjectReader> scalings;
  const auto readFrom = [&](ObjectReader& from) {
    for (const char* name : {"rotary_emb_base", "rope_theta"}) base = from.get(name, base);
    if (fields.share)
      for (const char* name : {"rotary_pct", kShare}) share = from.get(name, share);
  };
  readFrom(reader);
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    const nlohmann::json* value = reader.child(name);
    if (value == nullptr || value->is_null()) continue;
    readFrom(scalings.emplace_back(*value, reader.where() + ", " + name));
  }
  if (!(base > 1.0 && base <= 1e12)) reader.throwInvalid("rope_theta", "a number above 1");
  if (!(share > 0.0 && share <= 1.0)) reader.throwInvalid(kShare, "a number above 0, at most 1");
  config.rotary_base = base;
  if (fields.share) config.rotary_size = std::int64_t(double(fields.head) * share);
  const double trained =
      double(sizeOr(reader, "original_max_position_embeddings", fields.positions));
  for (ObjectReader& scaling : scalings) readScaling(scaling, fields, trained, config);
}

}  // namespace tfm
