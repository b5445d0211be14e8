// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/forward.h"
#include "ui/plots/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {

/// Loss and accuracy over all steps of the document's training, on one x axis that can be zoomed,
/// with a mark at the shown moment and a flag at each event.
class LearningCurves : public Panel {
  Q_OBJECT

 public:
  LearningCurves(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  PlotStack& plots() const { return *plots_; }
  LinePlot& loss() const;
  LinePlot& accuracy() const;
  /// In percent.
  int smoothing() const;
  void setSmoothing(int percent);
  /// Hides the smoothing control, or its label, where the panel is too narrow for it: the title
  /// stays on one line.
  void setRoom(int width);

 private:
  QWidget* makeTools();
  void showModel();
  void showTitle();
  void showMoment();
  void showFlags();
  void refill();
  /// Adds the measurements from these places of the history on.
  void append(int first, int first_evaluation);

  Style& style_;
  ModelDocument& document_;
  PlotStack* plots_;
  QSlider* smoothing_ = nullptr;  // these two are made by makeTools()
  QLabel* smoothing_text_ = nullptr;
};

}  // namespace tfm::ui
