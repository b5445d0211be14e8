// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/forward.h"

namespace tfm::ui {

/// The terms for texts and answers of a task, e.g. characters or words.
struct TaskWords {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::TaskWords)

 public:
  QString token, tokens;  ///< "character", "characters"; "word", "words"; ...
  QString right_answers;  ///< what an accuracy counts, as an axis title
  QString accuracy;       ///< the same in a sentence
  QString loss;           ///< what training makes small, as an axis title

  static TaskWords of(const data::TextCodec& codec);
};

}  // namespace tfm::ui
