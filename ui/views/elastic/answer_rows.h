// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "ui/document/elastic_answers.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A question and the answers of the submodels, one row each.
class AnswerRows : public QFrame {
  Q_OBJECT

 public:
  explicit AnswerRows(const Style& style, QWidget* parent = nullptr);

  /// Shows the question, unless it is being typed.
  void setQuestion(const QString& question);
  /// Shows the answers, or in their place why there are none, without moving anything. `whole`: the
  /// index of the whole model, with which the others are compared.
  void showAnswers(const ElasticAnswers& answers, int whole);
  QLineEdit& question() { return *question_; }
  /// The columns of a row: name, answer, probability, comparison.
  QString text(int row, int column) const;
  int rowCount() const { return shown_; }

 signals:
  void asked(const QString& question);

 private:
  static constexpr int kColumns = 4;

  void needRows(int count);

  const Style& style_;
  QLineEdit* question_;
  QStackedWidget* pages_;
  QLabel* problem_;
  QGridLayout* grid_;
  std::vector<std::vector<QLabel*>> rows_;
  int shown_ = 0;
};

}  // namespace tfm::ui
