// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_table.h"

#include <array>
#include <string>

#include "core/base/error.h"
#include "core/data/addition_task.h"
#include "core/data/parentheses_task.h"
#include "core/data/table_task.h"
#include "core/data/text_task.h"
#include "core/data/word_task.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

constexpr std::array kTasks{
    TaskRow{"rot13", "Replaces each letter of a word by the one 13 places further on.",
            TaskForm::SameLength, false, 15, makeRot13},
    TaskRow{"copy", "Repeats a word.", TaskForm::SameLength, false, 15, makeCopy},
    TaskRow{"reverse", "Writes a word backwards.", TaskForm::SameLength, false, 15, makeReverse},
    TaskRow{"sort", "Puts the letters of a word in alphabetical order.", TaskForm::SameLength,
            false, 15, makeSort},
    TaskRow{"addition", "Adds two numbers, written digit by digit.", TaskForm::Sequence, false, 15,
            makeAddition},
    TaskRow{"parentheses", "Decides whether every parenthesis has its partner.", TaskForm::Classes,
            false, 24, makeParentheses},
    TaskRow{"text", "Predicts the next character of a text.", TaskForm::Text, false, 15, makeText},
    TaskRow{"pairs", "Answers a text with its partner, learnt from a table of two columns.",
            TaskForm::Sequence, true, 32, makePairs},
    TaskRow{"classes", "Labels a text, learnt from a table of texts and labels.", TaskForm::Classes,
            true, 128, makeClasses},
};

}  // namespace

std::span<const TaskRow> taskTable() { return kTasks; }

const TaskRow& findTask(std::string_view name) {
  std::string names;
  for (const TaskRow& row : kTasks) {
    if (row.name == name) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error("there is no task " + io::inQuotes(name), "task.kind",
              "The tasks are " + names + ".");
}

std::unique_ptr<Task> makeTask(const TaskConfig& config) {
  validate(config);
  return findTask(config.kind).make(config);
}

}  // namespace tfm::data
