// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matformer/nesting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::matformer {
namespace {

constexpr std::size_t kMaxListed = kMaxGranularities - 1;  // plus the whole model

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(what, "nesting", hint);
}

void checkAscending(const char* field, const std::vector<std::int64_t>& sizes, bool strictly) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t before = i == 0 ? 0 : sizes[i - 1];
    if (sizes[i] < 1 || sizes[i] < before || (strictly && sizes[i] == before))
      refuse(std::string(field) + " has " + std::to_string(sizes[i]) + " after " +
                 std::to_string(before),
             "Use whole numbers from 1, smallest first");
  }
}

template <class Value>
std::vector<Value> readList(io::ObjectReader& reader, const char* name) {
  const nlohmann::json* list = reader.child(name);
  if (list == nullptr) return {};
  const auto fits = [](const nlohmann::json& one) {
    if constexpr (std::is_integral_v<Value>)
      return one.is_number_unsigned() && one.get<std::uint64_t>() <= std::uint64_t(INT32_MAX);
    else
      return one.is_number();
  };
  if (!list->is_array() || list->size() > kMaxListed ||
      !std::all_of(list->begin(), list->end(), fits))
    reader.throwInvalid(name, "a list of at most " + std::to_string(kMaxListed) + " numbers");
  return list->get<std::vector<Value>>();
}

void setWeights(const Nesting& nesting, std::vector<Granularity>& all) {
  const std::vector<double>& given = nesting.weights;
  double sum = 0.0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!given.empty()) all[i].weight = given[std::min(i, given.size() - 1)];
    sum += all[i].weight;
  }
  // Explicit factors of losses are used as given; probabilities are normalized.
  if (nesting.training == Training::Joint && !given.empty()) return;
  for (Granularity& one : all) one.weight /= sum;
}

}  // namespace

std::string granularityName(std::size_t place) {
  constexpr std::array<const char*, 4> kNames{"S", "M", "L", "XL"};
  return place < kNames.size() ? kNames[place] : std::to_string(place - kNames.size() + 2) + "XL";
}

Nesting defaultNesting(const ModelConfig& config) {
  const std::vector<std::int64_t> full = fullWidths(config);
  const std::int64_t widest = full.empty() ? 1 : *std::max_element(full.begin(), full.end());
  Nesting nesting;
  for (const std::int64_t part : {8, 4, 2, 1})
    if (widest >= part) nesting.widths.push_back(widest / part);
  return nesting;
}

std::vector<Granularity> granularities(const ModelConfig& config, const Nesting& nesting) {
  std::vector<Granularity> all;
  if (nesting.widths.empty()) return all;
  const std::vector<std::int64_t> full = fullWidths(config);
  const std::vector<std::int64_t> full_heads = fullHeads(config);
  const auto firstOf = [](const std::vector<std::int64_t>& sizes, std::int64_t wanted) {
    std::vector<std::int64_t> first;
    for (const std::int64_t size : sizes) first.push_back(std::min(size, wanted));
    return first;
  };
  const Submodel whole{full, full_heads};
  for (std::size_t i = 0; i < nesting.widths.size(); ++i) {
    Submodel part{firstOf(full, nesting.widths[i]), full_heads};
    if (!nesting.heads.empty()) part.heads = firstOf(full_heads, nesting.heads[i]);
    if (part != whole) all.push_back({granularityName(all.size()), std::move(part)});
  }
  all.push_back({granularityName(all.size()), whole});
  setWeights(nesting, all);
  return all;
}

std::size_t sampleGranularity(const std::vector<Granularity>& granularities, std::uint64_t seed,
                              std::uint64_t step) {
  check(!granularities.empty(), "there is at least one granularity");
  double left = Random(seed, streams::kGranularity.first, step).uniform(0);
  for (std::size_t i = 0; i + 1 < granularities.size(); ++i) {
    left -= granularities[i].weight;
    if (left < 0.0) return i;
  }
  return granularities.size() - 1;
}

void validate(const Nesting& nesting) {
  if (nesting.widths.size() > kMaxListed)
    refuse(std::to_string(nesting.widths.size()) + " widths",
           "Use at most " + std::to_string(kMaxListed));
  checkAscending("widths", nesting.widths, nesting.heads.empty());
  checkAscending("heads", nesting.heads, false);
  if (!nesting.heads.empty() && nesting.heads.size() != nesting.widths.size())
    refuse(std::to_string(nesting.heads.size()) + " numbers of heads for " +
               std::to_string(nesting.widths.size()) + " widths",
           "Use one per width, or none");
  if (nesting.weights.size() > nesting.widths.size() + 1)
    refuse(std::to_string(nesting.weights.size()) + " weights",
           "Use at most one per width and one for the whole model");
  for (const double weight : nesting.weights)
    if (!(weight > 0.0) || !std::isfinite(weight))
      refuse("a weight is " + std::to_string(weight), "Use numbers above 0");
}

void requireSubmodels(const Nesting& nesting, const ModelConfig& config) {
  const auto largest = [](const std::vector<std::int64_t>& sizes) {
    return sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  };
  const std::int64_t widest = largest(fullWidths(config)), heads = largest(fullHeads(config));
  for (const std::int64_t width : nesting.widths)
    if (width > widest)
      refuse("the width " + std::to_string(width) +
                 " is no submodel: the widest feed-forward has " + std::to_string(widest),
             "Use widths up to " + std::to_string(widest));
  for (const std::int64_t count : nesting.heads)
    if (count > heads)
      refuse("no attention has " + std::to_string(count) + " heads",
             "Use at most " + std::to_string(heads));
}

std::string toJson(const Nesting& nesting) {
  return nlohmann::ordered_json{
      {"widths", nesting.widths},
      {"heads", nesting.heads},
      {"training", nesting.training == Training::Joint ? "joint" : "sampled"},
      {"weights", nesting.weights}}
      .dump();
}

Nesting nestingFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  io::ObjectReader reader(json, where);
  Nesting nesting;
  nesting.widths = readList<std::int64_t>(reader, "widths");
  nesting.heads = readList<std::int64_t>(reader, "heads");
  nesting.weights = readList<double>(reader, "weights");
  const std::vector<io::Field> fields{{"training", "How a step trains the submodels",
                                       io::choice(nesting.training, {"sampled", "joint"})}};
  reader.readFields(fields);
  reader.refuseUnknown();
  validate(nesting);
  return nesting;
}

}  // namespace tfm::matformer
