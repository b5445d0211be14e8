// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/data/cleaning.h"
#include "core/data/task_table.h"

namespace tfm::data {

Task::Task(TaskConfig config, TaskForm form, Vocabulary source, Vocabulary target,
           TaskLengths lengths)
    : config_(std::move(config)),
      form_(form),
      source_(std::move(source)),
      target_(std::move(target)),
      lengths_(lengths) {
  if (form_ != TaskForm::Classes) joint_ = JointVocabulary(source_, target_);
}

Task::Task(TaskConfig config, TaskForm form, std::unique_ptr<const Tokenizer> tokenizer,
           Vocabulary target, TaskLengths lengths)
    : Task(std::move(config), form, tokenizer->vocabulary(), std::move(target), lengths) {
  tokenizer_ = std::move(tokenizer);
}

std::string_view Task::description() const { return findTask(config_.kind).description; }

std::int64_t Task::exampleCount(Split) const { return 0; }

std::optional<Ids> Task::rightAnswer(std::span<const std::int32_t>) const { return std::nullopt; }

std::int64_t Task::leftOut() const { return 0; }

std::int64_t Task::cutExamples(Split) const { return 0; }

std::string Task::questionText(Split split, std::uint64_t seed, std::uint64_t index) const {
  const Example shown = example(split, seed, index);
  return tokenizer_ ? tokenizer_->decode(shown.source) : source_.decode(shown.source);
}

Ids Task::tokensOf(std::string_view text) const {
  if (!tokenizer_) return source_.encode(text);
  return config_.clean ? tokenizer_->encode(cleanText(text)) : tokenizer_->encode(text);
}

Sample Task::sample(std::uint64_t index) const {
  return {questionText(Split::Training, 0, index),
          answerText(example(Split::Training, 0, index).target)};
}

Reading Task::readInput(std::string_view text) const {
  Reading reading{tokensOf(text)};
  reading.tokens = static_cast<std::int64_t>(reading.ids.size());
  if (reading.tokens == 0)
    throw Error("there is nothing to answer", "input", "Type at least one character.");
  if (reading.tokens > lengths_.input) {
    if (form_ == TaskForm::Text)  // the end matters most for what follows
      reading.ids.erase(reading.ids.begin(), reading.ids.end() - lengths_.input);
    else if (!tokenizer_)
      throw Error("the text has " + std::to_string(reading.tokens) + " characters, at most " +
                      std::to_string(lengths_.input) + " are allowed",
                  "input", "Shorten it, or start a task with longer sequences.");
    else
      shorten(reading.ids);
  }
  if (tokenizer_)
    reading.unknown = std::count(reading.ids.begin(), reading.ids.end(), source_.unknown());
  return reading;
}

std::string Task::inputNotice(std::string_view text) const {
  const Reading reading = readInput(text);
  std::string notice;
  if (reading.tokens > lengths_.input)
    notice = "only the " + std::string(form_ == TaskForm::Text ? "last " : "first ") +
             std::to_string(lengths_.input) + " of " + std::to_string(reading.tokens) +
             (tokenizer_ ? " tokens are read" : " characters are read");
  if (reading.unknown > 0)
    notice += (notice.empty() ? "" : "; ") + std::to_string(reading.unknown) +
              (reading.unknown == 1 ? " token is" : " tokens are") + " not in the vocabulary";
  return notice;
}

std::string Task::answerText(std::span<const std::int32_t> ids) const {
  return target_.decode(ids);
}

}  // namespace tfm::data
