// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/patch_map.h"
#include "ui/views/experiment/map_dialog.h"

namespace tfm::ui {

using PatchStudy = MapStudy<train::PatchMap>;

/// Where the answer to one text comes from: its states are patched into the run on another text,
/// one position and layer at a time, and the map shows how probable the answer becomes there.
class PatchDialog : public MapDialog {
  Q_OBJECT

 public:
  PatchDialog(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  PatchStudy& study() const { return static_cast<PatchStudy&>(*study_); }
  QLineEdit& from() { return *from_; }
  QLineEdit& into() { return *into_; }

 private:
  void start() override;
  void showMap() override;
  QString sentence() const;
  /// Why the texts cannot be patched; empty if they can.
  QString whyNot() const;

  QLineEdit* from_;
  QLineEdit* into_;
  Segmented* stacks_;
};

/// The rows of one stack, a column for each position: the probability of the first text's answer,
/// or what is added to its logit. Rows that are not measured yet are masked.
HeatMap patchHeatMap(const train::PatchMap& map, Stack stack, bool logits);

}  // namespace tfm::ui
