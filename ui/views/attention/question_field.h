// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace tfm::ui {

class Observing;
class Style;

/// A field for the observed question, with the model's answer, or why it cannot be read.
class QuestionField : public QWidget {
  Q_OBJECT

 public:
  QuestionField(const Style& style, Observing& observing, QWidget* parent = nullptr);

 private:
  void showAnswer();
  void updateSizes();

  const Style& style_;
  Observing& observing_;
  QLabel* name_;
  QLineEdit* field_;
  QLabel* answer_;
  QLabel* problem_;
  QHBoxLayout* row_;
};

}  // namespace tfm::ui
