// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/document/forward.h"
#include "ui/study/curves_dialog.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Compares models on the document's task: the open one, presets, saved ones. All get as many
/// steps, operations or seconds as the first.
class CompareDialog : public CurvesDialog {
  Q_OBJECT

 public:
  CompareDialog(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  train::StudyConfig config() const override;
  /// Adds a model, with a number in its name if that is taken. A model that cannot learn the task
  /// is not added, and the reason is shown.
  void addPreset(const std::string& preset);
  void addFile(const QString& path);
  /// Adds the open model, as of when the dialog was opened: untrained, or with its current weights.
  void addOpen();
  void addTrained();
  /// Removes the current model.
  void removeModel();
  QListWidget& models() const { return *models_; }
  QComboBox& measured() const { return *measured_; }
  Segmented& equal() const { return *equal_; }
  QCheckBox& sameStart() const { return *same_start_; }

 protected:
  std::vector<std::string> armNames() const override;
  QString whyNot() const override;
  void setChoicesEnabled(bool enabled) override;

 private:
  QWidget* makeButtons();
  void fillPresets(QMenu& menu);
  void askForFile();
  void add(const std::function<train::StudyArm()>& make);
  void rename(int row);
  void showModels(int current);
  void showMeasured();
  /// How much of the models' first weights is the same.
  void showShared();
  QString freeName(const QString& name, int but = -1) const;

  ModelDocument& document_;
  const std::shared_ptr<const data::Task> task_;
  const train::TrainConfig shared_;  ///< by all models
  std::vector<train::StudyArm> arms_;
  QWidget* choices_;
  QListWidget* models_;
  QLabel* problem_;      ///< why the last model could not be added
  QComboBox* measured_;  ///< the submodel of the current model that is measured
  Segmented* equal_;
  QCheckBox* same_start_;
  QLabel* shared_words_;
};

}  // namespace tfm::ui
