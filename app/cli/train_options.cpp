// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_options.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "app/cli/output.h"

namespace tfm::cli {
namespace {

struct ShortName {
  std::string_view field;
  const char* name;
};
constexpr ShortName kShortNames[] = {
    {"learning_rate", "--lr"},
    {"batch_size", "--batch"},
    {"clip_norm", "--clip"},
    {"stop_loss", "--until-loss"},
    {"stop_accuracy", "--until-accuracy"},
};

std::string optionNames(std::string_view field, const char* between = ",") {
  std::string names = "--" + std::string(field);
  std::replace(names.begin(), names.end(), '_', '-');
  for (const ShortName& row : kShortNames)
    if (row.field == field) names += std::string(between) + row.name;
  return names;
}

}  // namespace

TrainOptions::TrainOptions(CLI::App& options, StopRules rules)
    : given_(std::make_shared<nlohmann::json>(nlohmann::json::object())) {
  train::TrainConfig usual;
  for (const io::Field& field : train::trainFields(usual)) {
    if (field.name == "stop_steps") continue;
    if (rules == StopRules::None && field.name.starts_with("stop_")) continue;
    const std::string name(field.name);
    const auto declare = [&]<class Value>(Value, const char* kind, const std::string& words) {
      options
          .add_option_function<Value>(
              optionNames(field.name),
              [given = given_, name](const Value& value) { (*given)[name] = value; },
              std::string(field.meaning) + words)
          ->type_name(kind)
          ->group("Training");
    };
    std::visit(
        [&](const auto& slot) {
          using Slot = std::decay_t<decltype(slot)>;
          if constexpr (std::is_same_v<Slot, io::ChoiceSlot>)
            declare(std::string(), "WORD", ": " + io::allowedText(field));
          else
            declare(*slot.value, std::is_same_v<Slot, io::IntegerSlot> ? "N" : "X", "");
        },
        field.slot);
  }
}

bool TrainOptions::apply(train::TrainConfig& config, const ModelConfig& model,
                         const std::string& explicit_train) const {
  io::ObjectReader given(*given_, kCommandLine);
  const train::TrainConfig before = config;
  given.readFields(train::trainFields(config));
  const bool other = config.optimizer.kind != before.optimizer.kind;
  if (other) {
    // A new optimizer starts with its default rates, except for those given explicitly.
    train::useDefaultRates(config, model);
    const nlohmann::json file = nlohmann::json::parse(explicit_train);
    io::ObjectReader(file, kCommandLine).readFields(train::trainFields(config));
    given.readFields(train::trainFields(config));
  }
  for (const io::Field& field : train::trainFields(config))
    if (given_->contains(std::string(field.name)))
      io::checkFields({&field, 1}, optionNames(field.name, " or "));
  train::validate(config);
  return other;
}

}  // namespace tfm::cli
