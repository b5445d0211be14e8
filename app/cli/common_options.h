// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tfm::cli {

/// The numbers that an option takes: least <= number <= most. Number: std::int64_t, std::uint64_t
/// or double.
template <class Number>
struct NumberRange {
  Number least = std::numeric_limits<Number>::lowest();
  Number most = std::numeric_limits<Number>::max();
  bool without_most = false;  ///< number < most
  bool operator==(const NumberRange&) const = default;
};

/// Reads a number that somebody wrote, as core/base/number_text.h says. Throws Error at `option`
/// with what is allowed.
template <class Number>
Number numberIn(const std::string& text, const std::string& option,
                const NumberRange<Number>& range = {});

/// Declares an option for a number, without a default. `names`: "--one" or "--one,--other".
template <class Number>
CLI::Option* addNumberFunction(CLI::App& app, const std::string& names,
                               const NumberRange<Number>& range, const std::string& meaning,
                               const std::function<void(Number)>& set);

/// The number as help and errors show it.
std::string numberText(std::int64_t number);
std::string numberText(std::uint64_t number);
std::string numberText(double number);

/// The type in which an option for this type of number is read.
template <class Number>
using ReadAs = std::conditional_t<std::is_integral_v<Number>, std::int64_t, double>;

/// Declares an option for a number in a range. Its help shows the default.
template <class Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, Number& number,
                       std::type_identity_t<Number> least, std::type_identity_t<Number> most,
                       const std::string& meaning) {
  using Read = ReadAs<Number>;
  return addNumberFunction<Read>(app, name, {Read(least), Read(most)}, meaning,
                                 [&number](Read read) { number = Number(read); })
      ->default_str(numberText(Read(number)));
}

/// The same for a number that has no default.
template <class Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<Number>& number,
                       std::type_identity_t<Number> least, std::type_identity_t<Number> most,
                       const std::string& meaning) {
  using Read = ReadAs<Number>;
  return addNumberFunction<Read>(app, name, {Read(least), Read(most)}, meaning,
                                 [&number](Read read) { number = Number(read); });
}

/// Declares an option for numbers separated by commas.
template <class Number>
CLI::Option* addNumbers(CLI::App& app, const std::string& name, std::vector<Number>& numbers,
                        const std::string& meaning);

/// Declares an option for one of a few words.
CLI::Option* addChoice(CLI::App& app, const std::string& names,
                       const std::vector<std::string_view>& words, const std::string& meaning,
                       const std::function<void(const std::string&)>& set);
/// The same; its help shows the default, if there is one.
CLI::Option* addChoice(CLI::App& app, const std::string& name, std::string& word,
                       const std::vector<std::string_view>& words, const std::string& meaning);

/// Declares --threads. Default: one per core; results do not depend on it.
void addThreadsOption(CLI::App& options, int& threads);

/// Declares --seed, an unsigned 64-bit integer; other numbers are rejected.
void addSeedOption(CLI::App& options, const char* meaning,
                   const std::function<void(std::uint64_t)>& set);

/// Declares --beam, which is returned, and --length-penalty, which needs it.
CLI::Option* addBeamOptions(CLI::App& app, std::optional<std::int64_t>& beams,
                            double& length_penalty);

/// Splits a text at separators; an empty text has no parts.
std::vector<std::string> partsOf(const std::string& text, char separator);

}  // namespace tfm::cli
