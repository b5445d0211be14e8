// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/ask/what_if_answers.h"
#include "core/base/error.h"
#include "ui/document/latest_job.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// The interventions, each with its switch, and the model's answer to the question without and with
/// those in force: answer, probabilities, loss, and accuracy while training is paused.
class WhatIfPanel : public View {
  Q_OBJECT

 public:
  WhatIfPanel(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  int rowCount() const { return int(rows_.size()); }
  QCheckBox& switchOf(int row) const { return *rows_[std::size_t(row)].on; }
  QToolButton& removeButton(int row) const { return *rows_[std::size_t(row)].remove; }
  QPushButton& clearButton() const { return *clear_; }
  const TokenLine& without() const { return *without_; }
  const TokenLine& with() const { return *with_; }
  const QLabel& numbers() const { return *numbers_; }
  const QLabel& problem() const { return *problem_; }

 protected:
  Need need() const override;
  void shown() override { ask(); }

 private:
  struct Row {
    QWidget* all;
    QCheckBox* on;
    QLabel* words;
    QToolButton* edit;
    QToolButton* remove;
    QLabel* problem;
  };
  struct Made {
    std::optional<train::WhatIfAnswers> answers;
    std::optional<Error> problem;
  };

  Row makeRow(std::size_t entry);
  void showList();
  /// Proposes an intervention to begin with: the first head off.
  void propose();
  void edit(std::size_t entry);
  void ask();
  void take(const Made& made, const QString& unseen);

  const Style& style_;
  ModelDocument& document_;
  std::vector<Row> rows_;
  QVBoxLayout* list_;
  QPushButton* add_;
  QPushButton* clear_;
  QWidget* answers_;
  QLabel* title_without_;
  TokenLine* without_;
  QLabel* title_with_;
  TokenLine* with_;
  QLabel* numbers_;
  QLabel* problem_;
  LatestJob job_{this};
};

}  // namespace tfm::ui
