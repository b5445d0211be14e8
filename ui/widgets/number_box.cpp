// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_box.h"

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

}  // namespace tfm::ui
