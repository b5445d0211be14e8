// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task.h"

#include <utility>

#include "core/base/error.h"
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

std::string_view Task::sentence() const { return findTask(config_.kind).sentence; }

std::int64_t Task::exampleCount(Split) const { return 0; }

std::int64_t Task::leftOut() const { return 0; }

Sample Task::sample(std::uint64_t index) const {
  const Example shown = example(Split::Training, 0, index);
  return {source_.decode(shown.source), answerText(shown.target)};
}

Ids Task::encodeInput(std::string_view text) const {
  Ids ids = source_.encode(text);
  const auto length = static_cast<std::int64_t>(ids.size());
  if (length == 0)
    throw Error("there is nothing to answer", "input", "Type at least one character.");
  if (length > lengths_.input)
    throw Error("the text has " + std::to_string(length) + " characters, at most " +
                    std::to_string(lengths_.input) + " are allowed",
                "input", "Shorten it, or start a task with longer sequences.");
  return ids;
}

std::string Task::answerText(std::span<const std::int32_t> ids) const {
  return target_.decode(ids);
}

}  // namespace tfm::data
