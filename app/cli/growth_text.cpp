// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/growth_text.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/common_options.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/expand/growth_fields.h"
#include "core/expand/kinds.h"

namespace tfm::cli {
namespace {

std::string expected() {
  return "Expected: feed_forward=16, heads=9, value_size=8, key_size=8, hidden=16 or layers=3; for "
         "one stack: decoder.layers=3; then choices: " +
         std::string(kGrowthChoices);
}

constexpr std::string_view kMethod = "method";

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

std::int64_t numberFrom0(const std::string& text, const std::string& name,
                         const std::string& option) {
  const auto number = wholeNumberIn(text);
  if (!number || *number < 0)
    throw Error(name + " is '" + text + "'", option, "Expected: a whole number from 0");
  return *number;
}

nlohmann::json valueOf(Form form, const std::string& text, const std::string& name,
                       const std::string& option) {
  if (form == Form::Flag) return true;
  if (form == Form::Word) return text;
  if (form == Form::Number) return numberFrom0(text, name, option);
  auto numbers = nlohmann::json::array();
  if (text.empty()) numberFrom0(text, name, option);
  for (const std::string& number : partsOf(text, '+')) {
    const std::int64_t counted = numberFrom0(number, name, option);  // from 1, as in all output
    if (counted == 0) throw Error(name + " is 0", option, "Layers and heads are counted from 1");
    numbers.push_back(counted - 1);
  }
  return numbers;
}

/// "feed_forward" and "16" or, for one stack, "decoder.layers" and "3".
expand::Growth sizeFromText(std::string kind, const std::string& size, const std::string& option) {
  nlohmann::json json;
  json["size"] = numberFrom0(size, kind, option);
  for (const std::string stack : {"encoder", "decoder"})
    if (!json.contains("stacks") && kind.starts_with(stack + ".")) {
      json["stacks"] = stack;
      kind = kind.substr(stack.size() + 1);
    }
  json["kind"] = kind;
  return expand::planFromJson(json.dump(), option).front();
}

/// The field of a plan that a choice sets.
std::string fieldOf(const ChoiceRow& row, const expand::Growth& growth) {
  if (row.name != kMethod) return row.field;
  return std::string(expand::rowOf(growth.kind).method);
}

/// "1+3", counted from 1.
std::string numbersText(const nlohmann::json& numbers) {
  std::string text;
  for (const nlohmann::json& number : numbers)
    text += (text.empty() ? "" : "+") + std::to_string(number.get<std::int64_t>() + 1);
  return text;
}

}  // namespace

expand::Growth withChoice(const expand::Growth& growth, std::string_view choice,
                          const std::string& value, const std::string& name,
                          const std::string& option) {
  const ChoiceRow& row = *rowOf(choice);
  nlohmann::json json = nlohmann::json::parse(expand::toJson({growth})).front();
  const std::string field = fieldOf(row, growth);
  if (field.empty())
    throw Error(std::string(expand::rowOf(growth.kind).name) + " has no methods", option,
                "Leave it out, or give it only after hidden or layers");
  const nlohmann::json chosen = valueOf(row.form, value, name, option);
  if (json.contains(field) && json[field] != chosen)
    throw Error(name + " is " + value + ", and " + field + " is " + json[field].dump() + " already",
                option, "Give it once");
  json[field] = chosen;
  return expand::planFromJson(json.dump(), option).front();
}

std::vector<WrittenGrowth> growthsFromText(const std::string& text, const std::string& option) {
  std::vector<WrittenGrowth> growths;
  for (const std::string& part : partsOf(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    const ChoiceRow* choice = rowOf(name);
    const bool flag = choice != nullptr && choice->form == Form::Flag;
    if (flag != (equals == std::string::npos)) {
      if (flag) throw Error("'" + part + "' has a value", option, "Expected: " + name);
      throw Error("'" + part + "' has no '='", option, expected());
    }
    if (choice == nullptr) {
      growths.push_back({sizeFromText(name, value, option)});
      continue;
    }
    if (growths.empty())
      throw Error("'" + part + "' belongs to no expansion", option,
                  "Give an expansion first: key_size=8," + part);
    WrittenGrowth& last = growths.back();
    if (std::ranges::find(last.choices, name) != last.choices.end())
      throw Error("'" + part + "' comes after another " + name, option, "Give it once");
    last.growth = withChoice(last.growth, name, value, name, option);
    last.choices.push_back(name);
  }
  return growths;
}

expand::Plan planOf(const std::vector<WrittenGrowth>& growths, const std::string& option) {
  expand::Plan plan;
  for (const WrittenGrowth& written : growths) {
    expand::Growth& growth = plan.emplace_back(written.growth);
    const auto given = [&](std::string_view field) {
      for (const std::string& choice : written.choices)
        if (fieldOf(*rowOf(choice), growth) == field) return choice;
      return std::string();
    };
    io::refuseWithoutEffect(expand::growthFields(growth), given,
                            option + ": growing " + std::string(expand::rowOf(growth.kind).name));
  }
  return plan;
}

std::string textOf(const expand::Plan& plan) {
  std::string text;
  for (const expand::Growth& growth : plan) {
    const auto json = nlohmann::json::parse(expand::toJson({growth})).front();
    text += (text.empty() ? "" : ",") + std::string(expand::rowOf(growth.kind).name) + "=" +
            std::to_string(growth.size);
    for (const ChoiceRow& row : kChoices) {
      const auto value = json.find(fieldOf(row, growth));
      if (value == json.end()) continue;
      text += "," + std::string(row.name);
      if (row.form == Form::Flag) continue;
      text += "=" + (row.form == Form::Word      ? value->get<std::string>()
                     : row.form == Form::Numbers ? numbersText(*value)
                                                 : value->dump());
    }
  }
  return text;
}

std::vector<train::ScheduledGrowth> scheduleFromTexts(const std::vector<std::string>& texts,
                                                      const std::string& option) {
  std::vector<train::ScheduledGrowth> growths;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      throw Error("'" + text + "' has no step", option,
                  "Expected: STEP:SIZES, as in 500:feed_forward=16,heads=9");
    if (colon + 1 == text.size()) throw Error("'" + text + "' grows nothing", option, expected());
    const std::int64_t step = numberFrom0(text.substr(0, colon), "the step of --grow", option);
    for (const expand::Growth& growth :
         planOf(growthsFromText(text.substr(colon + 1), option), option))
      growths.push_back({step, growth});
  }
  std::stable_sort(growths.begin(), growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  return growths;
}

std::vector<std::string> textsOf(const std::vector<train::ScheduledGrowth>& growths) {
  std::vector<std::string> texts;
  for (const train::ScheduledGrowth& scheduled : growths)
    texts.push_back(std::to_string(scheduled.step) + ":" + textOf({scheduled.growth}));
  return texts;
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
