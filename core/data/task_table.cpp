// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_table.h"

#include <array>
#include <string>

#include "core/base/error.h"
#include "core/data/addition_task.h"
#include "core/data/facts_task.h"
#include "core/data/labelled_task.h"
#include "core/data/masked_task.h"
#include "core/data/parentheses_task.h"
#include "core/data/regression_task.h"
#include "core/data/sentiment_task.h"
#include "core/data/table_task.h"
#include "core/data/text_task.h"
#include "core/data/word_task.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

constexpr std::string_view kCharacters = "character";

constexpr std::array kTasks{
    TaskRow{"rot13", "Replaces each letter of a word by the one 13 places later.",
            TaskForm::SameLength, TaskFile::None, 15, kCharacters, makeRot13},
    TaskRow{"copy", "Repeats a word.", TaskForm::SameLength, TaskFile::None, 15, kCharacters,
            makeCopy},
    TaskRow{"reverse", "Writes a word backwards.", TaskForm::SameLength, TaskFile::None, 15,
            kCharacters, makeReverse},
    TaskRow{"sort", "Puts the letters of a word in alphabetical order.", TaskForm::SameLength,
            TaskFile::None, 15, kCharacters, makeSort},
    TaskRow{"addition", "Adds two numbers, written digit by digit.", TaskForm::Sequence,
            TaskFile::None, 15, kCharacters, makeAddition},
    TaskRow{"parentheses", "Decides whether parentheses are balanced.", TaskForm::Classes,
            TaskFile::None, 24, kCharacters, makeParentheses},
    TaskRow{"sentiment", "Decides whether a review is positive or negative.", TaskForm::Classes,
            TaskFile::Optional, 128, "word", makeSentiment},
    TaskRow{"facts", "Remembers who gave whom what: facts without a rule.", TaskForm::Classes,
            TaskFile::None, 3, "word", makeFacts},
    TaskRow{"text", "Predicts the next character of a text.", TaskForm::Text, TaskFile::Optional,
            15, kCharacters, makeText},
    TaskRow{"masked", "Fills in the hidden tokens of a text.", TaskForm::Masked, TaskFile::Optional,
            64, "word", makeMasked},
    TaskRow{"pairs", "Answers the first column of a table with the second.", TaskForm::Sequence,
            TaskFile::Needed, 32, kCharacters, makePairs},
    TaskRow{"classes", "Classifies texts, learned from a table of texts and labels.",
            TaskForm::Classes, TaskFile::Needed, 128, kCharacters, makeClasses},
    TaskRow{"regression", "Answers rows of numbers with rows of numbers, by squared error.",
            TaskForm::Numbers, TaskFile::Optional, 3, kCharacters, makeRegression},
};

}  // namespace

std::span<const TaskRow> taskTable() { return kTasks; }

bool takesTokenizer(std::string_view kind) {
  return takesLabelledTexts(kind) || kind == "pairs" || findTask(kind).form == TaskForm::Masked;
}

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
