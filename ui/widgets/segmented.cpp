// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented.h"

#include <QButtonGroup>
#include <QKeyEvent>
#include <QPushButton>

#include "core/base/check.h"
#include "ui/style/style.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

Segmented::Segmented(const Style& style, const QStringList& choices, QWidget* parent)
    : QWidget(parent),
      style_(style),
      group_(new QButtonGroup(this)),
      row_(bareLayout<QHBoxLayout>(this)) {
  check(!choices.isEmpty(), "there is something to choose");
  for (int i = 0; i < choices.size(); ++i) {
    auto* button = new QPushButton(choices[i]);
    setRole(*button, "segment");
    button->setCheckable(true);
    group_->addButton(button, i);
    row_->addWidget(button);
  }
  row_->addStretch(1);
  group_->button(0)->setChecked(true);
  connect(group_, &QButtonGroup::idToggled, this, [this](int choice, bool down) {
    if (down) emit currentChanged(choice);
  });
  style_.follow(this, [this] { row_->setSpacing(style_.px(8)); });
}

int Segmented::current() const { return group_->checkedId(); }

void Segmented::setCurrent(int choice) {
  QAbstractButton* button = group_->button(choice);
  check(button != nullptr, "the choice exists");
  button->setChecked(true);
}

void Segmented::clearCurrent() {
  QAbstractButton* down = group_->checkedButton();
  if (down == nullptr) return;
  group_->setExclusive(false);
  down->setChecked(false);
  group_->setExclusive(true);
}

void Segmented::setChoiceText(int choice, const QString& text) {
  group_->button(choice)->setText(text);
}

void Segmented::setChoiceToolTip(int choice, const QString& text) {
  group_->button(choice)->setToolTip(text);
}

void Segmented::setChoiceEnabled(int choice, bool enabled) {
  group_->button(choice)->setEnabled(enabled);
}

void Segmented::setChoiceVisible(int choice, bool visible) {
  group_->button(choice)->setVisible(visible);
}

void Segmented::keyPressEvent(QKeyEvent* event) {
  // The buttons handle Left and Right but not Home and End.
  const bool home = event->key() == Qt::Key_Home;
  if (!home && event->key() != Qt::Key_End) return QWidget::keyPressEvent(event);
  QAbstractButton* button = home ? group_->buttons().first() : group_->buttons().last();
  if (!button->isEnabled()) return;
  button->setFocus(Qt::TabFocusReason);
  button->setChecked(true);
}

}  // namespace tfm::ui
