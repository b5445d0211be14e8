// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arm_text.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/experiment.h"
#include "app/cli/growth_text.h"
#include "app/cli/open_model.h"
#include "app/cli/output_files.h"
#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/base/number_text.h"
#include "core/data/self_contained.h"
#include "core/expand/change.h"
#include "core/io/fields.h"
#include "core/io/message_text.h"
#include "core/model/config_fields.h"
#include "core/model/presets.h"
#include "core/study/compare_models.h"

namespace tfm::cli {
namespace {

using nlohmann::json;

constexpr const char* kMatformer = "matformer";
constexpr const char* kWidths = "widths";

constexpr const char* kExpected =
    "Expected: NAME=MODEL with a preset, a JSON file or a saved model, then what differs from it: "
    "NAME=rot13,layers=3,hidden=16";

using Override = ArmText::Override;

struct Arm : ArmText {
  Experiment experiment = {};
  std::optional<train::Document> document = std::nullopt;  // of a saved model
};

bool isGrowth(const std::string& part) {
  const std::size_t colon = part.find(':');
  return colon != std::string::npos && colon > 0 &&
         std::all_of(part.begin(), part.begin() + std::ptrdiff_t(colon),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Throws Error for what no field has, and for one that is given already.
void requireForm(const Override& override, const std::vector<Override>& before) {
  const std::string& name = override.name;
  if (!override.value && name != kMatformer)
    throw Error(io::inQuotes(name) + " has no value", "--arm",
                "Expected: NAME=VALUE, as in hidden=16");
  if (override.value && override.value->empty())
    throw Error(io::inQuotes(name) + " is empty", "--arm", "Give it a value, or leave it out");
  const auto nests = [](const std::string& field) {
    return field == kMatformer || field == kWidths;
  };
  for (const Override& other : before) {
    const bool same = other.name == name;
    if (same || other.name.ends_with("." + name) || (nests(other.name) && nests(name)))
      throw Error(io::inQuotes(name) + " comes after " + io::inQuotes(other.name), "--arm",
                  same ? "Give it once" : "Give one of them, or the general one first");
  }
}

}  // namespace

ArmText armFromText(const std::string& text) {
  std::vector<std::string> parts = partsOf(text, ',');
  const std::size_t equals = parts.empty() ? 0 : parts.front().find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == parts.front().size())
    throw Error("'" + text + "' is not NAME=MODEL", "--arm", kExpected);
  ArmText arm{parts.front().substr(0, equals), parts.front().substr(equals + 1)};
  std::vector<std::string> growths;  // each "600:hidden=16,heads=9"
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (isGrowth(part)) {
      growths.push_back(part);
    } else if (!growths.empty()) {
      growths.back() += "," + part;
    } else {
      const std::size_t sign = part.find('=');
      Override override{part.substr(0, sign)};
      if (sign != std::string::npos) override.value = part.substr(sign + 1);
      requireForm(override, arm.overrides);
      arm.overrides.push_back(override);
    }
  }
  arm.growths = scheduleFromTexts(growths, "--arm");
  return arm;
}

std::string textOf(const ArmText& arm) {
  std::string text = arm.name + "=" + arm.source;
  for (const Override& override : arm.overrides)
    text += "," + override.name + (override.value ? "=" + *override.value : "");
  for (const std::string& growth : textsOf(arm.growths)) text += "," + growth;
  return text;
}

namespace {

/// The model that is named, as it is.
void open(Arm& arm) {
  const bool preset = std::ranges::any_of(presets(), [&](const Preset& p) {
    return arm.source == p.name || (!arm.source.empty() && arm.source == p.short_name);
  });
  const std::filesystem::path path = arm.source;
  if (!preset && std::filesystem::exists(path) && path.extension() != ".json") {
    arm.document = openSaved(arm.source);
    arm.experiment = {arm.document->state.config, arm.document->task, arm.document->train};
  } else {
    arm.experiment =
        path.extension() == ".json" ? readExperiment(path) : presetExperiment(arm.source);
  }
}

bool readSwitch(const std::string& name, const std::string& text) {
  if (text != "true" && text != "false")
    throw Error(name + " is " + io::inQuotes(text), "--arm", "Allowed: true or false");
  return text == "true";
}

/// The value of a field as it is typed; several numbers are joined by '+'.
json valueOf(const io::Field& field, const std::string& text) {
  const auto refused = [&] {
    return Error(std::string(field.name) + " is " + io::inQuotes(text), "--arm",
                 "Allowed: " + io::allowedText(field));
  };
  if (std::holds_alternative<io::SwitchSlot>(field.slot))
    return readSwitch(std::string(field.name), text);
  if (std::holds_alternative<io::RealSlot>(field.slot)) {
    const auto number = realNumberIn(text);
    if (!number) throw refused();
    return *number;
  }
  if (std::holds_alternative<io::ChoiceSlot>(field.slot)) return text;
  json numbers = json::array();
  for (const std::string& part : partsOf(text, '+')) {
    const auto number = wholeNumberIn(part);
    if (!number) throw refused();
    numbers.push_back(*number);
  }
  if (std::holds_alternative<io::IntegersSlot>(field.slot)) return numbers;
  if (numbers.size() != 1) throw refused();
  return numbers.front();
}

/// Sets the field called so, and returns its value; nullopt: there is none.
std::optional<json> set(const std::vector<io::Field>& fields, const std::string& name,
                        const std::string& text) {
  const auto field = std::ranges::find(fields, name, &io::Field::name);
  if (field == fields.end()) return std::nullopt;
  const json value = valueOf(*field, text);
  const json given{{name, value}};
  io::ObjectReader(given, "--arm").readFields({&*field, 1});
  io::checkFields({&*field, 1}, "--arm");
  return value;
}

/// Sets a size of all blocks that have it.
bool setInBlocks(std::vector<LayerConfig>& layers, const std::string& name,
                 const std::string& text) {
  bool any = false;
  for (LayerConfig& layer : layers)
    for (BlockConfig& block : layer.blocks) {
      // Its width has the name by which it grows: other blocks have widths too.
      const bool feed_forward = std::holds_alternative<FeedForward>(block.f);
      if (feed_forward != (name == "feed_forward")) continue;
      const auto value = set(block.fields(), feed_forward ? "width" : name, text);
      any |= value.has_value();
      if (name == "heads" && value) block.setHeads(value->get<std::int64_t>());
    }
  return any;
}

/// Makes the last layer the model of all further ones.
bool setLayers(std::vector<LayerConfig>& layers, const std::string& text) {
  std::int64_t count = 0;
  const io::Field field{"layers", "", io::IntegerSlot{&count, 1, kMaxLayers}};
  set({field}, "layers", text);
  if (!layers.empty()) layers.resize(std::size_t(count), layers.back());
  return !layers.empty();
}

/// Sets a field of the config, the number of layers or a size of their blocks, of one stack with
/// "encoder." or "decoder." before it.
bool setInModel(ModelConfig& model, const Override& override) {
  const std::string value = override.value.value_or("");
  const std::int64_t hidden = model.hidden;
  if (set(configFields(model), override.name, value)) {
    if (model.embedding_scale == std::sqrt(double(hidden)))
      model.embedding_scale = std::sqrt(double(model.hidden));
    return true;
  }
  bool any = false;
  for (const auto& [stack, prefix] : {std::pair(Stack::Encoder, std::string("encoder.")),
                                      std::pair(Stack::Decoder, std::string("decoder."))}) {
    const bool only = override.name.starts_with(prefix);
    const std::string name = only ? override.name.substr(prefix.size()) : override.name;
    any |= name == "layers" ? setLayers(model.layers(stack), value)
                            : setInBlocks(model.layers(stack), name, value);
  }
  return any;
}

/// Throws Error if a field that the text sets has another value in the model for the task.
void requireKept(ModelConfig fitted, const Override& override) {
  const std::vector<io::Field> fields = configFields(fitted);
  const auto field = std::ranges::find(fields, override.name, &io::Field::name);
  if (field == fields.end()) return;
  nlohmann::ordered_json kept;
  io::writeFields({&*field, 1}, kept);
  const json value = kept.at(override.name);
  if (value != valueOf(*field, *override.value))
    throw Error(override.name + " is " + value.dump() + " for this task, not " + *override.value,
                "--arm", "Leave it out; options of the task, such as --max-length, decide it");
}

/// Sets what is trained rather than what the model is.
bool setInTraining(train::StudyArm& arm, const Override& override) {
  if (override.name == "granularity") {
    arm.granularity = *override.value;
    return true;
  }
  if (override.name == kMatformer) {
    const bool nested = !override.value || readSwitch(override.name, *override.value);
    arm.train.nesting = nested ? matformer::defaultNesting(arm.model) : matformer::Nesting{};
    return true;
  }
  if (override.name == kWidths) {
    arm.train.nesting = {};
    for (const std::string& width : partsOf(*override.value, '+'))
      arm.train.nesting.widths.push_back(numberIn<std::int64_t>(width, "--arm"));
    matformer::validate(arm.train.nesting);
    return true;
  }
  std::vector<io::Field> fields = train::trainFields(arm.train);
  std::erase_if(fields, [](const io::Field& field) { return field.name != "learning_rate"; });
  return set(fields, override.name, override.value.value_or("")).has_value();
}

/// Throws Error for widths that the arm does not have even after its growths.
void requireWidths(const train::StudyArm& arm) {
  ModelConfig grown = arm.model;
  for (const train::ScheduledGrowth& scheduled : arm.train.growths)
    grown = expand::outlineGrowth(grown, scheduled.growth, scheduled.step).after;
  matformer::requireSubmodels(arm.train.nesting, grown);
}

/// The arm as the engine takes it.
train::StudyArm made(const Arm& text, const train::TrainConfig& shared, const data::Task& task) {
  train::TrainConfig train = shared;
  train.nesting = text.experiment.train.nesting;
  train.growths = text.experiment.train.growths;
  if (!text.growths.empty()) train.growths = text.growths;
  ModelConfig model = text.experiment.model;
  std::vector<Override> others;
  for (const Override& override : text.overrides)
    if (text.document || !setInModel(model, override)) others.push_back(override);
  train::StudyArm arm = text.document ? train::trainedArm(text.name, *text.document, train, task)
                                      : train::newArm(text.name, model, train, task);
  for (const Override& override : text.overrides)
    if (!text.document) requireKept(arm.model, override);
  for (const Override& override : others)
    if (!setInTraining(arm, override))
      throw Error("there is no '" + override.name + "' to choose", "--arm",
                  text.document
                      ? "A saved model keeps its sizes: choose granularity or learning_rate, or "
                        "grow it first with expand"
                      : "Choose a size (layers, hidden, heads, key_size, value_size, feed_forward; "
                        "decoder.layers for one stack), another field of the model as in info "
                        "--json, or granularity, matformer, widths, learning_rate");
  if (std::ranges::any_of(others, [](const Override& o) { return o.name == kWidths; }))
    requireWidths(arm);
  return arm;
}

/// The task of the first saved model, else of the first that has one. Throws Error where models
/// are for different ones and no option chooses.
std::optional<data::TaskConfig> commonTask(const StudyOptions& options,
                                           const std::vector<Arm>& arms) {
  const Arm* base = nullptr;
  for (const Arm& arm : arms)
    if (arm.experiment.task && (!base || (arm.document && !base->document))) base = &arm;
  if (!base) return std::nullopt;
  const data::TaskConfig& task = *base->experiment.task;
  for (const Arm& arm : arms) {
    if (options.task.given() || !arm.experiment.task) continue;
    const data::TaskConfig& own = *arm.experiment.task;
    const bool same =
        own.kind == task.kind && (!arm.document || !base->document || data::isSameTask(own, task));
    if (!same)
      throw Error(base->name + " and " + arm.name + " learn different tasks: '" + task.kind +
                      (own.kind == task.kind ? "' with other settings or texts"
                                             : "' and '" + own.kind + "'"),
                  "--arm", "Choose one for all with --task or --data");
  }
  return task;
}

}  // namespace

void addArmOption(CLI::Option_group& app, std::vector<std::string>& texts) {
  app.add_option("--arm", texts,
                 "One of the models to compare, with its name: a preset, a JSON file as for "
                 "--config or a saved model, which starts from its weights. Then what differs: "
                 "sizes and fields of a new model (layers=3,hidden=16,decoder.heads=4), "
                 "learning_rate=0.003, matformer or widths=8+16 to nest it, granularity=S to "
                 "measure that submodel, growths as in --grow "
                 "(600:feed_forward=16,900:hidden=16). Give at least two")
      ->type_name("NAME=MODEL,...")
      ->allow_extra_args(false);
}

train::StudyConfig studyOfArms(const StudyOptions& options, const std::vector<std::string>& texts) {
  std::vector<Arm> arms;
  for (const std::string& text : texts) arms.push_back({armFromText(text)});
  if (arms.size() < 2)
    throw Error("there is only one model", "--arm", "Give it at least twice, to compare two");
  const auto about = [](const Arm& arm, const auto& make) {
    return inFile("--arm " + arm.name,
                  [&] { return atOption("--arm " + arm.name, make, "--arm"); });
  };
  for (Arm& arm : arms) {
    requireOtherFiles({{"--arm", arm.source}}, {{"--out", options.out}});
    about(arm, [&] { open(arm); });
  }
  Experiment base = arms.front().experiment;
  base.task = commonTask(options, arms);
  base.train.growths.clear();
  base.train.nesting = {};
  train::StudyConfig study =
      about(arms.front(), [&] { return options.study(base, "--arm " + arms.front().name); });
  const auto task = options.task.make(study.task);
  for (const Arm& arm : arms)
    study.arms.push_back(about(arm, [&] { return made(arm, study.train, *task); }));
  return study;
}

}  // namespace tfm::cli
