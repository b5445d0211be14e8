// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/growth_text.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "core/base/error.h"

namespace tfm::cli {
namespace {

std::string expected() {
  return "Expected: feed_forward=16, heads=9, value_size=8, key_size=8, hidden=16 or layers=3; for "
         "one stack: decoder.layers=3; then choices: " +
         std::string(kGrowthChoices);
}

enum class Form { Word, Number, Numbers, Flag };

/// A choice after the size of a growth, and its name in a plan.
struct ChoiceRow {
  std::string_view name;
  const char* field;
  Form form;
};
constexpr ChoiceRow kChoices[] = {
    {"layer", "layers", Form::Numbers},
    {"head", "heads_chosen", Form::Numbers},
    {"stack", "stacks", Form::Word},
    {"attention", "attentions", Form::Word},
    {"position", "position", Form::Number},
    {"method", "", Form::Word},  // hidden_method or layer_method
    {"mask_steps", "mask_steps", Form::Number},
    {"unshare", "unshare", Form::Flag},
    {"allow_inexact", "allow_inexact", Form::Flag},
};

const ChoiceRow* rowOf(std::string_view name) {
  const auto* row = std::ranges::find(kChoices, name, &ChoiceRow::name);
  return row == std::end(kChoices) ? nullptr : row;
}

nlohmann::json valueOf(Form form, const std::string& text, const std::string& source) {
  if (form == Form::Flag) return true;
  if (form == Form::Word) return text;
  if (form == Form::Number) return wholeNumber(text, source);
  auto numbers = nlohmann::json::array();
  if (text.empty()) wholeNumber(text, source);
  for (const std::string& number : partsOf(text, '+')) {
    const std::int64_t counted = wholeNumber(number, source);  // from 1, as in all output
    if (counted == 0)
      throw Error(source + " is 0", kCommandLine, "Layers and heads are counted from 1");
    numbers.push_back(counted - 1);
  }
  return numbers;
}

/// "feed_forward" and "16" or, for one stack, "decoder.layers" and "3".
expand::Growth sizeFromText(std::string kind, const std::string& size) {
  nlohmann::json json;
  for (const std::string stack : {"encoder", "decoder"})
    if (kind.starts_with(stack + ".")) {
      json["stacks"] = stack;
      kind = kind.substr(stack.size() + 1);
    }
  json["kind"] = kind;
  json["size"] = wholeNumber(size, kind);
  return expand::planFromJson(json.dump(), "command line").front();
}

}  // namespace

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

expand::Growth withChoice(const expand::Growth& growth, std::string_view choice,
                          const std::string& value, const std::string& source) {
  const ChoiceRow& row = *rowOf(choice);
  nlohmann::json json = nlohmann::json::parse(expand::toJson({growth})).front();
  std::string field = row.field;
  if (choice == "method") {
    if (growth.kind != expand::Kind::Hidden && growth.kind != expand::Kind::Layers)
      throw Error(std::string(expand::kindName(growth.kind)) + " has no methods",
                  source.starts_with("--") ? source : kCommandLine,
                  "Leave it out, or give it only after hidden or layers");
    field = growth.kind == expand::Kind::Hidden ? "hidden_method" : "layer_method";
  }
  const nlohmann::json chosen = valueOf(row.form, value, source);
  if (json.contains(field) && json[field] != chosen)
    throw Error(
        source + " is " + value + ", and " + field + " is " + json[field].dump() + " already",
        "command line", "Give it once");
  json[field] = chosen;
  return expand::planFromJson(json.dump(), "command line").front();
}

expand::Plan growthsFromText(const std::string& text) {
  expand::Plan plan;
  for (const std::string& part : partsOf(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    const ChoiceRow* choice = rowOf(name);
    const bool flag = choice != nullptr && choice->form == Form::Flag;
    if (flag != (equals == std::string::npos)) {
      if (flag) throw Error("'" + part + "' has a value", "command line", "Expected: " + name);
      throw Error("'" + part + "' has no '='", "command line", expected());
    }
    if (choice == nullptr) {
      plan.push_back(sizeFromText(name, value));
    } else if (plan.empty()) {
      throw Error("'" + part + "' belongs to no expansion", "command line",
                  "Give an expansion first: key_size=8," + part);
    } else {
      plan.back() = withChoice(plan.back(), name, value, name);
    }
  }
  return plan;
}

std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts) {
  std::vector<train::ScheduledGrowth> growths;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      throw Error("'" + text + "' has no step", "--grow",
                  "Expected: STEP:SIZES, as in 500:feed_forward=16,heads=9");
    if (colon + 1 == text.size()) throw Error("'" + text + "' grows nothing", "--grow", expected());
    const std::int64_t step = wholeNumber(text.substr(0, colon), "the step of --grow");
    for (const expand::Growth& growth : growthsFromText(text.substr(colon + 1)))
      growths.push_back({step, growth});
  }
  std::stable_sort(growths.begin(), growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  return growths;
}

void addGrowOption(CLI::App& app, std::vector<std::string>& texts) {
  app.add_option("--grow", texts,
                 "Grow at a step: 500:feed_forward=16,heads=9 or 900:decoder.layers=3; after a "
                 "size, choices for it: 500:key_size=8,layer=1+3,hidden=16,method=mask "
                 "(" +
                     std::string(kGrowthChoices) + "); may be repeated")
      ->type_name("STEP:SIZES");
}

}  // namespace tfm::cli
