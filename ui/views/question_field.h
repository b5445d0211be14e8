// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// What is shown of several texts: one, two beside each other, or one minus another.
enum class TextsShown { One, Beside, Difference };

/// The texts that the model reads, one per line, each with the model's answer, or why it cannot be
/// read. Its number shows a text.
class QuestionField : public QWidget {
  Q_OBJECT

 public:
  /// Wide: with a name, the answers, and the choice of what is shown. Narrow: for a side zone.
  enum class Form { Wide, Narrow };

  QuestionField(const Style& style, Observing& observing, Form form = Form::Wide,
                QWidget* parent = nullptr);

  /// One for a single text.
  TextsShown shown() const;
  void show(TextsShown shown);
  using QWidget::show;

 signals:
  /// shown() changed.
  void shownChanged();

 private:
  struct Answer {
    QString question, text;
    std::int64_t step = -1;
  };
  struct Row {
    QWidget* line;
    QToolButton* number;
    QLineEdit* field;
    ElidedLabel* answer;
    QLabel* problem;
    QToolButton* remove;
    Answer unchanged = {};  ///< the last one without interventions
  };

  Row makeRow(int text);
  void showTexts();
  void showAnswers();
  /// Marks what interventions changed of the answer.
  void markChanges(Row& row, const Answer& now, bool changed);
  void updateSizes();

  const Style& style_;
  Observing& observing_;
  const Form form_;
  std::vector<Row> rows_;
  QLabel* name_;
  QPushButton* add_;
  QWidget* choice_;
  Segmented* shown_;
  QLabel* reason_;
  QVBoxLayout* lines_;
  QBoxLayout* whole_;
};

}  // namespace tfm::ui
