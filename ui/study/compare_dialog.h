// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/forward.h"
#include "ui/study/curves_dialog.h"

namespace tfm::ui {

/// Compares any models on the document's task: the open one, presets, saved ones. The first is the
/// one whose steps, operations or seconds the others get as much of.
class CompareDialog : public CurvesDialog {
  Q_OBJECT

 public:
  CompareDialog(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  train::StudyConfig config() const override;
  /// Adds a model, under another name where there is one of that name. One that cannot learn the
  /// task is not added, and the reason is shown.
  void addPreset(const std::string& preset);
  void addFile(const QString& path);
  /// The open model as it was when this was made: new, or with the weights that it has now.
  void addOpen();
  void addTrained();
  /// Removes the current one.
  void removeModel();
  QListWidget& models() const { return *models_; }
  QComboBox& measured() const { return *measured_; }
  Segmented& equal() const { return *equal_; }

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
  QString freeName(const QString& name, int but = -1) const;

  ModelDocument& document_;
  const std::shared_ptr<const data::Task> task_;
  const train::TrainConfig shared_;  ///< by all models
  std::vector<train::StudyArm> arms_;
  QWidget* choices_;
  QListWidget* models_;
  QLabel* problem_;      ///< why the last one could not be added
  QComboBox* measured_;  ///< as which of its nested submodels the current one is
  Segmented* equal_;
};

}  // namespace tfm::ui
