// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <optional>
#include <vector>

#include "core/lesson/lesson.h"
#include "ui/style/forward.h"

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace tfm::ui {

/// What a page of a lesson asks: choices or a field for a number, and a button that commits the
/// answer.
class LessonQuestion : public QFrame {
  Q_OBJECT

 public:
  /// A prediction is committed once; an answer can be given again until it is right.
  enum class Form { Prediction, Answer };

  LessonQuestion(const Style& style, Form form);

  /// Hides itself for none.
  void setQuestion(const std::optional<lesson::Question>& question);
  /// What it asks, with live values.
  void setAsk(const QString& markdown);
  /// Shows an answer that was given; "" for none.
  void showAnswer(const QString& answer);
  /// A sentence below, in a tone of the style sheet ("good", "bad" or "muted"); "" for none.
  void say(const QString& sentence, const char* tone);
  /// Whether an answer can still be given.
  void setOpen(bool open);

 signals:
  void answered(const QString& answer);

 private:
  void commit();
  QString given() const;
  void updateButton();
  void breakChoices();

  const Style& style_;
  QLabel* ask_;
  QWidget* choices_;
  QVBoxLayout* rows_;
  QButtonGroup* group_;
  QLineEdit* number_;
  QPushButton* commit_;
  QLabel* verdict_;
  bool open_ = true;
};

}  // namespace tfm::ui
