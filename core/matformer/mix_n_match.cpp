// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matformer/mix_n_match.h"

#include <algorithm>
#include <set>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/message_text.h"
#include "core/matformer/cost.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::matformer {
namespace {

/// The submodel whose layer i is that of granularity `places[i]`.
Submodel mixOf(const std::vector<Granularity>& granularities,
               const std::vector<std::size_t>& places) {
  Submodel mix;
  for (std::size_t layer = 0; layer < places.size(); ++layer) {
    const Submodel& chosen = granularities[places[layer]].submodel;
    mix.widths.push_back(chosen.widths[layer]);
    mix.heads.push_back(chosen.heads[layer]);
  }
  return mix;
}

/// For each layer, the first granularity of each size: narrow layers may be equal in several.
std::vector<std::vector<std::size_t>> distinctChoices(
    std::int64_t layers, const std::vector<Granularity>& granularities) {
  std::vector<std::vector<std::size_t>> choices(static_cast<std::size_t>(layers));
  for (std::size_t layer = 0; layer < choices.size(); ++layer)
    for (std::size_t i = 0; i < granularities.size(); ++i) {
      const Submodel& now = granularities[i].submodel;
      const Submodel& before = granularities[i == 0 ? 0 : i - 1].submodel;
      if (i == 0 || now.widths[layer] != before.widths[layer] ||
          now.heads[layer] != before.heads[layer])
        choices[layer].push_back(i);
    }
  return choices;
}

/// The number of mixes of these choices, at most `most`.
std::int64_t mixCount(const std::vector<std::vector<std::size_t>>& choices, std::int64_t most) {
  std::int64_t count = 1;
  for (const auto& layer : choices) {
    const auto ways = std::int64_t(layer.size());
    if (count > most / ways) return most;
    count *= ways;
  }
  return std::min(count, most);
}

/// All mixes, the last layer varying fastest.
std::vector<Submodel> allMixes(const std::vector<Granularity>& granularities,
                               const std::vector<std::vector<std::size_t>>& choices) {
  std::vector<std::vector<std::size_t>> mixes{{}};
  for (const auto& layer : choices) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& mix : mixes)
      for (const std::size_t place : layer) {
        longer.push_back(mix);
        longer.back().push_back(place);
      }
    mixes = std::move(longer);
  }
  std::vector<Submodel> all;
  for (const auto& mix : mixes) all.push_back(mixOf(granularities, mix));
  return all;
}

/// Half of each feed-forward, as an example of widths: "8,8,16".
std::string exampleOf(const ModelConfig& config) {
  std::string text;
  for (const std::int64_t width : fullWidths(config))
    text += (text.empty() ? "" : ",") + std::to_string(std::max<std::int64_t>(1, width / 2));
  return text;
}

/// "8,16,32" or, with heads, "8/2,16/4,32/4"; one entry stands for all layers.
Submodel submodelFrom(std::string_view text, const ModelConfig& config) {
  const std::int64_t layers = layerCount(config);
  const auto sizeFrom = [&](std::string_view word) {
    const auto size = wholeNumberIn(word);
    if (!size)
      throw Error(
          io::inQuotes(word) + " in " + io::inQuotes(text) + " is not a whole number",
          "granularity",
          "Use one width per layer: " + exampleOf(config) + "; with heads, each is WIDTH/HEADS");
    return *size;
  };
  Submodel submodel;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view entry = text.substr(at, end - at);
    const std::size_t slash = entry.find('/');
    submodel.widths.push_back(sizeFrom(entry.substr(0, slash)));
    if (slash != std::string_view::npos)
      submodel.heads.push_back(sizeFrom(entry.substr(slash + 1)));
    at = end + 1;
  }
  if (!submodel.heads.empty() && submodel.heads.size() != submodel.widths.size())
    throw Error("only some layers of " + io::inQuotes(text) + " have heads", "granularity",
                "Use heads in all layers or in none");
  if (submodel.widths.size() == 1) {
    submodel.widths.resize(std::size_t(layers), submodel.widths.front());
    if (!submodel.heads.empty()) submodel.heads.resize(std::size_t(layers), submodel.heads.front());
  }
  return submodel;
}

std::string namesOf(const std::vector<Granularity>& granularities) {
  std::string names;
  for (const Granularity& one : granularities) names += one.name + ", ";
  return names;
}

}  // namespace

