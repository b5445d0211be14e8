// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/lesson/check.h"
#include "ui/document/forward.h"
#include "ui/window/forward.h"

namespace tfm::ui {

/// A student who does what the pages of a lesson ask for, in the real window.
class LessonRobot {
 public:
  /// `own_text`: a file for pages that ask for one.
  LessonRobot(MainWindow& window, ModelDocument& document, QString own_text);

  /// Answers the prediction of the open page with its last choice, does its deeds, gives the right
  /// answer, and waits until the panel ticks it. Returns what was in the way; empty: nothing.
  QString doPage();

  /// Whether there is a deed for each row of lesson::checkKinds(); the missing ones.
  static QStringList missingDeeds();

 private:
  friend struct Deeds;

  bool holds(const lesson::Check& check) const;
  QString answerQuestions(bool predictions);

  MainWindow& window_;
  ModelDocument& document_;
  const QString own_text_;
};

}  // namespace tfm::ui
