// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "core/train/patch_map.h"
#include "ui/document/map_study.h"
#include "ui/forward.h"
#include "ui/heatmap/heat_data.h"

namespace tfm::ui {

using PatchStudy = MapStudy<train::PatchMap>;

/// Where the answer to one text comes from: its states are patched into the run on another text,
/// one position and layer at a time, and the map shows how probable the answer becomes there. In
/// the background; the map fills row by row. Not modal. Closing it while it runs cancels; closing
/// it again closes it.
class PatchDialog : public QDialog {
  Q_OBJECT

 public:
  PatchDialog(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  PatchStudy& study() { return *study_; }
  StudyControls& run() { return *run_; }
  QLineEdit& from() { return *from_; }
  QLineEdit& into() { return *into_; }
  Segmented& measures() { return *measures_; }
  HeatMapView& map() { return *map_; }
  void reject() override;

 private:
  void start();
  void showMap();
  QString sentence() const;
  /// Why the texts cannot be patched; empty if they can.
  QString whyNot() const;

  ModelDocument& document_;
  PatchStudy* study_;
  QLineEdit* from_;
  QLineEdit* into_;
  StudyControls* run_;
  Panel* panel_;
  Segmented* stacks_;
  Segmented* measures_;
  HeatMapView* map_;
  std::vector<observe::Intervention> in_force_;  ///< while it was measured
};

/// The rows of one stack, a column for each position: the probability of the first text's answer,
/// or what is added to its logit. Rows that are not measured yet are masked.
HeatMap patchHeatMap(const train::PatchMap& map, Stack stack, bool logits);

}  // namespace tfm::ui
