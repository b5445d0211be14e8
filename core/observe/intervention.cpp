// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/intervention.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"

namespace tfm::observe {
namespace {

constexpr std::string_view kMean = "mean", kFrom = "from";
constexpr std::array kKindNames{"set", "scale", "mean", "patch"};  // in the order of Kind

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Error refused(const std::string& text, const std::string& problem) {
  return {io::inQuotes(text) + " " + problem, "intervention",
          "Write TARGET=0, TARGET=NUMBER, TARGET=mean, TARGET*NUMBER or TARGET=from \"TEXT\""};
}

std::string numberText(double number) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

}  // namespace

Intervention interventionFromText(const std::string& text) {
  const std::size_t sign = text.find_first_of("=*");
  if (sign == std::string::npos) throw refused(text, "does not say what to do");
  Intervention result;
  result.target = trimmed(std::string_view(text).substr(0, sign));
  if (result.target.empty()) throw refused(text, "names no target");
  const std::string_view value = trimmed(std::string_view(text).substr(sign + 1));
  if (text[sign] == '=' && value == kMean) {
    result.kind = Intervention::Kind::Mean;
    return result;
  }
  if (text[sign] == '=' && value.starts_with(kFrom)) {
    std::string_view other = trimmed(value.substr(kFrom.size()));
    if (other.size() >= 2 && other.front() == '"' && other.back() == '"')
      other = other.substr(1, other.size() - 2);
    if (other.empty()) throw refused(text, "names no other text");
    result.kind = Intervention::Kind::Patch;
    result.text = other;
    return result;
  }
  result.kind = text[sign] == '*' ? Intervention::Kind::Scale : Intervention::Kind::Set;
  const auto [end, problem] =
      std::from_chars(value.data(), value.data() + value.size(), result.number);
  if (problem != std::errc() || end != value.data() + value.size() || !std::isfinite(result.number))
    throw refused(text, "has no number, mean or text after '" + std::string(1, text[sign]) + "'");
  return result;
}

std::string textOf(const Intervention& i) {
  switch (i.kind) {
    case Intervention::Kind::Set:
      return i.target + "=" + numberText(i.number);
    case Intervention::Kind::Scale:
      return i.target + "*" + numberText(i.number);
    case Intervention::Kind::Mean:
      return i.target + "=" + std::string(kMean);
    case Intervention::Kind::Patch:
      break;
  }
  return i.target + "=" + std::string(kFrom) + " \"" + i.text + "\"";
}

std::string interventionsToJson(std::span<const Intervention> interventions) {
  auto list = nlohmann::ordered_json::array();
  for (const Intervention& i : interventions) {
    nlohmann::ordered_json one{{"target", i.target}, {"kind", kKindNames[std::size_t(i.kind)]}};
    if (i.kind == Intervention::Kind::Set || i.kind == Intervention::Kind::Scale)
      one["value"] = i.number;
    if (i.kind == Intervention::Kind::Patch) one["text"] = i.text;
    list.push_back(std::move(one));
  }
  return list.dump();
}

std::vector<Intervention> interventionsFromJson(std::string_view json, const std::string& where) {
  const nlohmann::json list = io::parseJson(json, where);
  const auto refuse = [&](const std::string& problem) {
    return Error(problem, where,
                 "Expected a list of {\"target\", \"kind\": \"set\", \"scale\", \"mean\" or "
                 "\"patch\", \"value\" or \"text\"}");
  };
  if (!list.is_array()) throw refuse("the interventions are no list");
  std::vector<Intervention> result;
  for (const nlohmann::json& one : list) {
    const auto text = [&](const char* name) {
      if (!one.is_object() || !one.contains(name) || !one[name].is_string())
        throw refuse("an intervention has no text \"" + std::string(name) + "\"");
      return one[name].get<std::string>();
    };
    Intervention i;
    i.target = text("target");
    const std::string kind = text("kind");
    std::size_t number = 0;
    while (number < kKindNames.size() && kind != kKindNames[number]) ++number;
    if (number == kKindNames.size()) throw refuse("there is no kind " + io::inQuotes(kind));
    i.kind = Intervention::Kind(number);
    if (i.kind == Intervention::Kind::Patch) i.text = text("text");
    if (i.kind == Intervention::Kind::Set || i.kind == Intervention::Kind::Scale) {
      if (!one.contains("value") || !one["value"].is_number())
        throw refuse("the intervention on " + io::inQuotes(i.target) + " has no number \"value\"");
      i.number = one["value"].get<double>();
    }
    result.push_back(std::move(i));
  }
  return result;
}

}  // namespace tfm::observe
