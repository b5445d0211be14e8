// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/ask/importance.h"
#include "ui/heatmap/cell_places.h"
#include "ui/views/experiment/map_dialog.h"

namespace tfm::ui {

using ImportanceStudy = MapStudy<train::ImportanceMap>;

/// What each head, group of neurons or layer is worth: accuracy lost, or loss added, when it is
/// switched off alone.
class ImportanceDialog : public MapDialog {
  Q_OBJECT

 public:
  ImportanceDialog(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  ImportanceStudy& study() const { return static_cast<ImportanceStudy&>(*study_); }
  /// Switches the part off whose cell is locked.
  QPushButton& offButton() { return *off_; }

 private:
  void start() override;
  void showMap() override;
  void showCell();
  QString sentence() const;
  void switchOff();
  /// The unit of a cell; null if there is none.
  const train::UnitImportance* unitAt(const std::optional<Cell>& cell) const;

  Segmented* kinds_;
  QCheckBox* mean_;
  QPushButton* off_;
};

/// A row for each block with units, or layer, and a column for each of its units. Cells that have
/// no unit, or are not measured yet, are masked.
HeatMap importanceHeatMap(const train::ImportanceMap& map, bool loss);

}  // namespace tfm::ui
