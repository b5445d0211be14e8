// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace tfm {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// std::from_chars() knows no plus. Empty if two signs follow each other.
std::string_view withoutPlus(std::string_view text) {
  if (!text.starts_with('+')) return text;
  text.remove_prefix(1);
  return text.starts_with('-') ? std::string_view() : text;
}

template <class Number>
std::optional<Number> integerIn(std::string_view text) {
  text = withoutPlus(text);
  Number number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Whether a number that fits no double is below 1, from its spelling.
bool isBelowOne(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view power = withoutPlus(e < text.size() ? text.substr(e + 1) : "0");
  const bool negative = power.starts_with('-');
  const auto read = integerIn<std::int64_t>(power);
  // A text has fewer digits than that.
  constexpr std::int64_t kFarOff = std::numeric_limits<std::int64_t>::max() / 4;
  const std::int64_t exponent =
      std::clamp(read.value_or(negative ? -kFarOff : kFarOff), -kFarOff, kFarOff);
  return std::int64_t(point) - std::int64_t(first) + exponent <= 0;
}

}  // namespace

std::optional<std::int64_t> wholeNumberIn(std::string_view text) {
  return integerIn<std::int64_t>(text);
}

std::optional<std::uint64_t> unsignedNumberIn(std::string_view text) {
  return integerIn<std::uint64_t>(text);
}

std::optional<double> realNumberIn(std::string_view text) {
  text = withoutPlus(text);
  // "inf" and "nan" have no digit first.
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !(isDigit(digits[0]) || digits[0] == '.')) return std::nullopt;
  double number = 0.0;
  const char* const stop = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), stop, number);
  if (end != stop || problem == std::errc::invalid_argument) return std::nullopt;
  if (problem == std::errc()) return number;
  if (!isBelowOne(digits)) return std::nullopt;
  return text.starts_with('-') ? -0.0 : 0.0;
}

std::string_view withoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace tfm
