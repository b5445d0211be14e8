// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/at_option.h"
#include "app/cli/experiment.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "core/data/task_table.h"
#include "core/document/document.h"
#include "core/document/history.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/pretrained_encoder.h"
#include "core/train/fit_task.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLongestPrintedText = 10'000;  // bytes

struct InfoArguments {
  std::string file, preset, config;
  bool texts = false;
  bool json = false;
};

struct Facts {
  Experiment experiment;
  ParameterLayout layout;
  Json state;                 // null: not trained
  Json events;                // null: not of a file
  Json codec;                 // without a task: how it reads texts
  bool follows_task = false;  // a preset: vocabulary and lengths depend on its task
};

Facts factsOfFile(const std::string& file) {
  train::Document d = openSaved(file);
  Facts facts{{d.state.config, d.task, d.train}, d.state.layout, {}, {}, {}};
  facts.events = Json::array();
  for (const train::HistoryEvent& event : d.history.events)
    facts.events.push_back(
        {{"step", event.step}, {"kind", train::eventName(event.kind)}, {"text", event.text}});
  facts.state = {{"step", d.state.step}, {"seed", d.state.seed}};
  if (d.codec) facts.codec = Json::parse(d.codec->toJson());
  if (!d.history.evaluations.empty()) {
    const train::Evaluation& last = d.history.evaluations.back();
    facts.state["last_evaluation"] = {{"step", last.step},
                                      {"loss", last.loss},
                                      {"accuracy", last.accuracy},
                                      {"position_accuracy", last.position_accuracy}};
    // A model that was extracted or grown later is not the one evaluated.
    for (const auto& event : d.history.events)
      if (event.step >= last.step) facts.state["since_then"].push_back(event.text);
  }
  return facts;
}

Facts factsOf(const InfoArguments& o) {
  if (!o.file.empty()) return factsOfFile(o.file);
  Facts facts;
  if (!o.preset.empty()) {
    facts.experiment = atOption("--preset", [&] { return presetExperiment(o.preset); });
    facts.follows_task = true;
  } else {
    facts.experiment = readExperiment(o.config);
    if (facts.experiment.task)
      train::fitToTask(facts.experiment.model, *data::makeTask(*facts.experiment.task));
  }
  facts.layout = parameterLayout(facts.experiment.model);
  return facts;
}

/// One sequence of the model's maximum length, up to a length whose cost is quickly counted.
BatchShape countedShape(const ModelConfig& model) {
  constexpr std::int64_t kLongest = 1024;
  return {1, std::min(model.source_length, kLongest), std::min(model.target_length, kLongest)};
}

std::int64_t operationsOf(const ModelConfig& model) {
  return buildProgram(model, countedShape(model), {}).forwardFlops();
}

/// The task with the sizes of its texts of more than `longest` bytes instead of these.
Json taskJson(const data::TaskConfig& task, std::int64_t longest) {
  Json json = Json::parse(data::toJson(task));
  for (const char* name : {"text", "test_text", "vocabulary"}) {
    const auto bytes = std::int64_t(json[name].get_ref<const std::string&>().size());
    if (bytes <= longest) continue;
    json[std::string(name) + "_bytes"] = bytes;
    json.erase(name);
  }
  return json;
}

