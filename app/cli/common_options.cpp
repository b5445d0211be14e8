// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/fields.h"
#include "core/io/message_text.h"

namespace tfm::cli {
namespace {

/// "--one,--other" for an error: "--one or --other".
std::string placeOf(const std::string& names) {
  std::string place;
  for (const std::string& name : partsOf(names, ',')) place += (place.empty() ? "" : " or ") + name;
  return place;
}

Error refused(const std::string& text, const std::string& option, const std::string& allowed) {
  const std::string name = partsOf(option, ' ').front();
  if (withoutBlanks(text).empty())
    return {name + " is empty", option, "Allowed: " + allowed + "; is a shell variable not set?"};
  return {name + " is " + io::inQuotes(text), option, "Allowed: " + allowed};
}

template <class Number>
std::string charsOf(Number number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

/// "1 to 256"; empty for all numbers.
template <class Number>
std::string rangeText(const NumberRange<Number>& range) {
  if (range == NumberRange<Number>{} && !std::is_unsigned_v<Number>) return {};
  return numberText(range.least) + (range.without_most ? " to below " : " to ") +
         numberText(range.most);
}

template <class Number>
std::string allowedText(const NumberRange<Number>& range) {
  const std::string limits = rangeText(range);
  return (std::is_same_v<Number, double> ? "a number" : "a whole number") +
         (limits.empty() ? "" : " from " + limits);
}

/// An option for a text that passes through `read`, whose result is what the option keeps. Its help
/// shows `range`.
CLI::Option* addRead(CLI::App& app, const std::string& names, const std::string& meaning,
                     const std::string& range,
                     const std::function<std::string(const std::string&)>& read,
                     const std::function<void(const std::string&)>& set) {
  const auto replace = [read](std::string& text) {
    text = read(text);
    return std::string();
  };
  return app.add_option_function<std::string>(names, set, meaning)
      ->transform(CLI::Validator(replace, range));
}

}  // namespace

std::string numberText(std::int64_t number) { return charsOf(number); }
std::string numberText(std::uint64_t number) { return charsOf(number); }
std::string numberText(double number) {
  const double size = std::abs(number);
  if (size != 0.0 && (size < 1e-3 || size >= 1e9)) return charsOf(number);
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::fixed).ptr};
}

template <class Number>
Number numberIn(const std::string& text, const std::string& option,
                const NumberRange<Number>& range) {
  const auto number = [&] {
    if constexpr (std::is_same_v<Number, double>)
      return realNumberIn(text);
    else if constexpr (std::is_unsigned_v<Number>)
      return unsignedNumberIn(text);
    else
      return wholeNumberIn(text);
  }();
  const bool fits = number && *number >= range.least &&
                    (range.without_most ? *number < range.most : *number <= range.most);
  if (!fits) throw refused(text, option, allowedText(range));
  return *number;
}

template <class Number>
CLI::Option* addNumberFunction(CLI::App& app, const std::string& names,
                               const NumberRange<Number>& range, const std::string& meaning,
                               const std::function<void(Number)>& set) {
  const auto read = [place = placeOf(names), range](const std::string& text) {
    return numberIn(text, place, range);
  };
  return addRead(
             app, names, meaning, rangeText(range),
             [read](const std::string& text) { return numberText(read(text)); },
             [read, set](const std::string& text) { set(read(text)); })
      ->type_name(std::is_same_v<Number, double> ? "X" : "N");
}

template <class Number>
CLI::Option* addNumbers(CLI::App& app, const std::string& name, std::vector<Number>& numbers,
                        const std::string& meaning) {
  const auto read = [name](const std::string& text) {
    std::vector<Number> all;
    for (const std::string& part : partsOf(text, ',')) all.push_back(numberIn<Number>(part, name));
    if (all.empty()) throw refused(text, name, "numbers separated by commas");
    return all;
  };
  const auto checked = [read](const std::string& text) {
    std::string list;
    for (const Number number : read(text)) list += (list.empty() ? "" : ",") + numberText(number);
    return list;
  };
  return addRead(app, name, meaning, "", checked,
                 [read, &numbers](const std::string& text) { numbers = read(text); })
      ->type_name(std::is_same_v<Number, double> ? "X,X,..." : "N,N,...");
}

template std::int64_t numberIn(const std::string&, const std::string&,
                               const NumberRange<std::int64_t>&);
template std::uint64_t numberIn(const std::string&, const std::string&,
                                const NumberRange<std::uint64_t>&);
template double numberIn(const std::string&, const std::string&, const NumberRange<double>&);
template CLI::Option* addNumberFunction(CLI::App&, const std::string&,
                                        const NumberRange<std::int64_t>&, const std::string&,
                                        const std::function<void(std::int64_t)>&);
template CLI::Option* addNumberFunction(CLI::App&, const std::string&,
                                        const NumberRange<std::uint64_t>&, const std::string&,
                                        const std::function<void(std::uint64_t)>&);
template CLI::Option* addNumberFunction(CLI::App&, const std::string&, const NumberRange<double>&,
                                        const std::string&, const std::function<void(double)>&);
template CLI::Option* addNumbers(CLI::App&, const std::string&, std::vector<std::int64_t>&,
                                 const std::string&);
template CLI::Option* addNumbers(CLI::App&, const std::string&, std::vector<double>&,
                                 const std::string&);

CLI::Option* addChoice(CLI::App& app, const std::string& names,
                       const std::vector<std::string_view>& words, const std::string& meaning,
                       const std::function<void(const std::string&)>& set) {
  const auto checked = [place = placeOf(names), words](const std::string& text) {
    if (std::ranges::find(words, text) == words.end())
      throw refused(text, place, io::allowedText({"", "", io::ChoiceSlot{words, {}, {}}}));
    return text;
  };
  return addRead(app, names, meaning, "", checked, set)->type_name("WORD");
}

CLI::Option* addChoice(CLI::App& app, const std::string& name, std::string& word,
                       const std::vector<std::string_view>& words, const std::string& meaning) {
  return addChoice(app, name, words, meaning, [&word](const std::string& text) { word = text; })
      ->default_str(word);
}

void addThreadsOption(CLI::App& options, int& threads) {
  constexpr int kMaxThreads = 256;
  threads = std::clamp(int(std::thread::hardware_concurrency()), 1, kMaxThreads);
  addNumber(options, "--threads", threads, 1, kMaxThreads,
            "Number of threads; results do not depend on it");
}

void addSeedOption(CLI::App& options, const char* meaning,
                   const std::function<void(std::uint64_t)>& set) {
  addNumberFunction<std::uint64_t>(options, "--seed", {}, meaning, set);
}

CLI::Option* addBeamOptions(CLI::App& app, std::optional<std::int64_t>& beams,
                            double& length_penalty) {
  CLI::Option* beam = addNumber(app, "--beam", beams, 1, 1000,
                                "Beam search with this many answers at a time; 1: greedy");
  addNumber(app, "--length-penalty", length_penalty, 0.0, 10.0,
            "Exponent by which beam search favours long answers (Wu et al. 2016); 0: none")
      ->needs(beam);
  return beam;
}

std::vector<std::string> partsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace tfm::cli
