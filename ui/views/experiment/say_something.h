// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

namespace tfm::ui {

/// An input for the model and, for tasks with an answer, its answer during training. For a language
/// model, whose text needs more room, it emits writeRequested().
class SaySomething : public View {
  Q_OBJECT

 public:
  SaySomething(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  PromptField& input() { return *input_; }
  QLabel& problem() { return *problem_; }
  TokenLine& answer() { return *answer_; }
  QPushButton& writeButton() { return *write_; }

 signals:
  /// The user wants the model to continue the question.
  void writeRequested();

 protected:
  Need need() const override;

 private:
  bool writesText() const;
  void showModel();
  void showProblem();
  void showLiveAnswer();
  void clearAnswer();

  ModelDocument& document_;
  PromptField* input_;
  QLabel* problem_;
  QPushButton* write_;
  TokenLine* answer_;
};

}  // namespace tfm::ui
