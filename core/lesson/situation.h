// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace tfm::lesson {

/// What checks and live values see: the model and what the window shows of it, as a document keeps
/// both. It refers to what it was made from.
struct Situation {
  const ModelConfig& model;
  const train::TrainConfig& train;
  const data::TaskConfig* task = nullptr;  ///< null: it has none
  std::int64_t parameters = 0;
  std::int64_t step = 0;
  const train::History& history;
  std::span<const train::ListedIntervention> interventions;
  const train::WindowState& window;
};

Situation situationOf(const train::Document& document);

/// The text that the model reads; empty: none.
std::string_view shownText(const train::WindowState& window);
/// A field that a screen or panel keeps (`part`: "Flow"), as text; empty where it has none.
std::string keptField(const train::WindowState& window, const std::string& part, const char* field);
/// The same of a list of numbers.
std::vector<std::int64_t> keptNumbers(const train::WindowState& window, const std::string& part,
                                      const char* field);
/// Sets it, or a switch to on.
void keepField(train::WindowState& window, const std::string& part, const char* field,
               const std::string& text);
void keepSwitch(train::WindowState& window, const std::string& part, const char* field);
void keepNumbers(train::WindowState& window, const std::string& part, const char* field,
                 const std::vector<std::int64_t>& numbers);

}  // namespace tfm::lesson
