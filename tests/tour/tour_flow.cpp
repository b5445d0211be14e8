// SPDX-License-Identifier: GPL-3.0-or-later
// From an answer back to a letter, and forward again.
#include <QElapsedTimer>

#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

/// Of the number that the way has come to.
QString nameOf(const FlowView& flow) {
  return FlowWords::number(*flow.run(), *flow.parts().trail->present());
}

}  // namespace

void Tour::followANumber() {
  const int screen = window_.screen();
  FlowView& flow = window_.flow();
  FlowDiagram& diagram = *flow.parts().diagram;
  document_.observing().setQuestion("there");
  QElapsedTimer clock;
  clock.start();
  window_.showScreen(kFlow);
  await("the model runs on the text", [&] { return flow.isReady(); });
  measure("open_flow_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  picture("flow");
  // Why "u", the second letter of the answer?
  flow.askWhy(1);
  check(diagram.lockedItem() >= 0, "the logit of an answer is locked");
  check(!flow.parts().numbers->terms().empty(), "a logit has terms");
  check(nameOf(flow) == "logit of u, after g", "it is that of u");
  picture("flow-why");
  onProjector("flow-why-in-class");
  flow.traceToInput();
  const std::size_t way = flow.parts().trail->places().size();
  check(way > 4, "the way leads down the model");
  check(nameOf(flow) == "token h", "it ends at the letter h");
  check(flow.parts().trail->summary().contains("looks at h"), "in short, as a head looks at it");
  picture("flow-way");
  flow.parts().trail->back();
  flow.parts().trail->back();
  check(flow.parts().trail->places().size() == way, "going back keeps the way");
  flow.parts().trail->forward();
  flow.parts().trail->forward();
  // And forward, by what reads it.
  constexpr std::size_t kForward = 4;
  for (std::size_t i = 0; i < kForward; ++i) {
    const auto readers = readersOf(*flow.run(), *flow.parts().trail->present());
    check(!readers.empty(), "something reads " + nameOf(flow));
    if (!readers.empty()) flow.go(readers.front());
  }
  check(flow.parts().trail->places().size() == way,
        "what reads the letter leaves the way as it is");
  check(flow.parts().trail->present() != flow.parts().trail->places().back(), "and leads forward");
  picture("flow-forward");
  // Into the attention that reads the encoder.
  const TensorId shares =
      flow.run()->program().find("decoder.layers.0.cross_attention.probabilities");
  if (shares != kNoTensor) {
    flow.go({shares, 1, 1, false});
    check(diagram.lockedItem() >= 0, "a number inside an attention is shown");
    picture("flow-attention");
    diagram.setZoom(2.5, diagram.itemRect(diagram.lockedItem()).center());
    picture("flow-numbers");
    diagram.setZoom(1.0, {});
  }
  Robot::press(diagram, Qt::Key_Escape);
  for (int i = 0; i < 12; ++i) flow.parts().stepper->next();
  check(flow.parts().stepper->step() == 11U, "steps follow each other");
  picture("flow-step");
  flow.parts().stepper->leave();
  FlowShown shown = flow.state();
  shown.choose(FlowShown::Numbers::Gradients);
  flow.setState(shown);
  await("the gradients are computed", [&] { return flow.isReady() && flow.run()->hasGradients(); });
  picture("flow-gradients");
  shown = flow.state();
  shown.choose(FlowShown::Numbers::Values);
  shown.lens = true;
  flow.setState(shown);
  await("the lens is computed", [&] { return flow.isReady() && !flow.run()->lens().empty(); });
  picture("flow-lens");
  shown = flow.state();
  shown.lens = false;
  flow.setState(shown);
  document_.selection().clear();
  window_.showScreen(screen);
}

}  // namespace tfm::ui
