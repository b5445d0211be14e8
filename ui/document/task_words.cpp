// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/task_words.h"

#include "core/data/task.h"

namespace tfm::ui {

TaskWords TaskWords::of(const data::Task& task) {
  TaskWords words{tr("character"), tr("characters"), {}, {}};
  // Only classified texts have tokens other than characters.
  const bool sorts = task.form() == data::TaskForm::Classes;
  if (sorts && task.config().tokenizer == "word") {
    words.token = tr("word");
    words.tokens = tr("words");
  } else if (sorts && task.config().tokenizer == "wordpiece") {
    words.token = tr("piece of a word");
    words.tokens = tr("pieces of words");
  }
  switch (task.form()) {
    case data::TaskForm::Sequence:
    case data::TaskForm::SameLength:
      words.right_answers = tr("right answers");
      words.accuracy = tr("Share of held-out questions answered exactly");
      break;
    case data::TaskForm::Text:
      words.right_answers = tr("right characters");
      words.accuracy = tr("Share of characters in held-out texts predicted correctly");
      break;
    case data::TaskForm::Classes:
      words.right_answers = tr("right answers");
      words.accuracy = tr("Share of held-out texts classified correctly");
      break;
  }
  return words;
}

}  // namespace tfm::ui
