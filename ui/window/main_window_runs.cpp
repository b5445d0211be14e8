// SPDX-License-Identifier: GPL-3.0-or-later
// How a run begins: with the demonstration, with Play, and with what is said about it.
#include <utility>

#include "ui/document/demonstration.h"
#include "ui/document/model_document.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

namespace tfm::ui {

void MainWindow::openDemonstration() {
  if (screen() == kElastic) return openElasticExample(true);
  attempt([this] {
    document_.adopt(demonstration());
    document_.observing().setQuestion(QStringLiteral("there"));
  });
  demonstrating_ = document_.isOpen();
  say({MessageKind::Good,
       tr("This network has learnt rot13: every letter moves on by 13 places."),
       {},
       tr("“there” becomes “gurer”. Press Space to make it forget and learn again.")});
}

void MainWindow::endDemonstration() {
  if (std::exchange(demonstrating_, false)) messages_->hide();
}

void MainWindow::togglePlay() {
  if (demonstrating_) {
    // The trained model forgets: the same first weights, and learning starts in front of you.
    endDemonstration();
    document_.changes().reset();
    transport_->startSlowly();
    document_.training().play();
  } else {
    document_.training().togglePlay();
  }
}

void MainWindow::startOver(bool new_seed) {
  // What is too large for undo is asked about.
  if (!document_.isOpen() || (!document_.changes().fitsBudget() && !mayLeaveDocument())) return;
  new_seed ? document_.changes().newSeed() : document_.changes().reset();
}

void MainWindow::sayHowItRuns() {
  const std::int64_t end = document_.training().config().stop.steps;
  if (transport_->isSlow())
    showNote(tr("It begins slowly, so that you can watch."),
             tr("Press } or drag Speed below to make it faster."));
  else if (end > 0 && document_.training().step() >= end)
    showNote(tr("It was to stop at step %L1 and goes on.").arg(end),
             tr("It trains until you pause it."));
}

}  // namespace tfm::ui
