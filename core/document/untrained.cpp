// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/untrained.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/data/task_table.h"
#include "core/model/build_program.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

/// As many tokens as a model has rows for.
data::Vocabulary vocabularyOf(std::int64_t size, const char* field) {
  constexpr std::int64_t kSpecials = 2;  // <start> and <pad>
  if (size <= kSpecials)
    throw Error(std::string(field) + " is " + std::to_string(size), "model config",
                "A model without a task needs at least " + std::to_string(kSpecials + 1) +
                    ": a letter, <start> and <pad>");
  std::vector<std::string> tokens;
  const auto add = [&](char first, char last) {
    for (int c = first; c <= last && std::ssize(tokens) < size - kSpecials; ++c)
      if (tokens.size() < 26 || c < 'a' || c > 'z') tokens.emplace_back(1, char(c));
  };
  add('a', 'z');
  add(' ', '~');
  while (std::ssize(tokens) < size - kSpecials)
    tokens.push_back("[token " + std::to_string(tokens.size()) + "]");
  return data::Vocabulary::withStartAndPad(std::move(tokens));
}

/// The names of classes that nobody has named.
data::Vocabulary classesOf(std::int64_t count) {
  std::vector<std::string> names;
  while (std::ssize(names) < count) names.push_back("class " + std::to_string(names.size() + 1));
  return {std::move(names), {}};
}

std::shared_ptr<const data::TextCodec> codecOf(const ModelConfig& c) {
  const auto codec = [](data::TaskForm form, data::Vocabulary source, data::Vocabulary target,
                        const data::TaskLengths& lengths, data::DrawnFeatures drawn = {}) {
    return std::make_shared<const data::TextCodec>("untrained", form, std::move(source),
                                                   std::move(target), lengths, std::move(drawn));
  };
  const data::TaskLengths lengths{
      .source = c.source_length, .target = c.target_length, .input = c.source_length};
  if (c.architecture == Architecture::Decoder && c.memory_size == 0) {
    const data::Vocabulary written = vocabularyOf(c.target_vocabulary, "target_vocabulary");
    const std::int64_t window = c.target_length;
    return codec(data::TaskForm::Text, written, written, {window, window, window});
  }
  const bool numbers = c.featureWidth() > 0;
  const data::Vocabulary read = c.memory_size > 0 ? vocabularyOf(c.memory_size, "memory_size")
                                : numbers         ? data::Vocabulary::annotated()
                                          : vocabularyOf(c.source_vocabulary, "source_vocabulary");
  const data::DrawnFeatures drawn{c.featureWidth(), 0};
  if (c.hasDecoder())
    return codec(data::TaskForm::Sequence, read,
                 vocabularyOf(c.target_vocabulary, "target_vocabulary"), lengths, drawn);
  if (c.output == OutputKind::None) return codec(data::TaskForm::None, read, {}, lengths, drawn);
  if (c.output == OutputKind::Classes)
    return codec(data::TaskForm::Classes, read, classesOf(c.output_size), lengths, drawn);
  return codec(data::TaskForm::SameLength, read, vocabularyOf(c.output_size, "output_size"),
               {c.source_length, c.source_length, c.source_length}, drawn);
}

}  // namespace

Document untrainedFor(const data::TaskConfig& task, ModelConfig model, const TrainConfig& train) {
  const data::TaskConfig fitted = taskLike(model, task);
  fitToTask(model, *data::makeTask(fitted));
  return newDocument(model, fitted, train);
}

Document untrainedAlone(const ModelConfig& model, const TrainConfig& train) {
  validate(train);
  Document document;
  document.codec = codecOf(model);
  checkFit(model, *document.codec);
  // Parameters and the two moments, and once more what is written.
  const double needed = 6.0 * sizeof(float) * double(parameterLayout(model).total);
  requireAvailable("this model", std::int64_t(std::min(needed, 1e18)), "model size",
                   "Choose a smaller model");
  document.train = train;
  document.state = initialState(model, train.seed);
  return document;
}

Document untrained(const Preset& preset) {
  const ModelConfig model = preset.config();
  TrainConfig train;
  useDefaultRates(train, model);
  if (preset.task.empty()) return untrainedAlone(model, train);
  const data::TaskConfig task = data::defaultTaskConfig(preset.task);
  return data::lacksFile(task) ? untrainedAlone(model, train) : untrainedFor(task, model, train);
}

}  // namespace tfm::train
