// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/situation.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace tfm::lesson {
namespace {

void keep(train::WindowState& window, const std::string& part, const char* field,
          nlohmann::ordered_json value) {
  std::string& kept = window.parts[part];
  auto object =
      kept.empty() ? nlohmann::ordered_json::object() : nlohmann::ordered_json::parse(kept);
  object[field] = std::move(value);
  kept = object.dump();
}

/// Null where it has none.
nlohmann::json kept(const train::WindowState& window, const std::string& part, const char* field) {
  const auto all = window.parts.find(part);
  if (all == window.parts.end()) return nullptr;
  return nlohmann::json::parse(all->second).value(field, nlohmann::json());
}

}  // namespace

Situation situationOf(const train::Document& document) {
  return {
      document.state.config,       document.train,      document.task ? &*document.task : nullptr,
      document.state.layout.total, document.state.step, document.history,
      document.interventions,      document.window};
}

std::string_view shownText(const train::WindowState& window) {
  const auto shown = std::size_t(window.text);
  return shown < window.texts.size() ? std::string_view(window.texts[shown]) : std::string_view();
}

std::string keptField(const train::WindowState& window, const std::string& part,
                      const char* field) {
  const nlohmann::json found = kept(window, part, field);
  if (found.is_null()) return {};
  return found.is_string() ? found.get<std::string>() : found.dump();
}

std::vector<std::int64_t> keptNumbers(const train::WindowState& window, const std::string& part,
                                      const char* field) {
  const nlohmann::json found = kept(window, part, field);
  std::vector<std::int64_t> numbers;
  if (!found.is_array()) return numbers;
  for (const nlohmann::json& one : found)
    if (one.is_number_integer()) numbers.push_back(one.get<std::int64_t>());
  return numbers;
}

void keepField(train::WindowState& window, const std::string& part, const char* field,
               const std::string& text) {
  keep(window, part, field, text);
}

void keepSwitch(train::WindowState& window, const std::string& part, const char* field) {
  keep(window, part, field, true);
}

void keepNumbers(train::WindowState& window, const std::string& part, const char* field,
                 const std::vector<std::int64_t>& numbers) {
  keep(window, part, field, numbers);
}

}  // namespace tfm::lesson
