// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome.h"

#include <QLabel>
#include <QPushButton>

#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

Welcome::Welcome(const Style& style, const std::vector<Door>& doors, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Welcome"));
  auto* row = rowOf(style, 12, {});
  for (const Door& door : doors) {
    auto* card = new QFrame;
    setRole(*card, "card");
    auto* icon = new QLabel;
    icon->setPixmap(style.icon(door.icon, style.palette().accent).pixmap(style.px(32)));
    auto* button = pushButton(door.button, door.sentence, "primary");
    button->setAccessibleDescription(door.sentence);
    auto* column = columnOf(style, 10,
                            {icon, wrappedLabel("title", door.title),
                             wrappedLabel("", door.sentence), kStretch, button});
    const int edge = style.px(16);
    column->setContentsMargins(edge, edge, edge, edge);
    card->setLayout(column);
    card->setFixedWidth(style.px(230));
    card->setMinimumHeight(style.px(230));
    row->addWidget(card);
    connect(button, &QPushButton::clicked, this, [this, open = door.open] {
      accept();
      open();
    });
  }
  auto* later = pushButton(tr("Skip"), tr("Help, Welcome shows this again (Esc)"), "flat");
  connect(later, &QPushButton::clicked, this, &Welcome::reject);
  addParts(new QVBoxLayout(this),
           {wrappedLabel("title", tr("Train small transformers and see what happens inside")), row,
            rowOf(style, 8, {kStretch, later})});
}

}  // namespace tfm::ui