/// Of the frozen encoder whose features the model reads; none if it has no encoder, or this has
/// moved.
std::optional<std::int64_t> frozenParameters(const Facts& facts) {
  const auto& task = facts.experiment.task;
  if (!task || task->encoder_path.empty()) return std::nullopt;
  try {
    return parameterLayout(readPretrainedConfig(task->encoder_path)).total;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// How a model without a task reads texts, without the numbers of its features if they are many.
Json codecJson(Json codec, std::int64_t most) {
  const auto numbers = codec.find("feature_numbers");
  if (numbers == codec.end() || std::int64_t(numbers->size()) <= most) return codec;
  codec["feature_numbers_count"] = numbers->size();
  codec.erase("feature_numbers");
  return codec;
}

void printText(const Facts& facts) {
  const auto list = [](const char* title, const Json& object) {
    std::cout << title << '\n';
    for (const auto& field : object.items())
      std::cout << "  " << std::left << std::setw(24) << field.key() << ' '
                << (field.value().is_string() ? field.value().get<std::string>()
                                              : field.value().dump())
                << '\n';
    std::cout << '\n';
  };
  if (!facts.state.is_null()) list("State", facts.state);
  list("Model", Json::parse(toJson(facts.experiment.model)));
  if (facts.experiment.task) list("Task", taskJson(*facts.experiment.task, -1));
  if (!facts.codec.is_null()) list("No task; how texts are read", codecJson(facts.codec, -1));
  list("Training", Json::parse(train::toJson(facts.experiment.train)));
  if (!facts.events.empty()) {
    std::cout << "Events\n";
    for (const Json& event : facts.events)
      std::cout << "  after step " << std::left << std::setw(13)
                << withCommas(event["step"].get<std::int64_t>()) << ' '
                << event["text"].get<std::string>() << '\n';
    std::cout << '\n';
  }
  std::cout << "Parameters\n";
  for (const ParameterInfo& p : facts.layout.parameters) {
    std::string meaning;
    for (const Dimension& dimension : p.shape)
      meaning += (meaning.empty() ? "" : ", ") + dimension.name();
    std::cout << "  " << std::left << std::setw(56) << p.name << ' ' << std::setw(12)
              << sizeText(sizes(p.shape)) << ' ' << meaning << '\n';
  }
  std::cout << withCommas(facts.layout.total) << " parameters in " << facts.layout.parameters.size()
            << " tensors\n";
  if (const auto frozen = frozenParameters(facts))
    std::cout << withCommas(*frozen) << " more in the frozen encoder, "
              << withCommas(facts.layout.total + *frozen) << " in all\n";
  const ModelConfig& model = facts.experiment.model;
  const auto [sequences, source, target] = countedShape(model);
  std::cout << withCommas(operationsOf(model)) << " operations in a forward pass over "
            << (source > 0 ? std::to_string(source) : "") << (source > 0 && target > 0 ? " + " : "")
            << (target > 0 ? std::to_string(target) : "") << " positions\n";
  if (facts.follows_task)
    std::cout << "Vocabulary and lengths, and thus these numbers, depend on the training data\n";
}

int runInfo(const InfoArguments& o) {
  if (o.texts && !o.json)
    throw Error("--texts needs --json", kCommandLine, "Give both, or neither");
  const Facts facts = factsOf(o);
  if (!o.json) {
    printText(facts);
    return kDone;
  }
  Json json{{"parameters", facts.layout.total},
            {"operations", operationsOf(facts.experiment.model)},
            {"tensors", Json::array()}};
  for (const ParameterInfo& p : facts.layout.parameters)
    json["tensors"].push_back({{"name", p.name}, {"shape", sizes(p.shape)}});
  json["model"] = Json::parse(toJson(facts.experiment.model));
  const std::int64_t longest =
      o.texts ? std::numeric_limits<std::int64_t>::max() : kLongestPrintedText;
  json["task"] = facts.experiment.task ? taskJson(*facts.experiment.task, longest) : Json();
  if (!facts.codec.is_null()) json["codec"] = codecJson(facts.codec, longest);
  json["train"] = Json::parse(train::toJson(facts.experiment.train));
  json["state"] = facts.state;
  if (!facts.events.is_null()) json["events"] = facts.events;
  json["follows_task"] = facts.follows_task;
  if (const auto frozen = frozenParameters(facts)) json["frozen_parameters"] = *frozen;
  printJson(json);
  return kDone;
}

}  // namespace

Action prepareInfo(CLI::App& app) {
  const auto o = std::make_shared<InfoArguments>();
  CLI::Option_group* source = app.add_option_group("Model", "Which model");
  source->add_option("file", o->file, "A saved model")->type_name("FILE");
  source->add_option("--preset", o->preset, "A preset; see transformarium-cli presets")
      ->type_name("NAME");
  source->add_option("--config", o->config, "A JSON file with model, task and train")
      ->type_name("FILE");
  source->require_option(1);
  app.add_flag("--texts", o->texts,
               "With --json: long texts and features in full, instead of only their sizes");
  addJsonFlag(app, o->json);
  app.footer(
      "The output of --json is a file for --config: model, task with its texts, and train. For a\n"
      "text of more than 10,000 bytes it has only the size, text_bytes, unless --texts is given\n"
      "(for as many features, feature_numbers_count). Also:\n"
      "parameters, tensors [{name, shape}]; frozen_parameters: of the encoder whose features it\n"
      "reads; codec: how a model without a task reads texts.\n"
      "operations: of a forward pass over one sequence of maximum length, up to 1024 positions; a\n"
      "multiply-add counts as two.\n"
      "follows_task: vocabulary and lengths, and thus the numbers, depend on the training data.\n"
      "state: step, seed, last_evaluation (step, loss, accuracy, position_accuracy) and "
      "since_then:\n"
      "later changes of the model, such as growth or extraction.\n"
      "events [{step, kind (growth, learning_rate, restored, note), text}]: all changes of a "
      "saved\n"
      "model other than training.");
  return [o] { return runInfo(*o); };
}

}  // namespace tfm::cli
