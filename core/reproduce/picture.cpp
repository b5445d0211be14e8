// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/picture.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <sstream>

#include "core/base/error.h"

namespace tfm::reproduce {
namespace {

constexpr std::string_view kHeader = "series\tx\ty\tlabel";

/// The shortest text that reads back as the same number.
std::string exactText(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::optional<double> readExact(std::string_view text) {
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

}  // namespace

Drawing draw(const Picture& picture, std::vector<std::int64_t> chosen) {
  if (chosen.empty())
    for (const Choice& choice : picture.choices) chosen.push_back(choice.usual);
  for (std::size_t i = 0; i < picture.choices.size(); ++i) {
    const Choice& choice = picture.choices[i];
    if (i < chosen.size() && chosen[i] >= choice.low && chosen[i] <= choice.high) continue;
    throw Error("'" + choice.name + "' of this figure is out of its bounds", picture.name,
                "Choose " + std::to_string(choice.low) + " to " + std::to_string(choice.high));
  }
  return picture.drawn(chosen);
}

std::string seriesTsv(const std::vector<Series>& series) {
  std::string text = std::string(kHeader) + '\n';
  for (const Series& one : series)
    for (std::size_t i = 0; i < std::max(one.y.size(), one.labels.size()); ++i)
      text += one.name + '\t' + (i < one.x.size() ? exactText(one.x[i]) : "") + '\t' +
              (i < one.y.size() ? exactText(one.y[i]) : "") + '\t' +
              (i < one.labels.size() ? one.labels[i] : "") + '\n';
  return text;
}

std::vector<Series> seriesFromTsv(std::string_view text, const std::string& where) {
  std::istringstream lines{std::string(text)};
  std::string line;
  std::vector<Series> series;
  const auto fail = [&](int number) {
    throw Error("not a row of a figure", where + ", line " + std::to_string(number),
                "Write it again with 'reproduce NAME --full --figures FOLDER'");
  };
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number == 1 && line != kHeader) fail(number);
    if (number == 1) continue;
    const std::vector<std::string> fields = fieldsOf(line);
    if (fields.size() != 4) fail(number);
    if (series.empty() || series.back().name != fields[0]) series.push_back({.name = fields[0]});
    Series& one = series.back();
    for (const auto& [field, numbers] : {std::pair(&fields[1], &one.x), {&fields[2], &one.y}}) {
      if (field->empty()) continue;
      const std::optional<double> value = readExact(*field);
      if (!value) fail(number);
      numbers->push_back(*value);
    }
    if (!fields[3].empty()) one.labels.push_back(fields[3]);
  }
  return series;
}

}  // namespace tfm::reproduce
