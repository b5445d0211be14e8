// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls.h"

#include <QLineEdit>
#include <QSpinBox>

#include "ui/style/style.h"

namespace tfm::ui {

QSpinBox* numberBox(const Style& style, const QString& name, int least, int most, int value) {
  auto* box = new QSpinBox;
  box->setRange(least, most);
  box->setValue(value);
  box->setGroupSeparatorShown(true);
  box->setAccessibleName(name);
  box->findChild<QLineEdit*>()->setAccessibleName(name);  // it has the focus
  style.follow(box, [box, &style] { box->setFont(style.numberFont(12)); });
  return box;
}

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
