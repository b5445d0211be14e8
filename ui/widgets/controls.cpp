// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls.h"

#include <QLineEdit>

#include "ui/figure/number_box.h"
#include "ui/style/style.h"

namespace tfm::ui {

namespace {

template <class Box, class Number>
Box* boxFor(const Style& style, const QString& name, Number least, Number most) {
  auto* box = new Box;
  box->setRange(least, most);
  box->setAccessibleName(name);
  box->template findChild<QLineEdit*>()->setAccessibleName(name);  // it has the focus
  style.follow(box, [box, &style] { box->setFont(style.numberFont(12)); });
  return box;
}

}  // namespace

QSpinBox* numberBox(const Style& style, const QString& name, int least, int most, int value) {
  auto* box = boxFor<NumberBox>(style, name, least, most);
  box->setValue(value);
  return box;
}

QDoubleSpinBox* realBox(const Style& style, const QString& name, double least, double most) {
  return boxFor<RealBox>(style, name, least, most);
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
