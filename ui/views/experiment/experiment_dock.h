// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/data/task_config.h"
#include "ui/widgets/side_zone.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace tfm::ui {

class ModelDocument;
class NewRunDialog;
class SaySomething;
class Segmented;
class SizeScale;
class TrainingForm;

/// The experiment: what is on the table, how it is trained, and a word with it.
class ExperimentDock : public SideZone {
  Q_OBJECT

 public:
  ExperimentDock(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Opens the dialog that starts another run; `learnt`: what it proposes to learn, else the task
  /// that is open.
  NewRunDialog* changeModel(const std::optional<data::TaskConfig>& learnt = {});
  /// What the button for another run does; at first it opens the dialog.
  void setChangeAction(std::function<void()> action) { change_action_ = std::move(action); }

  TrainingForm& training() { return *training_; }
  SaySomething& saySomething() { return *say_; }

 signals:
  /// The model is to write on from the question.
  void writeWanted();

 private:
  QWidget* makeCard();
  QWidget* makeModel();
  QWidget* makeLoss();
  void showModel();
  void showNumbers();
  void remember(const data::TaskConfig& learnt);
  void updateSizes();

  std::vector<data::TaskConfig> learnt_;  ///< by new runs, the last of each kind
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
};

}  // namespace tfm::ui
