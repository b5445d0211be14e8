// SPDX-License-Identifier: GPL-3.0-or-later
// Interventions: their flag on every screen, their list, and studies made of them.
#include "ui/document/model_document.h"
#include "ui/views/experiment/importance_dialog.h"
#include "ui/views/experiment/patch_dialog.h"
#include "ui/views/experiment/top_texts_dialog.h"
#include "ui/views/experiment/what_if_dialog.h"
#include "ui/views/experiment/what_if_form.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/top_bar.h"

namespace tfm::ui {

void MainWindow::connectInterventions() {
  Interventions& interventions = document_.interventions();
  connect(top_, &TopBar::interventionsRequested, this, &MainWindow::showInterventions);
  const auto flag = [this] { top_->setInForce(int(document_.interventions().inForce().size())); };
  connect(&interventions, &Interventions::changed, this, flag);
  flag();
  connect(&document_.observing(), &Observing::topTextsWanted, this, &MainWindow::showTopTexts);
  const auto say_lost = [this](int count) {
    say({MessageKind::Warning,
         count == 1 ? tr("A change does not fit this model and is no longer active")
                    : tr("%1 changes do not fit this model and are no longer active").arg(count),
         {},
         tr("The list keeps it, in case a model that it fits is shown again."),
         tr("Show the list"),
         [this] { showInterventions(); }});
  };
  // Later, as what else becomes of another model hides messages.
  connect(&interventions, &Interventions::lost, this, say_lost, Qt::QueuedConnection);
  connect(&interventions, &Interventions::proposed, this,
          [this](const observe::Intervention& draft) {
            auto* form = new WhatIfForm(style_, document_, draft, std::nullopt, this);
            form->setAttribute(Qt::WA_DeleteOnClose);
            form->open();
          });
}

WhatIfDialog& MainWindow::whatIf() {
  if (!what_if_) what_if_ = new WhatIfDialog(style_, document_, this);
  what_if_->setAttribute(Qt::WA_DeleteOnClose);
  return *what_if_;
}

void MainWindow::showInterventions() {
  if (refuses(tr("What if"))) return;
  whatIf().show();
  whatIf().raise();
}

bool MainWindow::sayTrainedWithout() {
  const std::size_t count = document_.interventions().inForce().size();
  if (count == 0) return false;
  say({MessageKind::Warning,
       count == 1 ? tr("Training runs without the active change")
                  : tr("Training runs without the %1 active changes").arg(count),
       {},
       tr("Answers and pictures show the trained model with them."),
       tr("Switch off"),
       [this] { document_.interventions().switchAllOff(); }});
  return true;
}

void MainWindow::measureImportance() {
  if (refuses(tr("Importance of parts"))) return;
  if (document_.task() == nullptr) return document_.training().wantTask();
  auto* dialog = new ImportanceDialog(style_, document_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->showMeasured();
}

void MainWindow::showTopTexts(const std::string& target) {
  auto* dialog = new TopTextsDialog(style_, document_, target, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void MainWindow::patchTexts() {
  if (refuses(tr("Patch one text into another"))) return;
  if (!document_.isOpen()) return;
  auto* dialog = new PatchDialog(style_, document_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->showMeasured();
}

}  // namespace tfm::ui
