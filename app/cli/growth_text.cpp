// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/growth_text.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace tfm::cli {

std::vector<std::string> partsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::int64_t wholeNumber(const std::string& text, const std::string& what) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest != end || number < 0)
    throw Error(what + " is '" + text + "'", "command line", "Expected: a whole number from 0");
  return number;
}

expand::Growth growthFromText(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw Error("'" + text + "' has no '='", "command line",
                "Expected: feed_forward=16, heads=9, value_size=8, key_size=8, hidden=16 or "
                "layers=3; of one stack: decoder.layers=3");
  std::string kind = text.substr(0, equals);
  nlohmann::json json;
  for (const std::string stack : {"encoder", "decoder"})
    if (kind.starts_with(stack + ".")) {
      json["stacks"] = stack;
      kind = kind.substr(stack.size() + 1);
    }
  json["kind"] = kind;
  json["size"] = wholeNumber(text.substr(equals + 1), kind);
  return expand::planFromJson(json.dump(), "command line").front();
}

std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts) {
  std::vector<train::ScheduledGrowth> growths;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      throw Error("'" + text + "' has no step", "--grow",
                  "Expected: STEP:SIZES, as in 500:feed_forward=16,heads=9");
    const std::int64_t step = wholeNumber(text.substr(0, colon), "the step of --grow");
    for (const std::string& size : partsOf(text.substr(colon + 1), ','))
      growths.push_back({step, growthFromText(size)});
  }
  std::stable_sort(growths.begin(), growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  return growths;
}

void addGrowOption(CLI::App& app, std::vector<std::string>& texts) {
  app.add_option("--grow", texts,
                 "Grow at a step: 500:feed_forward=16,heads=9 or 900:decoder.layers=3; may be "
                 "given many times")
      ->type_name("STEP:SIZES");
}

}  // namespace tfm::cli
