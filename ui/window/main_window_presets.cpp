// SPDX-License-Identifier: GPL-3.0-or-later
// The models that come with the program, untrained: presets, and recipes of the source documents.
#include <QMenu>
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/document/untrained.h"
#include "core/model/presets.h"
#include "ui/document/model_document.h"
#include "ui/study/sources_dialog.h"
#include "ui/views/experiment/new_run.h"
#include "ui/views/shape/shape_view.h"
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

void MainWindow::openSource(const reproduce::Source& source, int screen,
                            const std::string& preset) {
  const bool recipe = preset.empty() || preset == source.preset;
  const std::string name = recipe ? std::string(source.name) : preset;
  const QString title =
      recipe ? QString::fromUtf8(source.title) : presetSentence(presetNamed(preset));
  const auto back = [this] { showSources(); };
  const auto show = [this, screen] {
    sources().hide();  // the model is behind it; the message leads back
    showScreen(screen);
  };
  if (screen == kShape && !recipe) {  // may be too large to open
    show();
    shape_->showPreset(preset);
    return say({MessageKind::Good,
                title,
                {},
                tr("Only its outlines; the open model stays open."),
                tr("Its numbers"),
                back});
  }
  if (opened_ == name) return show();
  openUntrained(
      [&source, preset, recipe] {
        return recipe ? reproduce::recipeOf(source) : train::untrained(presetNamed(preset));
      },
      [this, &source, name, title, back, show] {
        opened_ = name;
        if (!source.question.empty())
          document_.observing().setQuestion(QString::fromUtf8(source.question));
        show();
        sayUntrained(title, tr("Its numbers"), back);
      });
}

void MainWindow::openPreset(const Preset& preset) {
  openUntrained([&preset] { return train::untrained(preset); },
                [this, &preset] { sayUntrained(presetSentence(preset)); });
}

void MainWindow::openUntrained(std::function<train::Document()> make, std::function<void()> then) {
  if (!document_.mayReplace()) return;
  document_.openInBackground(std::move(make),
                             [this, then = std::move(then)](const std::optional<Error>& problem) {
                               if (!problem) return then();
                               note_.stop();
                               messages_->showError(*problem);
                             });
}

void MainWindow::sayUntrained(const QString& title, const QString& action,
                              std::function<void()> run) {
  const bool numbers = document_.codec().featureWidth() > 0;
  QString state = tr("Untrained. Press Space to train it.");
  if (document_.task() == nullptr)
    state = tr("Untrained and without a task: it can be viewed, grown and exported.");
  else if (numbers && document_.task()->config().answers_input)
    state =
        tr("Untrained. Each letter stands for a row of random numbers. Press Space to train it to "
           "reproduce them.");
  else if (numbers)
    state =
        tr("Untrained. Each letter stands for a row of random numbers. Press Space to train it to "
           "answer them with others.");
  say({MessageKind::Good, title, {}, state, action, std::move(run)});
}

void MainWindow::addPresets(QMenu& menu) {
  struct Family {
    QString name;
    std::vector<std::string_view> prefixes;
    QMenu* menu = nullptr;
  };
  std::vector<Family> families{
      {tr("&Source documents"), {"annotated", "encoder-layer", "expansions", "matformer"}},
      {tr("&Funnel-Transformer"), {"funnel"}},
      {tr("&DeLighT"), {"delight"}},
      {tr("S&mall models"), {""}}};
  for (Family& family : families) family.menu = menu.addMenu(family.name);
  for (const Preset& preset : presets()) {
    const auto holds = [&](const Family& family) {
      return std::ranges::any_of(family.prefixes, [&](std::string_view prefix) {
        return preset.name.starts_with(prefix);
      });
    };
    QAction* action = std::ranges::find_if(families, holds)
                          ->menu->addAction(QString::fromUtf8(preset.name), this,
                                            [this, &preset] { openPreset(preset); });
    action->setToolTip(presetSentence(preset));
  }
  for (const Family& family : families) family.menu->setToolTipsVisible(true);
}

}  // namespace tfm::ui
