// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/task_words.h"

#include "core/data/text_codec.h"

namespace tfm::ui {

TaskWords TaskWords::of(const data::TextCodec& codec) {
  TaskWords words{tr("character"), tr("characters"), {}, {}};
  if (codec.tokenizerName() == "word") {
    words.token = tr("word");
    words.tokens = tr("words");
  } else if (!codec.tokenizerName().empty() && codec.tokenizerName() != "character") {
    words.token = tr("piece of a word");
    words.tokens = tr("pieces of words");
  }
  struct Answers {
    QString right, accuracy;
  };
  const Answers exact{tr("right answers"), tr("Share of held-out questions answered exactly")};
  const Answers forms[] = {
      exact,
      exact,
      {tr("right characters"), tr("Share of characters in held-out texts predicted correctly")},
      {tr("right hidden %1").arg(words.tokens),
       tr("Share of hidden %1 in held-out texts filled in correctly").arg(words.tokens)},
      {tr("right answers"), tr("Share of held-out texts classified correctly")},
      {tr("no answers"), tr("The model gives no answers")}};
  words.right_answers = forms[int(codec.form())].right;
  words.accuracy = forms[int(codec.form())].accuracy;
  return words;
}

}  // namespace tfm::ui
