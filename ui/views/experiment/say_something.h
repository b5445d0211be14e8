// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/model/sampling.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace tfm {
class Error;
}
namespace tfm::train {
struct AnsweredQuestion;
}

namespace tfm::ui {

class FieldForm;
class ModelDocument;
class Style;
class TokenLine;

/// A text for the model and what it makes of it. Tasks with an answer are answered live while
/// training goes on; a language model writes on when it is asked to, token by token.
class SaySomething : public QWidget {
  Q_OBJECT

 public:
  SaySomething(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  QLineEdit& input() { return *input_; }
  QLabel& problem() { return *problem_; }
  TokenLine& answer() { return *answer_; }
  QPushButton& writeButton() { return *write_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeWriting();
  bool writesText() const;
  void showModel();
  void showProblem();
  void showLiveAnswer();
  void showAnswer(const train::AnsweredQuestion& answer);
  void clearAnswer();
  void write();
  void showWriting(const train::AnsweredQuestion& answer, bool finished);
  void endWriting();
  void sendWants();
  void updateSizes();

  const Style& style_;
  ModelDocument& document_;
  SamplingOptions options_{.temperature = 0.8, .top_k = 0, .top_p = 0.95};
  QLineEdit* input_;
  QLabel* problem_;
  FieldForm* sampling_;
  QPushButton* write_;
  QPushButton* stop_;
  QProgressBar* progress_;
  QWidget* writing_;
  TokenLine* answer_;
  QVBoxLayout* column_;
};

}  // namespace tfm::ui
