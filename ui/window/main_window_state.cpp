// SPDX-License-Identifier: GPL-3.0-or-later
// What a document keeps of the window, and its history of edits.
#include <QMenu>

#include "ui/document/model_document.h"
#include "ui/document/screens.h"
#include "ui/views/kept_fields.h"
#include "ui/views/view.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/zones.h"

namespace tfm::ui {
namespace {

constexpr const char* kPanels = "Panels";

/// What is kept beside the screens.
struct PanelsShown {
  bool left = true, right = true;
  Chosen chosen;
};

std::vector<io::Field> fieldsOf(PanelsShown& s) {
  const io::TextSlot chosen{[&s] { return textOf(s.chosen); },
                            [&s](const std::string& text) { s.chosen = chosenFrom(text); }};
  return {{"left", "The left panel is open", io::SwitchSlot{&s.left}},
          {"right", "The right panel is open", io::SwitchSlot{&s.right}},
          {"chosen", "What all screens have locked or chosen", chosen}};
}

}  // namespace

void MainWindow::keepIn(train::WindowState& window) const {
  window.screen = kScreens[std::size_t(screen())].name;
  for (std::size_t i = 0; i < screens_.size(); ++i)
    if (std::string part = screens_[i]->kept(); !part.empty())
      window.parts[std::string(kScreens[i].name)] = std::move(part);
  PanelsShown panels{zones_->isShown(Zones::kLeft), zones_->isShown(Zones::kRight),
                     document_.selection().choice()};
  window.parts[kPanels] = io::toJson(fieldsOf(panels));
}

void MainWindow::reopen(const train::WindowState& window) {
  attempt([&] {
    for (std::size_t i = 0; i < screens_.size(); ++i)
      if (const auto part = window.parts.find(std::string(kScreens[i].name));
          part != window.parts.end())
        screens_[i]->restore(part->second, part->first);
    if (const auto screen = screenNamed(window.screen)) showScreen(*screen);
    const auto part = window.parts.find(kPanels);
    if (part == window.parts.end()) return;
    PanelsShown panels;
    io::fromJson(fieldsOf(panels), part->second, kPanels);
    // A narrow window may have room for one of them only.
    if (panels.left != zones_->isShown(Zones::kLeft)) zones_->ask(Zones::kLeft, panels.left);
    if (panels.right != zones_->isShown(Zones::kRight)) zones_->ask(Zones::kRight, panels.right);
    document_.selection().choose(panels.chosen);
  });
}

void MainWindow::fillHistory(QMenu& menu) {
  menu.clear();
  Changes& changes = document_.changes();
  const auto report = [this](const std::optional<Error>& problem) {
    if (problem) messages_->showError(*problem);
  };
  const QStringList undo = changes.undoTexts(), redo = changes.redoTexts();
  const auto add = [&](const QString& text) {
    return menu.addAction(QString(text).replace(u'&', QStringLiteral("&&")));
  };
  // The oldest first, as they were made; choosing one goes to the time right after it.
  add(tr("As it was opened"));
  for (const QString& text : undo) add(text);
  const qsizetype now = undo.size();
  for (auto text = redo.rbegin(); text != redo.rend(); ++text) add(*text);
  const QList<QAction*> actions = menu.actions();
  for (qsizetype i = 0; i < actions.size(); ++i) {
    actions[i]->setCheckable(true);
    actions[i]->setChecked(i == now);
    connect(actions[i], &QAction::triggered, this, [&changes, report, steps = i - now] {
      for (qsizetype step = steps; step < 0; ++step) changes.undo(report);
      for (qsizetype step = steps; step > 0; --step) changes.redo(report);
    });
  }
}

}  // namespace tfm::ui
