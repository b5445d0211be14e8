// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/flow/flow_answers.h"
#include "ui/views/flow/flow_maker.h"
#include "ui/views/flow/flow_shown.h"
#include "ui/views/forward.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The Flow screen: the running model as a diagram that can be opened part by part, where each
/// number comes from, and what reads it.
class FlowView : public View {
  Q_OBJECT

 public:
  FlowView(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// What it is made of.
  struct Parts {
    FlowInspector* numbers;
    FlowTrail* trail;
    FlowPictures* pictures;
    FlowDiagram* diagram;
    FlowLens* lens;
    FlowStepper* stepper;
    Segmented* sides;
    Section* text;  ///< the question and its answer
    TokenLine* answer;
  };
  const Parts& parts() const { return parts_; }
  /// The run that is shown; null until the first is there.
  const std::shared_ptr<FlowRun>& run() const { return maker_.run(); }
  bool isReady() const { return run() != nullptr && !maker_.isBusy(); }

  const FlowShown& state() const { return shown_; }
  /// Shows this, as soon as there is a run for it.
  void setState(FlowShown state);
  /// Goes to a number: opens the part that contains it, locks it and adds it to the trail.
  void go(const observe::NumberPlace& place);
  /// Goes to what decides the answer at a position: its probability, or its logit.
  void askWhy(int position);
  /// From the present number along the largest terms, down to a token or a weight.
  void traceToInput();

 protected:
  Need need() const override;
  void shown() override;
  void hidden() override { maker_.drop(); }
  QWidget* picture() const override;
  /// Without the left side, the answer and the path of a number are above the diagram.
  void leftShown(bool shown) override;

 private:
  Parts makeParts(const Style& style);
  void connectAll();
  void forget();
  /// Another look at the model: offers what can be compared, and makes a run.
  void takeSnapshot();
  void takeRun(const std::shared_ptr<FlowRun>& before, bool gradients);
  /// Draws shown_; of its number, only what has changed since `before`, unless the run is new.
  void render(const FlowShown& before, bool new_run = false);
  /// Locks a number, here and in the other screens.
  void see(const observe::NumberPlace& place);
  /// Previews the number under the pointer.
  void preview(int item);
  void walk();
  /// Goes to what another screen has chosen.
  void followChoice();

  ModelDocument& document_;
  FlowMaker maker_;
  FlowShown shown_;
  bool reopened_ = false;  ///< the open parts are those of a document
  bool awaits_ = false;    ///< the number is to be gone to once there is a run for it
  std::string model_;      ///< the paths of the map that is open, as one text
  const Parts parts_;
  FlowChanges* changes_;
  Panel* panel_;
};

}  // namespace tfm::ui
