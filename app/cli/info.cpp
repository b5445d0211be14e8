// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "app/cli/at_option.h"
#include "app/cli/experiment.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/verbs.h"
#include "core/data/task_table.h"
#include "core/document/document.h"
#include "core/document/fingerprint.h"
#include "core/document/history.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/train/fit_task.h"

namespace tfm::cli {
namespace {

constexpr std::int64_t kLongestPrintedText = 10'000;  // bytes

struct InfoArguments {
  std::string file, preset, config;
  bool texts = false;
  bool json = false;
};

struct Saved {
  std::int64_t step;
  std::uint64_t seed;
  std::string fingerprint;
  train::History history;
  train::WindowState window;
};

struct Facts {
  Experiment experiment;
  ParameterLayout layout;
  std::optional<Saved> saved{};  // of a file
  Json codec{};                  // without a task: how it reads texts
  bool follows_task = false;     // a preset: vocabulary and lengths depend on its task
  std::int64_t longest = kLongestPrintedText;
};

Facts factsOfFile(const std::string& file) {
  train::Document d = openSaved(file);
  Facts facts{{d.state.config, d.task, d.train}, d.state.layout};
  if (d.codec) facts.codec = Json::parse(d.codec->toJson());
  facts.saved = {d.state.step, d.state.seed, train::fingerprintOf(d).text(), std::move(d.history),
                 std::move(d.window)};
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

const ResultRows<Saved>& stateRows() {
  using train::Evaluation;
  static const ResultRows<Evaluation> evaluation{
      row<Evaluation>("step", &Evaluation::step), row<Evaluation>("loss", &Evaluation::loss),
      row<Evaluation>("accuracy", &Evaluation::accuracy),
      row<Evaluation>("position_accuracy", &Evaluation::position_accuracy)};
  static const ResultRows<Saved> rows{
      row<Saved>("step", &Saved::step), row<Saved>("seed", &Saved::seed),
      row<Saved>("fingerprint", &Saved::fingerprint,
                 "a word each of the weights, the seed, the data and this version"),
      objectRow<Saved>("last_evaluation", evaluation,
                       [](const Saved& saved) {
                         const auto& all = saved.history.evaluations;
                         return all.empty() ? std::nullopt : std::optional(all.back());
                       }),
      row<Saved>(
          "since_then",
          [](const Saved& saved) {
            Json since;
            if (saved.history.evaluations.empty()) return since;
            // A model that was extracted or grown later is not the one evaluated.
            for (const train::HistoryEvent& event : saved.history.events)
              if (event.step >= saved.history.evaluations.back().step) since.push_back(event.text);
            return since;
          },
          "later changes of the model, such as growth or extraction")};
  return rows;
}

const ResultRows<train::WindowState>& windowRows() {
  using train::WindowState;
  const auto pin = [](std::size_t slot) {
    return
        [slot](const WindowState& w) { return w.pins[slot] ? Json(w.pins[slot]->step()) : Json(); };
  };
  static const ResultRows<WindowState> rows{
      row<WindowState>("screen", &WindowState::screen, "the open one"),
      row<WindowState>("texts", &WindowState::texts, "that the model reads"),
      row<WindowState>("text", &WindowState::text, "the shown one, counted from 0"),
      orNull(row<WindowState>("pin_a", pin(0), "its step")),
      orNull(row<WindowState>("pin_b", pin(1))),
      row<WindowState>(
          "shown", [](const WindowState& w) { return train::kShownWords[std::size_t(w.shown)]; },
          "present, moment, A, B, A-B"),
      row<WindowState>(
          "moments",
          [](const WindowState& w) {
            Json steps = Json::array();
            for (const train::Moment& moment : w.moments) steps.push_back(moment.step());
            return steps;
          },
          "the steps that the time machine has"),
      row<WindowState>(
          "bytes", [](const WindowState& w) { return train::byteCount(w); }, "of moments and pins"),
      row<WindowState>(
          "parts",
          [](const WindowState& w) {
            Json parts = Json::object();
            for (const auto& [name, part] : w.parts) parts[name] = Json::parse(part);
            return parts;
          },
          "what screens and panels show, by their names")};
  return rows;
}

const ResultRows<Facts>& infoRows() {
  using Event = train::HistoryEvent;
  static const ResultRows<ParameterInfo> tensors{
      row<ParameterInfo>("name", &ParameterInfo::name),
      row<ParameterInfo>("shape", [](const ParameterInfo& p) { return sizes(p.shape); })};
  static const ResultRows<Event> events{
      row<Event>("step", &Event::step),
      row<Event>(
          "kind", [](const Event& event) { return train::eventName(event.kind); },
          "growth, learning_rate, restored, note"),
      row<Event>("text", &Event::text)};
  ResultRow<Facts> changes = listRow<Facts>(
      "events", events,
      [](const Facts& f) { return f.saved ? f.saved->history.events : std::vector<Event>(); },
      "all changes of a saved model other than training");
  changes.value = [all = changes.value](const Facts& f) { return f.saved ? all(f) : Json(); };
  static const ResultRows<Facts> rows{
      row<Facts>("parameters", [](const Facts& f) { return f.layout.total; }),
      row<Facts>(
          "operations", [](const Facts& f) { return operationsOf(f.experiment.model); },
          "of a forward pass over one sequence of maximum length, up to 1024 positions; a "
          "multiply-add counts as two"),
      listRow<Facts>(
          "tensors", tensors, [](const Facts& f) -> const auto& { return f.layout.parameters; }),
      row<Facts>("model", [](const Facts& f) { return Json::parse(toJson(f.experiment.model)); }),
      orNull(row<Facts>("task",
                        [](const Facts& f) {
                          return f.experiment.task ? taskJson(*f.experiment.task, f.longest)
                                                   : Json();
                        })),
      row<Facts>(
          "codec",
          [](const Facts& f) { return f.codec.is_null() ? Json() : codecJson(f.codec, f.longest); },
          "how a model without a task reads texts"),
      row<Facts>("train",
                 [](const Facts& f) { return Json::parse(train::toJson(f.experiment.train)); }),
      orNull(objectRow<Facts>("state", stateRows(), &Facts::saved)),
      objectRow<Facts>(
          "window", windowRows(),
          [](const Facts& f) {
            return f.saved && !f.saved->window.isEmpty() ? std::optional(f.saved->window)
                                                         : std::nullopt;
          },
          "what the window shows of it"),
      std::move(changes),
      row<Facts>("follows_task", &Facts::follows_task,
                 "vocabulary and lengths, and thus the numbers, depend on the training data"),
      row<Facts>(
          "frozen_parameters",
          [](const Facts& f) {
            const auto frozen = frozenParameters(f);
            return frozen ? Json(*frozen) : Json();
          },
          "of the encoder whose features it reads")};
  return rows;
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
  if (facts.saved) list("State", jsonOf(stateRows(), *facts.saved));
  if (facts.saved && !facts.saved->window.isEmpty())
    list("Window", jsonOf(windowRows(), facts.saved->window));
  list("Model", Json::parse(toJson(facts.experiment.model)));
  if (facts.experiment.task) list("Task", taskJson(*facts.experiment.task, -1));
  if (!facts.codec.is_null()) list("No task; how texts are read", codecJson(facts.codec, -1));
  list("Training", Json::parse(train::toJson(facts.experiment.train)));
  if (facts.saved && !facts.saved->history.events.empty()) {
    std::cout << "Events\n";
    for (const train::HistoryEvent& event : facts.saved->history.events)
      std::cout << "  after step " << std::left << std::setw(13) << withCommas(event.step) << ' '
                << event.text << '\n';
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
  const BatchShape shape = countedShape(model);
  const std::int64_t source = shape.source_length, target = shape.target_length;
  std::cout << withCommas(operationsOf(model)) << " operations in a forward pass over "
            << (source > 0 ? std::to_string(source) : "") << (source > 0 && target > 0 ? " + " : "")
            << (target > 0 ? std::to_string(target) : "") << " positions\n";
  if (facts.follows_task)
    std::cout << "Vocabulary and lengths, and thus these numbers, depend on the training data\n";
}

int runInfo(const InfoArguments& o) {
  if (o.texts && !o.json)
    throw Error("--texts needs --json", kCommandLine, "Give both, or neither");
  Facts facts = factsOf(o);
  if (o.texts) facts.longest = std::numeric_limits<std::int64_t>::max();
  if (o.json)
    printJson(jsonOf(infoRows(), facts));
  else
    printText(facts);
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
  app.footer(paragraph(
      "The output of --json is a file for --config: model, task with its texts, and train. For a "
      "text of more than 10,000 bytes it has only the size, text_bytes, unless --texts is given "
      "(for as many features, feature_numbers_count). In all: " +
      membersOf(infoRows()) + "."));
  return [o] { return runInfo(*o); };
}

}  // namespace tfm::cli
