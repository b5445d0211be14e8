// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/desk.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/ask/growth_proof.h"
#include "core/document/history.h"
#include "core/document/untrained.h"
#include "core/expand/grow.h"
#include "core/io/text_file.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/model/submodel.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::lesson {
namespace {

constexpr std::string_view kPreset = "preset ";

/// One more than the largest there is; a stream grows by two, as halves of a sinusoid need.
std::int64_t nextSize(const ModelConfig& model, const expand::Growth& growth) {
  const std::vector<std::int64_t> sizes = expand::chosenSizes(model, growth);
  const std::int64_t largest = sizes.empty() ? 0 : std::ranges::max(sizes);
  return largest + (growth.kind == expand::Kind::Hidden ? 2 : 1);
}

}  // namespace

Desk::Desk(train::Document document, int threads)
    : document_(std::move(document)), threads_(threads) {
  if (document_.task) task_ = train::makeTask(document_);
}

void Desk::trainUntil(std::int64_t last_step, const std::function<bool(const Situation&)>& enough) {
  if (enough(situation())) return;
  train::requireTask(document_);
  setSameNumbers(document_.train.same_numbers);
  train::Trainer trainer(task_, document_.state, document_.train, threads_);
  const train::TrainConfig& config = document_.train;
  bool reached = false;
  while (!reached && trainer.stepsDone() < last_step) {
    document_.history.steps.push_back(trainer.step());
    const std::int64_t step = document_.state.step = trainer.stepsDone();
    if (config.evaluate_every > 0 && step % config.evaluate_every == 0)
      document_.history.evaluations.push_back(trainer.evaluate(config.evaluation_size));
    reached = enough(situation());
  }
  document_.state = trainer.state();
  if (!reached)
    throw Error("this is not reached within " + std::to_string(last_step) + " steps", {},
                "Ask for less, or begin with a model that learns it");
}

void Desk::grow(expand::Kind kind, bool proved) {
  expand::Growth growth;
  growth.kind = kind;
  growth.size = nextSize(document_.state.config, growth);
  expand::Grown grown = expand::grow(document_.state, {growth});
  std::string text = expand::describe(grown.changes.front().growth, grown.changes.front().before);
  if (proved) {
    constexpr std::int64_t kExamples = 16;
    const auto codec = train::makeCodec(document_);
    const train::GrowthProof proof =
        train::proveGrowth(document_.state, grown, *codec, task_.get(),
                           train::framingFor(document_.state.config, *codec), kExamples);
    if (!proof.verdict.exact)
      throw Error("this growth is not exact for the model: " + text, {},
                  "Ask for another one, or without proof");
    text += train::kProved;
  }
  const std::int64_t step = document_.state.step;
  document_.state = std::move(grown.state);
  train::addEvent(document_.history, {step, train::EventKind::Growth, std::move(text)});
}

void Desk::intervene(const std::string& what) {
  const observe::Intervention intervention = observe::interventionFromText(what);
  const ModelConfig& model = document_.state.config;
  (void)observe::changedParts(model, fullShape(model, 1), intervention.target);  // throws
  document_.interventions.push_back({intervention});
}

train::WeightStep Desk::step(const std::string& weight) const {
  const auto codec = train::makeCodec(document_);
  return train::weightStep(document_.state, document_.train, *codec,
                           train::framingFor(document_.state.config, *codec),
                           std::string(shownText(document_.window)), weight);
}

train::Moment Desk::moment() const {
  return {std::make_shared<const ModelState>(document_.state),
          std::ssize(document_.history.events)};
}

void Desk::startOver() {
  document_.state = initialState(document_.state.config, document_.state.seed);
  document_.history = {};
}

void Desk::open(const std::string& preset) {
  document_ = train::untrained(presetNamed(preset));
  task_ = document_.task ? train::makeTask(document_) : nullptr;
}

void Desk::nest() {
  const std::int64_t width = std::ranges::max(fullWidths(document_.state.config));
  document_.train.nesting.widths = {std::max<std::int64_t>(1, width / 2), width};
}

void Desk::learnFromOwnFile() {
  data::TaskConfig task = data::defaultTaskConfig("text");
  task.path = "mine.txt";  // its text is given, so that no file is read
  for (int line = 0; line < 40; ++line)
    task.text += "the quick brown fox jumps over the lazy dog\n";
  document_ = train::untrainedFor(task, presetNamed("character-model").config(), {});
  task_ = train::makeTask(document_);
}

Files filesIn(const std::filesystem::path& folder) {
  return {[folder](const std::string& path) { return train::openDocument(folder / path); },
          [folder](const std::string& path) { return io::readTextFile(folder / path); }};
}

train::Document startOf(const Lesson& lesson, const Files& files) {
  train::Document document;
  if (!lesson.start.starts_with(kPreset)) {
    document = files.document(lesson.start);
  } else {
    const Preset& preset = presetNamed(lesson.start.substr(kPreset.size()));
    if (lesson.data.empty()) {
      document = train::untrained(preset);
    } else {
      data::TaskConfig task = data::defaultTaskConfig(preset.task);
      task.text = files.text(lesson.data);
      document = train::untrainedFor(task, preset.config(), {});
    }
  }
  document.train.same_numbers = document.train.same_numbers || lesson.same_numbers;
  if (!lesson.text.empty()) {
    document.window.texts = {lesson.text};
    document.window.text = 0;
  }
  return document;
}

}  // namespace tfm::lesson
