// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task.h"

#include <algorithm>
#include <utility>

#include "core/data/task_table.h"

namespace tfm::data {

Task::Task(TaskConfig config, TaskForm form, Vocabulary source, Vocabulary target,
           TaskLengths lengths, DrawnFeatures drawn)
    : TextCodec(config.kind, form, std::move(source), std::move(target), lengths, std::move(drawn)),
      config_(std::move(config)) {}

Task::Task(TaskConfig config, TaskForm form, std::unique_ptr<const Tokenizer> tokenizer,
           Vocabulary target, TaskLengths lengths, std::shared_ptr<TextFeatures> features,
           DrawnFeatures given)
    : TextCodec(config.kind, form, std::move(tokenizer), std::move(target), lengths, config.clean,
                std::move(features), std::move(given)),
      config_(std::move(config)) {}

std::string_view Task::description() const { return findTask(config_.kind).description; }

std::int64_t Task::exampleCount(Split) const { return 0; }

std::int64_t Task::leftOut() const { return 0; }

std::int64_t Task::cutExamples(Split) const { return 0; }

std::string Task::questionText(Split split, std::uint64_t seed, std::uint64_t index) const {
  return inputText(example(split, seed, index).source);
}

std::string Task::rightAnswerText(Split split, std::uint64_t seed, std::uint64_t index) const {
  return answerText(example(split, seed, index).target);
}

std::optional<Ids> onlyAnswer(std::span<const Example> examples,
                              std::span<const std::int32_t> question) {
  std::optional<Ids> answer;
  for (const Example& one : examples) {
    if (!std::ranges::equal(one.source, question)) continue;
    if (answer && *answer != one.target) return std::nullopt;
    answer = one.target;
  }
  return answer;
}

Sample Task::sample(std::uint64_t index) const {
  return {questionText(Split::Training, 0, index), rightAnswerText(Split::Training, 0, index)};
}

}  // namespace tfm::data
