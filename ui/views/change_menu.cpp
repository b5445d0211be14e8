// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/change_menu.h"

#include "core/ask/top_texts.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

void addChangeActions(QMenu& menu, ModelDocument& document, const std::string& target,
                      const QString& off, double value) {
  using Kind = observe::Intervention::Kind;
  Interventions& changes = document.interventions();
  QAction* switched = menu.addAction(off, &changes, [&changes, target] { changes.toggle(target); });
  switched->setCheckable(true);
  switched->setChecked(changes.isOff(target));
  const auto add = [&](const QString& text, Kind kind, double number,
                       void (Interventions::*take)(const observe::Intervention&)) {
    const observe::Intervention change = changeOf(target, kind, number);
    observe::Intervention tried = change;
    if (kind == Kind::Patch) tried.text = document.observing().question().toStdString();
    if (problemOf([&] { changes.require(tried); })) return;
    menu.addAction(text, &changes, [&changes, take, change] { (changes.*take)(change); });
  };
  add(QMenu::tr("Set it to its mean"), Kind::Mean, 0.0, &Interventions::putInForce);
  add(QMenu::tr("Set it to..."), Kind::Set, value, &Interventions::propose);
  add(QMenu::tr("Multiply it by..."), Kind::Scale, 0.5, &Interventions::propose);
  add(QMenu::tr("Copy from another text..."), Kind::Patch, 0.0, &Interventions::propose);
  if (document.task() == nullptr || !train::hasTopTexts(document.training().model(), target))
    return;
  menu.addSeparator();
  Observing& observing = document.observing();
  menu.addAction(QMenu::tr("Texts that excite it most..."), &observing,
                 [&observing, target] { observing.wantTopTexts(target); });
}

}  // namespace tfm::ui
