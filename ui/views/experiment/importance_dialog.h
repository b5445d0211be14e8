// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>
#include <vector>

#include "core/train/importance.h"
#include "ui/document/map_study.h"
#include "ui/forward.h"
#include "ui/heatmap/cell_places.h"
#include "ui/heatmap/heat_data.h"

namespace tfm::ui {

using ImportanceStudy = MapStudy<train::ImportanceMap>;

/// What each head, group of neurons or layer is worth: accuracy lost, or loss added, when it is
/// switched off alone. Measured in the background; the map fills while it is. Not modal. Closing it
/// while it runs cancels; closing it again closes the window.
class ImportanceDialog : public QDialog {
  Q_OBJECT

 public:
  ImportanceDialog(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  ImportanceStudy& study() { return *study_; }
  StudyControls& run() { return *run_; }
  Segmented& measures() { return *measures_; }
  HeatMapView& map() { return *map_; }
  /// Switches the part off whose cell is locked.
  QPushButton& offButton() { return *off_; }
  void reject() override;

 private:
  void start();
  void showMap();
  void showCell();
  void switchOff();
  /// The unit of a cell; null if there is none.
  const train::UnitImportance* unitAt(const std::optional<Cell>& cell) const;
  QString sentence() const;

  ModelDocument& document_;
  ImportanceStudy* study_;
  Segmented* kinds_;
  QCheckBox* mean_;
  StudyControls* run_;
  Panel* panel_;
  Segmented* measures_;
  HeatMapView* map_;
  std::vector<observe::Intervention> in_force_;  ///< while it was measured
  QPushButton* off_;
};

/// A row for each block with units, or layer, and a column for each of its units. Cells that have
/// no unit, or are not measured yet, are masked.
HeatMap importanceHeatMap(const train::ImportanceMap& map, bool loss);

}  // namespace tfm::ui
