// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/document/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The controls of Mix'n'Match and the progress of its measurements.
class MixPanel : public QWidget {
  Q_OBJECT

 public:
  MixPanel(const Style& style, SubmodelExplorer& explorer, QWidget* parent = nullptr);

  QPushButton* frontButton() const { return front_; }
  QPushButton* budgetButton() const { return choose_; }
  QSpinBox& budget() { return *budget_; }

 private:
  void showModel();
  void showProgress();

  SubmodelExplorer& explorer_;
  QPushButton *uniform_, *random_, *front_, *choose_, *cancel_, *forget_;
  QSpinBox* budget_;
  QProgressBar* progress_;
  QLabel* state_;
};

}  // namespace tfm::ui