std::vector<Submodel> slopes(const ModelConfig& config,
                             const std::vector<Granularity>& granularities) {
  check(!granularities.empty(), "there is at least one granularity");
  const auto layers = std::size_t(layerCount(config));
  std::vector<Submodel> all;
  for (std::size_t i = 0; i + 1 < granularities.size(); ++i)
    for (std::size_t larger = 0; larger < layers; ++larger) {
      std::vector<std::size_t> places(layers, i);
      std::fill(places.end() - std::ptrdiff_t(larger), places.end(), i + 1);
      all.push_back(mixOf(granularities, places));
    }
  all.push_back(granularities.back().submodel);
  return all;
}

Submodel withinBudget(const ModelConfig& config, const std::vector<Granularity>& granularities,
                      std::int64_t parameters) {
  const std::vector<Submodel> all = slopes(config, granularities);
  const auto fits = [&](const Submodel& one) {
    return costOf(config, one).parameters <= parameters;
  };
  const auto first_too_large = std::partition_point(all.begin(), all.end(), fits);
  return first_too_large == all.begin() ? all.front() : *(first_too_large - 1);
}

std::vector<Submodel> randomMixes(const ModelConfig& config,
                                  const std::vector<Granularity>& granularities, std::int64_t count,
                                  std::uint64_t seed) {
  check(!granularities.empty() && count >= 0, "there is at least one granularity");
  const auto choices = distinctChoices(layerCount(config), granularities);
  if (mixCount(choices, count + 1) <= count) return allMixes(granularities, choices);
  const Random random(seed, streams::kMixes.first);
  std::uint64_t drawn = 0;
  std::set<Submodel> known;
  std::vector<Submodel> mixes;
  while (std::int64_t(mixes.size()) < count) {
    std::vector<std::size_t> places;
    for (const auto& layer : choices)
      places.push_back(layer[std::size_t(random.integer(drawn++, std::int64_t(layer.size())))]);
    Submodel mix = mixOf(granularities, places);
    if (known.insert(mix).second) mixes.push_back(std::move(mix));
  }
  return mixes;
}

std::vector<Submodel> everyMix(const ModelConfig& config,
                               const std::vector<Granularity>& granularities, std::int64_t most) {
  check(!granularities.empty() && most >= 0, "there is at least one granularity");
  std::vector<std::size_t> any(granularities.size());
  for (std::size_t i = 0; i < any.size(); ++i) any[i] = i;
  const std::vector<std::vector<std::size_t>> choices(std::size_t(layerCount(config)), any);
  if (mixCount(choices, most + 1) > most) return {};
  return allMixes(granularities, choices);
}

Submodel submodelNamed(const ModelConfig& config, const std::vector<Granularity>& granularities,
                       std::string_view text) {
  for (const Granularity& one : granularities)
    if (one.name == text) return one.submodel;
  if (text == kWholeName) return {fullWidths(config), fullHeads(config)};
  const bool sizes = !text.empty() && text.find_first_not_of("0123456789,/") == text.npos;
  if (!sizes)
    throw Error("there is no granularity " + io::inQuotes(text), "granularity",
                "Choose one of " + namesOf(granularities) + std::string(kWholeName) +
                    " or widths for " + std::to_string(layerCount(config)) + " layers, e.g. " +
                    exampleOf(config));
  Submodel submodel = submodelFrom(text, config);
  validate(config, submodel);
  if (submodel.heads.empty()) submodel.heads = fullHeads(config);
  return submodel;
}

std::string nameOf(const std::vector<Granularity>& granularities, const Submodel& submodel) {
  for (const Granularity& one : granularities)
    if (one.submodel == submodel) return one.name;
  if (submodel.widths.empty()) return std::string(kWholeName);
  const bool all_heads =
      submodel.heads.empty() ||
      (!granularities.empty() && submodel.heads == granularities.back().submodel.heads);
  std::string name;
  for (std::size_t i = 0; i < submodel.widths.size(); ++i) {
    if (i > 0) name += ',';
    name += std::to_string(submodel.widths[i]);
    if (!all_heads) name += '/' + std::to_string(submodel.heads[i]);
  }
  return name;
}

}  // namespace tfm::matformer
