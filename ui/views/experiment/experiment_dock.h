// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/data/task_config.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// The experiment: the task, the model, its training, and an input for it.
class ExperimentDock : public SideZone {
  Q_OBJECT

 public:
  ExperimentDock(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Opens the dialog for a new run; `learned`: the proposed task, by default that of the document.
  NewRunDialog* changeModel(const std::optional<data::TaskConfig>& learned = {});
  /// Sets the action of the button for a new run; by default it opens the dialog.
  void setChangeAction(std::function<void()> action) { change_action_ = std::move(action); }

  TrainingForm& training() { return *training_; }
  SaySomething& saySomething() { return *say_; }
  WhatIfPanel& whatIf() { return *what_if_; }

 signals:
  /// The user wants the model to continue the question.
  void writeRequested();
  /// The user wants to see the documents that the program grew out of.
  void sourcesRequested();

 private:
  QWidget* makeCard();
  QWidget* makeModel();
  QWidget* makeLoss();
  void showModel();
  void showNumbers();
  void remember(const data::TaskConfig& learned);

  std::vector<data::TaskConfig> learned_;  ///< by earlier runs, the last of each kind
  std::function<void()> change_action_ = [this] { changeModel(); };
  Style& look_;
  ModelDocument& document_;
  QLabel* task_;
  QLabel* sentence_;
  QPushButton* give_;  ///< a model without a task gets one
  QLabel* architecture_;
  QLabel* parameters_;
  SizeScale* size_;
  QGridLayout* numbers_;
  Segmented* loss_;
  QWidget* loss_section_;
  TrainingForm* training_;
  SaySomething* say_;
  WhatIfPanel* what_if_;
};

}  // namespace tfm::ui
