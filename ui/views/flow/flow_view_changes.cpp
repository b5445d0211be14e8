// SPDX-License-Identifier: GPL-3.0-or-later
// What if a part of the diagram were different?
#include <QCursor>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>

#include "core/base/error.h"
#include "ui/document/model_document.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_parts.h"
#include "ui/views/flow/flow_view.h"

namespace tfm::ui {
namespace {

using observe::Intervention;

constexpr int kNearPointer = 4;  // pixels

Intervention madeOf(const std::string& target, Intervention::Kind kind, double number = 0.0) {
  Intervention change;
  change.target = target;
  change.kind = kind;
  change.number = number;
  return change;
}

}  // namespace

void FlowView::addChanges() {
  auto* off = new QShortcut(Qt::Key_O, this);
  off->setWhatsThis(tr("Switch what is locked off, or on again"));
  connect(off, &QShortcut::activated, this, [this] {
    const auto parts = partsOfItem(diagram_->currentItem());
    if (!parts.empty()) document_.interventions().toggle(parts.front().target);
  });
  diagram_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(diagram_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    // Under the pointer or, if a key asked for it, the current item.
    const QPoint pointer = diagram_->viewport()->mapFromGlobal(QCursor::pos());
    const bool near = (pointer - place).manhattanLength() <= kNearPointer;
    const int under = near ? diagram_->itemUnder(place) : -1;
    const int item = under >= 0 ? under : diagram_->currentItem();
    showPartsMenu(item, diagram_->viewport()->mapToGlobal(place));
  });
  connect(numbers_, &FlowInspector::whatIfRequested, this, [this](const QPoint& place) {
    if (const auto& now = numbers_->shownPlace()) showPartsMenu(partsFor(*now), *now, place);
  });
}

std::vector<FlowPart> FlowView::possible(std::vector<FlowPart> parts) const {
  std::erase_if(parts, [this](const FlowPart& part) {
    try {
      document_.interventions().require(madeOf(part.target, Intervention::Kind::Set));
      return false;
    } catch (const Error&) {
      return true;
    }
  });
  return parts;
}

std::vector<FlowPart> FlowView::partsFor(const observe::NumberPlace& place) const {
  return run_ ? possible(partsAt(*run_, place)) : std::vector<FlowPart>{};
}

std::vector<FlowPart> FlowView::partsOfItem(int item) const {
  if (!run_ || item < 0) return {};
  if (const auto place = diagram_->numberOf(item)) return partsFor(*place);
  return possible(partsAt(*run_, diagram_->partOf(item)));
}

void FlowView::showPartsMenu(int item, const QPoint& place) {
  showPartsMenu(partsOfItem(item), diagram_->numberOf(item), place);
}

void FlowView::showPartsMenu(const std::vector<FlowPart>& parts,
                             const std::optional<observe::NumberPlace>& number,
                             const QPoint& place) {
  if (parts.empty()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSection(tr("What if it were different?"));
  const Interventions& changes = document_.interventions();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    QString name = parts[i].name;
    name.replace(0, 1, name.first(1).toUpper());
    QMenu* part = menu->addMenu(name);
    // A number becomes another from what it is; a larger part from 0.
    const bool single = i == 0 && number.has_value();
    const double value = single ? numbers_->valueAt(run_, *number) : 0.0;
    const bool off =
        changes.find(madeOf(parts[i].target, Intervention::Kind::Set)).has_value();
    fillPartMenu(*part, parts[i].target, off, value);
  }
  menu->popup(place);
}

void FlowView::fillPartMenu(QMenu& menu, const std::string& target, bool off, double value) {
  Interventions& changes = document_.interventions();
  QAction* switched = menu.addAction(tr("Switch it off"), this,
                                     [&changes, target] { changes.toggle(target); });
  switched->setCheckable(true);
  switched->setChecked(off);
  // What cannot be done with it is left out.
  const auto add = [&](const QString& text, const Intervention& change, const auto& run) {
    Intervention tried = change;
    if (tried.kind == Intervention::Kind::Patch)
      tried.text = document_.observing().question().toStdString();
    try {
      changes.require(tried);
    } catch (const Error&) {
      return;
    }
    menu.addAction(text, this, [run, change] { run(change); });
  };
  const auto force = [&changes](const Intervention& change) { changes.putInForce(change); };
  const auto ask = [&changes](const Intervention& change) { changes.propose(change); };
  add(tr("Set it to its mean"), madeOf(target, Intervention::Kind::Mean), force);
  add(tr("Set it to..."), madeOf(target, Intervention::Kind::Set, value), ask);
  add(tr("Multiply it by..."), madeOf(target, Intervention::Kind::Scale, 0.5), ask);
  add(tr("As for another text..."), madeOf(target, Intervention::Kind::Patch), ask);
}

}  // namespace tfm::ui
