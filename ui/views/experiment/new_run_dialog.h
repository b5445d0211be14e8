// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/experiment/new_run.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Starts another run: what it learns, what the data is like, what the model is, what that costs.
/// An open model without a task can be kept: then the run is its first. An open encoder can begin
/// another task with its weights (fine-tuning). Reports problems at once, and can only be accepted
/// when there are none.
class NewRunDialog : public QDialog {
  Q_OBJECT

 public:
  /// `learned`: by earlier runs, at most one of each kind of task, proposed again.
  NewRunDialog(const Style& style, ModelDocument& document,
               std::vector<data::TaskConfig> learned = {}, QWidget* parent = nullptr);

  /// The chosen task.
  const data::TaskConfig& learned() const { return run_.task; }

  RunColumns& columns() { return *columns_; }
  TaskColumn& task() { return *task_; }
  DataSummary& data() { return *data_; }
  QComboBox& presets() { return *presets_; }
  FieldForm& modelForm() { return *model_form_; }
  /// Where to compute.
  DeviceChooser& device() { return *device_; }
  QLabel& cost() { return *cost_; }
  QLabel& problem() { return *problem_; }
  QPushButton& startButton() { return *start_; }

  /// Starts the run and closes; on failure stays open and shows why.
  void accept() override;

 private:
  QWidget* makeColumns(std::vector<data::TaskConfig> learned);
  void makeStart();
  void makeModel();
  QWidget* makeFoot();
  void showTask();
  void choosePreset(int row);
  void fillPresets();
  void keepModel();
  int keptRow() const;
  bool tunes() const;
  void showModelRows();
  void review();
  void say(const std::optional<Error>& problem);
  void setBusy(bool busy);

  const Style& style_;
  ModelDocument& document_;
  NewRun run_;
  const bool taskless_;              ///< the open model has no task
  const bool keepable_;              ///< it has none, or can begin another
  bool keeps_ = false;               ///< the open model is kept and trained
  std::vector<const Preset*> able_;  ///< those that can learn the task
  bool filled_ = false;              ///< a task of the chosen kind was made

  RunColumns* columns_;
  TaskColumn* task_;
  DataSummary* data_;
  QComboBox* presets_;
  QLabel* preset_sentence_;
  FieldForm* model_form_;
  FieldForm* train_form_;
  std::uint64_t seed_before_ = 0;  ///< it was edited
  ValueLine* seed_;
  DeviceChooser* device_;
  QLabel* cost_;
  QLabel* problem_;
  QProgressBar* progress_;
  QPushButton* start_;
};

}  // namespace tfm::ui
