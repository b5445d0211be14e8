// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/figure/forward.h"
#include "ui/style/forward.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/flow/flow_shown.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The middle of Flow: the diagram or the logit lens, above it where one is, below it the walk.
class FlowPictures : public QWidget {
  Q_OBJECT

 public:
  /// `trail` must outlive this.
  FlowPictures(const Style& style, const FlowTrail& trail, QWidget* parent = nullptr);

  FlowDiagram& diagram() const { return *diagram_; }
  FlowStepper& stepper() const { return *stepper_; }
  FlowLens& lens() const { return *lens_; }
  /// The picture that is shown: as a widget and as a figure.
  QWidget& picture() const;
  const Figure& figure() const;
  report::Source source() const;

  /// Another run, or none.
  void setRun(const std::shared_ptr<FlowRun>& run);
  /// Draws what is shown. `fits`: the run is the one for it; else the side stays until it comes.
  void render(const FlowShown& shown, bool fits);
  /// Opens the parts around a number, and shows its head. False if it is not drawn even then.
  bool openFor(FlowOpened& opened, const observe::NumberPlace& place);
  bool isDrawn(const observe::NumberPlace& place) const;
  /// Takes the answer of the text to the line above the picture; takes ownership.
  void addAnswer(QWidget& answer);

 signals:
  void lensToggled(bool shown);
  /// -1: all heads.
  void headChosen(int head);
  /// The number that one came from was requested.
  void backRequested();
  /// A part of the line above the diagram was chosen: a node of the map, or, with the left side
  /// hidden, a row of the trail.
  void wayChosen(int at);

 private:
  void showWay(const FlowShown& shown);
  void showHeads(const FlowOpen& open);

  const FlowTrail& trail_;
  std::shared_ptr<FlowRun> run_;
  QWidget* place_;  ///< the parts around what is shown, and the head
  QToolButton* back_;
  QLabel* way_;
  QLabel* head_name_;
  QSpinBox* head_;
  QStackedWidget* pictures_;
  FlowDiagram* diagram_;
  FlowLens* lens_;
  FlowStepper* stepper_;
  Segmented* modes_;
};

}  // namespace tfm::ui
