// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "ui/views/experiment/new_run.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace tfm {
class Error;
}

namespace tfm::ui {

class FieldForm;
class ModelDocument;
class Section;
class Style;

/// Starts another run: what it learns, what the model is, what that costs. Says at once what cannot
/// be, and can only be accepted when everything fits.
class NewRunDialog : public QDialog {
  Q_OBJECT

 public:
  NewRunDialog(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  QComboBox& tasks() { return *tasks_; }
  QComboBox& presets() { return *presets_; }
  FieldForm& modelForm() { return *model_form_; }
  QLineEdit& file() { return *file_; }
  QLabel& sample() { return *sample_; }
  QLabel& cost() { return *cost_; }
  QLabel& problem() { return *problem_; }
  QPushButton& startButton() { return *start_; }

  /// Starts the run and closes once it is there; stays open and says why if it cannot be.
  void accept() override;

 private:
  QWidget* makeTaskColumn();
  QWidget* makeModelColumn();
  QWidget* makeFileRow();
  QWidget* makeFoot();
  void chooseTask(int row);
  void choosePreset(int row);
  void chooseFile();
  void prepareTask();
  void showTask();
  void fillPresets();
  void showModelRows();
  void review();
  void say(const std::optional<Error>& problem);
  void setBusy(bool busy);

  const Style& style_;
  ModelDocument& document_;
  NewRun run_;
  std::shared_ptr<const data::Task> task_;  ///< null while it is made or cannot be
  int preparation_ = 0;                     ///< number of the newest
  std::vector<const Preset*> able_;

  QComboBox* tasks_;
  QLabel* task_sentence_;
  QLabel* sample_;
  QLineEdit* file_;
  QWidget* file_row_;
  Section* task_section_;
  FieldForm* task_form_ = nullptr;
  QComboBox* presets_;
  QLabel* preset_sentence_;
  FieldForm* model_form_;
  FieldForm* train_form_;
  QLineEdit* seed_;
  QLabel* cost_;
  QLabel* problem_;
  QProgressBar* progress_;
  QPushButton* start_;
};

}  // namespace tfm::ui
