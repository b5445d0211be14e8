// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>
#include <vector>

#include "core/document/export_format.h"
#include "ui/style/forward.h"
#include "ui/window/forward.h"

namespace tfm::ui {

/// Hands a model to other programs: a choice of formats, what opens each, whether it has this
/// model, and what is left out. Shows `document` as it was when the dialog opened.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `name`: of the document, for a proposed path. All but it must outlive this.
  ExportDialog(const Style& style, std::shared_ptr<const train::Document> document,
               const QString& name, QWidget* window);

  /// Shows what a format would write. Requires a row of train::exportFormats().
  void choose(std::size_t format);
  /// Writes the chosen format and closes; with an error it says so and stays. False: it has none.
  bool writeTo(const QString& path);

 private:
  void askAndWrite();
  void showTensors();
  const train::ExportFormat& format() const { return train::exportFormats()[chosen_]; }

  const Style& style_;
  const std::shared_ptr<const train::Document> document_;
  const QString name_;
  std::size_t chosen_ = 0;
  std::optional<train::ExportPlan> plan_;  ///< null: the format does not have the model
  std::vector<QRadioButton*> choices_;
  QLabel *family_, *left_out_;
  QPushButton *tensors_, *save_;
};

}  // namespace tfm::ui
