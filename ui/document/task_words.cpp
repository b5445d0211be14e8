// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/task_words.h"

#include "core/data/text_codec.h"

namespace tfm::ui {

TaskWords TaskWords::of(const data::TextCodec& codec) {
  TaskWords words{tr("character"), tr("characters"), {}, {}, tr("loss (nats)")};
  if (codec.tokenizerName() == "word") {
    words.token = tr("word");
    words.tokens = tr("words");
  } else if (!codec.tokenizerName().empty() && codec.tokenizerName() != "character") {
    words.token = tr("piece of a word");
    words.tokens = tr("pieces of words");
  }
  switch (codec.form()) {
    case data::TaskForm::Sequence:
    case data::TaskForm::SameLength:
      words.right_answers = tr("right answers");
      words.accuracy = tr("Share of held-out questions answered exactly");
      break;
    case data::TaskForm::Text:
      words.right_answers = tr("right characters");
      words.accuracy = tr("Share of characters in held-out texts predicted correctly");
      break;
    case data::TaskForm::Masked:
      words.right_answers = tr("right hidden %1").arg(words.tokens);
      words.accuracy =
          tr("Share of hidden %1 in held-out texts filled in correctly").arg(words.tokens);
      break;
    case data::TaskForm::Classes:
      words.right_answers = tr("right answers");
      words.accuracy = tr("Share of held-out texts classified correctly");
      break;
    case data::TaskForm::Numbers:
      words.loss = tr("loss (mean squared error)");
      words.right_answers = tr("numbers near the right ones");
      words.accuracy = tr("Share of held-out numbers within a tenth of a standard deviation");
      break;
    case data::TaskForm::None:
      words.right_answers = tr("no answers");
      words.accuracy = tr("The model gives no answers");
      break;
  }
  return words;
}

}  // namespace tfm::ui
