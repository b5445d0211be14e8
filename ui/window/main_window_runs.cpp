// SPDX-License-Identifier: GPL-3.0-or-later
// How a run starts: the built-in models, Play, and the notes about it.
#include <QFileDialog>
#include <functional>
#include <utility>
#include <vector>

#include "core/backend/registry.h"
#include "ui/document/demonstration.h"
#include "ui/document/latest_job.h"
#include "ui/document/model_document.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/settings.h"
#include "ui/window/window_files.h"

namespace tfm::ui {

void MainWindow::openDemonstration() {
  if (screen() == kElastic) return openElasticExample(true);
  attempt([this] { document_.adopt(demonstration()); });
  demonstrating_ = document_.isOpen();
  say({MessageKind::Good,
       tr("It has learned rot13: every letter moves by 13 places."),
       {},
       tr("“there” becomes “gurer”. Press Space to train it anew.")});
}

void MainWindow::openElasticExample(bool facts) {
  attempt([&] {
    document_.adopt(demonstration(facts ? Demonstration::Facts : Demonstration::Sentiment));
    if (facts)
      document_.observing().setQuestion(
          "kim gave noah");  // a fact that only the whole model remembers
    demonstrating_ = true;
    elastic_->mixOnceReady();
    say({MessageKind::Good,
         facts ? tr("This network remembers who gave whom what.")
               : tr("This network tells praise from blame."),
         {},
         tr("Press Space to train it from scratch."),
         tr("Back to rot13"),
         [this] {
           if (!document_.mayReplace()) return;
           showScreen(kAttention);
           openDemonstration();
         }});
  });
}

void MainWindow::startNewRun(const std::optional<data::TaskConfig>& learned) {
  if (refuses(tr("New run"))) return;
  connect(dock_->changeModel(learned), &QDialog::accepted, this, [this] {
    showScreen(kTrain);
    document_.training().play();
  });
}

void MainWindow::choosePluginFolder() {
  const QString folder = QFileDialog::getExistingDirectory(
      this, tr("A folder with device plugins: libraries transformarium_NAME.so"),
      settings_.pluginFolder());
  if (folder.isEmpty()) return;
  settings_.setPluginFolder(folder);
  addPluginFolder(folder.toStdString());
  const auto show = [this, folder](const std::vector<FoundDevice>& found) {
    QStringList devices;
    for (const FoundDevice& device : found)
      devices << (device.obstacle.empty() ? QString::fromStdString(device.name)
                                          : tr("%1 (cannot run here: %2)")
                                                .arg(QString::fromStdString(device.name),
                                                     QString::fromStdString(device.obstacle)));
    say({MessageKind::Good, tr("Devices: %1").arg(devices.join(", ")), folder,
         tr("New run offers those that can run.")});
  };
  inBackground<std::vector<FoundDevice>>(this, findDevices, show);
}

void MainWindow::endDemonstration() {
  if (std::exchange(demonstrating_, false)) messages_->hide();
}

void MainWindow::togglePlay() {
  if (refuses(tr("Play"))) return;
  if (demonstrating_) {
    // Restarts the trained model from its initial weights, so that the user can watch it learn.
    endDemonstration();
    document_.changes().reset();
    transport_->startSlowly();
    document_.training().play();
  } else {
    document_.training().togglePlay();
  }
}

void MainWindow::stepOnce() {
  if (!refuses(tr("One step"))) document_.training().stepOnce();
}

void MainWindow::startOver(bool new_seed) {
  if (refuses(tr("Start over")) || (new_seed && refuses(tr("Start over with a new seed")))) return;
  // Asks only about what is too large for undo.
  if (!document_.isOpen() || (!document_.changes().fitsBudget() && !document_.mayReplace())) return;
  new_seed ? document_.changes().newSeed() : document_.changes().reset();
}

void MainWindow::showRunNote() {
  if (sayTrainedWithout()) return;
  const std::int64_t end = document_.training().config().stop.steps;
  if (transport_->isSlow())
    showNote(tr("Training starts slowly so that you can watch."),
             tr("Press } or drag Speed below to speed it up."));
  else if (end > 0 && document_.training().step() >= end)
    showNote(tr("Training continues past step %1, where it was to stop.").arg(end),
             tr("It runs until you pause it."));
}

}  // namespace tfm::ui
