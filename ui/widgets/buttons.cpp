// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/buttons.h"

#include "ui/style/style.h"

namespace tfm::ui {

QPushButton* pushButton(const QString& text, const QString& tip, const char* role) {
  auto* button = new QPushButton(text);
  button->setToolTip(tip);
  setRole(*button, role);
  return button;
}

QToolButton* iconButton(const Style& style, const QString& icon, const QString& name,
                        const char* role) {
  auto* button = new QToolButton;
  setRole(*button, role);
  button->setIcon(style.icon(icon));
  button->setAccessibleName(name);
  button->setToolTip(name);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace tfm::ui
