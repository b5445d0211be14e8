// SPDX-License-Identifier: GPL-3.0-or-later
// The documents that the program grew out of: their list, and their recipes as documents.
#include "ui/document/model_document.h"
#include "ui/study/sources_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/window_files.h"

namespace tfm::ui {

SourcesDialog& MainWindow::sources() {
  if (sources_ == nullptr) {
    sources_ = new SourcesDialog(style_, this);
    connect(sources_, &SourcesDialog::openRequested, this,
            [this](const reproduce::Source& source) { openSource(source, kAttention); });
    connect(sources_, &SourcesDialog::seeRequested, this, &MainWindow::openSource);
  }
  return *sources_;
}

void MainWindow::showSources() {
  sources().show();
  sources().raise();
}

void MainWindow::openSource(const reproduce::Source& source, int screen) {
  const auto show = [this, screen] {
    sources().hide();  // the model is behind it; the message leads back
    showScreen(screen);
  };
  if (opened_source_ == &source) return show();
  // Asks only about what is too large for undo.
  if (document_.isOpen() && !document_.changes().fitsBudget() && !files_->maybeSave()) return;
  const auto done = [this, &source, show](const std::optional<Error>& problem) {
    if (problem) {
      note_.stop();
      return messages_->showError(*problem);
    }
    opened_source_ = &source;
    if (!source.question.empty())
      document_.observing().setQuestion(QString::fromUtf8(source.question));
    show();
    sayOpened(source);
  };
  document_.openInBackground([&source] { return reproduce::recipeOf(source); }, done);
}

void MainWindow::sayOpened(const reproduce::Source& source) {
  say({MessageKind::Good,
       QString::fromUtf8(source.title),
       {},
       document_.codec().featureWidth() > 0 ? tr("Untrained. Each letter stands for a row of "
                                                 "random numbers. Press Space to train it "
                                                 "to answer them with others.")
                                            : tr("Untrained. Press Space to train it."),
       tr("Its numbers"),
       [this] { showSources(); }});
}

}  // namespace tfm::ui
