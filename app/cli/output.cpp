// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <CLI/App.hpp>
#include <array>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace tfm::cli {
namespace {

std::string formatted(const char* format, int digits, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, digits, value);
  return text.data();
}

}  // namespace

void addJsonFlag(CLI::App& options, bool& json) {
  options.add_flag("--json", json, "Print the result as one JSON object");
}

void printJson(const nlohmann::ordered_json& json) {
  std::cout << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

bool isUsageError(const Error& error) {
  return error.where().starts_with(kCommandLine) || error.where().starts_with("--");
}

void say(std::string_view text) { std::cerr << text << '\n'; }

void printError(const Error& error) {
  std::cerr << "error: " << error.problem() << '\n';
  if (!error.where().empty()) std::cerr << "where: " << error.where() << '\n';
  if (!error.hint().empty()) std::cerr << "hint:  " << error.hint() << '\n';
}

void printJsonError(const Error& error) {
  printJson(
      {{"error", {{"what", error.problem()}, {"where", error.where()}, {"hint", error.hint()}}}});
}

std::string withCommas(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > sign + 3;) text.insert(i -= 3, 1, ',');
  return text;
}

std::string shortNumber(double value, int digits) { return formatted("%.*g", digits, value); }

std::string percent(double share) { return formatted("%.*f %%", 1, 100.0 * share); }

}  // namespace tfm::cli
