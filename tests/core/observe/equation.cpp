// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/observe/equation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace tfm::test {
namespace {

/// Not of an std::initializer_list: GCC 14.2 reads one after its end here, with -O1.
Interval hull(const std::array<double, 4>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  return {low, high};
}
Interval hull(double a, double b) { return hull({a, b, a, b}); }

constexpr double kDigits = 4.0;  // at least, of a printed number

/// A recursive descent over sums, products and calls.
class EquationReader {
 public:
  EquationReader(const std::string& text, const Functions& functions)
      : text_(text), functions_(functions) {}

  Interval all() {
    const Interval value = sum();
    if (at_ != text_.size()) fail();
    return value;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("cannot read '" + text_.substr(at_) + "' of '" + text_ + "'");
  }
  bool takes(const std::string& token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  Interval sum() {
    for (const bool most : {true, false})
      if (takes(most ? "largest of " : "smallest of ")) {
        Interval best = product();
        while (takes(", ")) {
          const Interval one = product();
          best = most ? Interval{std::max(best.low, one.low), std::max(best.high, one.high)}
                      : Interval{std::min(best.low, one.low), std::min(best.high, one.high)};
        }
        return best;
      }
    Interval value = product();
    while (takes(" + ")) {
      const Interval one = product();
      value = {value.low + one.low, value.high + one.high};
    }
    return value;
  }

  Interval product() {
    Interval value = atom();
    for (;;) {
      const bool times = takes(" * ");
      if (!times && !takes(" / ")) return value;
      Interval by = atom();
      if (!times) by = hull(1.0 / by.low, 1.0 / by.high);
      value = hull(
          {value.low * by.low, value.low * by.high, value.high * by.low, value.high * by.high});
    }
  }

  Interval atom() {
    for (const auto& [name, function] : functions_)
      if (takes(name + '(')) {
        const Interval x = sum();
        if (!takes(")")) fail();
        // Steps between the ends find the range of a function that is not monotonic.
        Interval value = hull(function(x.low), function(x.high));
        for (int i = 1; i < 16; ++i) {
          const double y = function(x.low + (x.high - x.low) * i / 16);
          value = {std::min(value.low, y), std::max(value.high, y)};
        }
        return value;
      }
    if (takes("(")) {
      const std::size_t more = text_.find(" more: ", at_);
      if (more != std::string::npos &&
          std::all_of(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(more),
                      [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
        at_ = more + 7;
      const Interval value = sum();
      if (!takes(")")) fail();
      return value;
    }
    return number();
  }

  Interval number() {
    const char* const begin = text_.c_str() + at_;
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin) fail();
    const std::string digits = text_.substr(at_, std::size_t(end - begin));
    at_ += digits.size();
    return rounded(value, digits);
  }

  /// Half a unit of the last digit on both sides. %g drops zeros at the end, so a number that
  /// looks short may have as many digits as are printed.
  static Interval rounded(double value, const std::string& digits) {
    if (!std::isfinite(value) || value == 0.0) return {value, value};
    const std::size_t e = digits.find('e'), point = digits.find('.');
    const std::size_t end = std::min(e, digits.size());
    double unit = point == std::string::npos ? 1.0 : std::pow(10.0, -double(end - point - 1));
    if (e != std::string::npos) unit *= std::pow(10.0, std::atof(digits.c_str() + e + 1));
    unit = std::min(unit, std::pow(10.0, std::floor(std::log10(std::abs(value))) - (kDigits - 1)));
    return {value - 0.5 * unit, value + 0.5 * unit};
  }

  const std::string& text_;
  const Functions& functions_;
  std::size_t at_ = 0;
};

}  // namespace

Interval valueOfText(const std::string& text, const Functions& functions) {
  return EquationReader(text, functions).all();
}

bool isTrue(const std::string& equation, const Functions& functions) {
  const std::size_t equals = equation.find(" = ");
  const Interval left = valueOfText(equation.substr(0, equals), functions);
  const Interval right = valueOfText(equation.substr(equals + 3), functions);
  if (!std::isfinite(left.low)) return left.low == right.low;
  const double room = 1e-12 * std::max(std::abs(left.low), std::abs(right.high)) + 1e-300;
  return left.low <= right.high + room && right.low <= left.high + room;
}

}  // namespace tfm::test
