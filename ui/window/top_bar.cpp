// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/top_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/style/style.h"

namespace tfm::ui {

TopBar::TopBar(const Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      row_(new QHBoxLayout(this)),
      name_(new QLabel(tr("Transformarium"))),
      screens_(new QButtonGroup(this)),
      document_(new QLabel) {
  setRole(*this, "panel");
  setRole(*name_, "strong");
  setRole(*document_, "muted");
  row_->addWidget(name_);
  // Gives way where the line is full: the screens never do.
  document_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  document_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row_->addWidget(document_, 1);
  connect(screens_, &QButtonGroup::idClicked, this, &TopBar::screenChosen);
  connect(&style_, &Style::changed, this, &TopBar::updateSizes);
  updateSizes();
}

void TopBar::addScreen(const QString& name) {
  const int screen = int(screens_->buttons().size());
  auto* button = new QToolButton;
  button->setText(tr("%1  %2", "screen and its number key").arg(name).arg(screen + 1));
  button->setCheckable(true);
  button->setToolTip(tr("Show the screen %1 (%2)").arg(name).arg(screen + 1));
  button->setAccessibleName(name);
  setRole(*button, "tab");
  screens_->addButton(button, screen);
  row_->insertWidget(row_->indexOf(document_), button);
}

void TopBar::setCurrent(int screen) { screens_->button(screen)->setChecked(true); }

void TopBar::setDocument(const QString& name, bool modified) {
  document_name_ = modified ? tr("%1 — edited").arg(name) : name;
  showDocument();
}

QRect TopBar::room() const {
  QRect room = contentsRect();
  room.setLeft(document_->geometry().left());
  room.setRight(document_->geometry().right());
  return room;
}

void TopBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  row_->activate();
  showDocument();
}

void TopBar::showDocument() {
  document_->setText(document_->fontMetrics().elidedText(document_name_, Qt::ElideMiddle,
                                                         document_->contentsRect().width()));
  document_->setToolTip(document_name_);
  document_->setAccessibleName(document_name_);
}

void TopBar::updateSizes() {
  row_->setContentsMargins(style_.px(14), style_.px(3), style_.px(14), style_.px(3));
  row_->setSpacing(style_.px(8));
  name_->setContentsMargins(0, 0, style_.px(14), 0);
  showDocument();
}

}  // namespace tfm::ui
