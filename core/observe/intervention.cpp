// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/intervention.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/message_text.h"

namespace tfm::observe {
namespace {

constexpr std::string_view kMean = "mean", kFrom = "from", kSpace = " \t";

Error refused(const std::string& text, const std::string& problem) {
  return {io::inQuotes(text) + " " + problem, "intervention",
          "Write TARGET=0, TARGET=NUMBER, TARGET=mean, TARGET*NUMBER or TARGET=from \"TEXT\""};
}

std::string numberText(double number) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

/// What is written behind "from", without quotes; nullopt if that is not the word.
std::optional<std::string_view> otherText(std::string_view value) {
  if (!value.starts_with(kFrom)) return {};
  std::string_view text = value.substr(kFrom.size());
  if (!text.empty() && text.front() != '"' && kSpace.find(text.front()) == text.npos) return {};
  text = withoutBlanks(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

Intervention interventionFromText(const std::string& text) {
  const std::size_t sign = text.find_first_of("=*");
  if (sign == std::string::npos) throw refused(text, "does not say what to do");
  Intervention result;
  result.target = withoutBlanks(std::string_view(text).substr(0, sign));
  if (result.target.empty()) throw refused(text, "names no target");
  const std::string_view value = withoutBlanks(std::string_view(text).substr(sign + 1));
  if (text[sign] == '=' && value == kMean) {
    result.kind = Intervention::Kind::Mean;
    return result;
  }
  if (const auto other = otherText(value); other && text[sign] == '=') {
    if (other->empty()) throw refused(text, "names no other text");
    result.kind = Intervention::Kind::Patch;
    result.text = *other;
    return result;
  }
  result.kind = text[sign] == '*' ? Intervention::Kind::Scale : Intervention::Kind::Set;
  const auto number = realNumberIn(value);
  if (!number)
    throw refused(text, "has no number, mean or text after '" + std::string(1, text[sign]) + "'");
  result.number = *number;
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

}  // namespace tfm::observe
