// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_options.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "app/cli/common_options.h"
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

std::string optionNames(std::string_view field) {
  std::string names = "--" + std::string(field);
  std::replace(names.begin(), names.end(), '_', '-');
  for (const ShortName& row : kShortNames)
    if (row.field == field) names += std::string(",") + row.name;
  return names;
}

/// NAME, and --no-NAME, which a resumed training needs.
CLI::Option* addSwitch(CLI::App& options, const std::string& name, const std::string& meaning,
                       const std::function<void(bool)>& keep) {
  const auto flag = [&](const std::string& names, const std::string& words, bool on) {
    return options.add_flag_callback(
        names, [keep, on] { keep(on); }, words);
  };
  CLI::Option* on = flag(name, meaning, true);
  flag("--no" + name.substr(1), "Switches " + name + " off", false)
      ->excludes(on)
      ->group("Training");
  return on;
}

}  // namespace

TrainOptions::TrainOptions(CLI::App& options, StopRules rules)
    : given_(std::make_shared<nlohmann::json>(nlohmann::json::object())) {
  train::TrainConfig usual;
  for (const io::Field& field : train::trainFields(usual)) {
    if (field.name == "stop_steps") continue;
    if (rules == StopRules::None && field.name.starts_with("stop_")) continue;
    const std::string names = optionNames(field.name), meaning(field.meaning);
    const auto keep = [given = given_, name = std::string(field.name)](const auto& value) {
      (*given)[name] = value;
    };
    CLI::Option* option = std::visit(
        [&]<class Slot>(const Slot& slot) -> CLI::Option* {
          if constexpr (std::is_same_v<Slot, io::ChoiceSlot>)
            return addChoice(options, names, slot.words, meaning + ": " + io::allowedText(field),
                             keep);
          else if constexpr (std::is_same_v<Slot, io::IntegerSlot>)
            return addNumberFunction<std::int64_t>(options, names, {slot.lowest, slot.highest},
                                                   meaning, keep);
          else if constexpr (std::is_same_v<Slot, io::RealSlot>)
            return addNumberFunction<double>(
                options, names, {slot.lowest, slot.limit, !slot.with_limit}, meaning, keep);
          else if constexpr (std::is_same_v<Slot, io::SwitchSlot>)
            return addSwitch(options, names, meaning, keep);
          else
            return nullptr;  // a training has no such fields
        },
        field.slot);
    option->group("Training");
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
  train::validate(config);
  const auto option = [&](std::string_view field) {
    return given_->contains(field) ? optionNames(field) : std::string();
  };
  io::refuseWithoutEffect(train::trainFields(config), option, kCommandLine);
  return other;
}

}  // namespace tfm::cli
