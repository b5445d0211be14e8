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

}  // namespace

Situation situationOf(const train::Document& document) {
  return {document.state.config, document.state.layout.total, document.state.step,
          document.history,      document.interventions,      document.window};
}

std::string_view shownText(const train::WindowState& window) {
  const auto shown = std::size_t(window.text);
  return shown < window.texts.size() ? std::string_view(window.texts[shown]) : std::string_view();
}

std::string keptField(const train::WindowState& window, const std::string& part,
                      const char* field) {
  const auto kept = window.parts.find(part);
  if (kept == window.parts.end()) return {};
  const auto json = nlohmann::json::parse(kept->second);
  const auto found = json.find(field);
  if (found == json.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void keepField(train::WindowState& window, const std::string& part, const char* field,
               const std::string& text) {
  keep(window, part, field, text);
}

void keepSwitch(train::WindowState& window, const std::string& part, const char* field) {
  keep(window, part, field, true);
}

}  // namespace tfm::lesson
