// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace tfm::ui {

class ModelDocument;
class Style;

/// The text whose inside is shown, with what the model makes of it, or why it cannot be read.
class QuestionField : public QWidget {
  Q_OBJECT

 public:
  QuestionField(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

 private:
  void showAnswer();
  void updateSizes();

  const Style& style_;
  ModelDocument& document_;
  QLabel* name_;
  QLineEdit* field_;
  QLabel* answer_;
  QLabel* problem_;
  QHBoxLayout* row_;
};

}  // namespace tfm::ui
