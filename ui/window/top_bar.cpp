// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/top_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <array>
#include <utility>

#include "ui/style/style.h"
#include "ui/widgets/controls.h"

namespace tfm::ui {

TopBar::TopBar(const Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      row_(new QHBoxLayout(this)),
      name_(new QLabel(tr("Transformarium"))),
      screens_(new QButtonGroup(this)),
      in_force_(new QToolButton),
      document_(new QLabel),
      menu_(iconButton(style, "menu", tr("Menu"), "flat")),
      inspector_(iconButton(style, "side-right", tr("Show the right side: the numbers"), "flat")) {
  setRole(*this, "panel");
  setRole(*name_, "strong");
  setRole(*document_, "muted");
  row_->setSizeConstraint(QLayout::SetNoConstraint);  // fit() sees to that
  menu_->setPopupMode(QToolButton::InstantPopup);
  menu_->setMenu(new QMenu(menu_));
  menu_->hide();
  row_->addWidget(menu_);
  row_->addWidget(name_);
  setRole(*in_force_, "chip");
  in_force_->setIcon(style_.icon("warning"));
  in_force_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  in_force_->setToolTip(tr("Answers and pictures are not those of the model alone. Show the list"));
  in_force_->setFocusPolicy(Qt::TabFocus);
  connect(in_force_, &QToolButton::clicked, this, &TopBar::interventionsRequested);
  row_->addWidget(in_force_);
  in_force_->hide();
  // Shrinks if the bar is full; the screens never do.
  document_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  document_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row_->addWidget(document_, 1);
  inspector_->setToolTip(
      tr("%1 (%2)", "what a button does and its key").arg(inspector_->accessibleName(), "F8"));
  connect(inspector_, &QToolButton::clicked, this,
          [this] { emit inspectorAsked(!inspector_->property("shown").toBool()); });
  row_->addWidget(inspector_);
  connect(screens_, &QButtonGroup::idClicked, this, &TopBar::screenChosen);
  style_.follow(this, [this] { updateSizes(); });
}

void TopBar::setInspectorShown(bool shown) {
  inspector_->setProperty("shown", shown);
  inspector_->setAccessibleDescription(shown ? tr("shown") : tr("hidden"));
  setRole(*inspector_, shown ? "flat" : "");
}

void TopBar::setMenus(const QList<QAction*>& menus) { menu_->menu()->addActions(menus); }

void TopBar::setMenuShown(bool shown) {
  menu_->setVisible(shown);
  fit();
}

void TopBar::addScreen(const QString& name, const QString& icon) {
  const int screen = int(screens_->buttons().size());
  auto* button = new QToolButton;
  button->setIcon(style_.icon(icon));
  button->setCheckable(true);
  button->setAccessibleName(name);
  setRole(*button, "tab");
  screens_->addButton(button, screen);
  setLocked(screen, {});
  row_->insertWidget(row_->indexOf(in_force_), button);
  fit();
}

void TopBar::fit() {
  // The program's name goes before a message needs a third line, the keys before it has no room.
  constexpr std::array<double, 4> kRest{430, 300, 0, 0};
  if (std::exchange(fitting_, true)) return;  // hiding widgets resizes the bar at once
  for (int brief = 0; brief <= 3; ++brief) {
    name_->setVisible(brief == 0);
    for (QAbstractButton* each : screens_->buttons()) {
      const int key = screens_->id(each) + 1;
      const QString name = each->accessibleName();
      each->setText(brief < 2 ? tr("%1  %2", "screen and its number key").arg(name).arg(key)
                              : name);
      static_cast<QToolButton*>(each)->setToolButtonStyle(brief < 3 ? Qt::ToolButtonTextOnly
                                                                    : Qt::ToolButtonIconOnly);
    }
    if (row_->minimumSize().width() + style_.px(kRest[std::size_t(brief)]) <= width()) break;
  }
  fitting_ = false;
}

QSize TopBar::minimumSizeHint() const {
  return {style_.px(280), QFrame::minimumSizeHint().height()};
}

void TopBar::setLocked(int screen, const QString& why) {
  QAbstractButton& button = *screens_->button(screen);
  button.setProperty("locked", !why.isEmpty());
  setRole(button, "tab");
  button.setAccessibleDescription(why);
  button.setToolTip(
      !why.isEmpty() ? why
                     : tr("Show the screen %1 (%2)").arg(button.accessibleName()).arg(screen + 1));
}

void TopBar::setExam(bool is_running) { setRole(*this, is_running ? "exam" : "panel"); }

bool TopBar::isLocked(int screen) const {
  return screens_->button(screen)->property("locked").toBool();
}

void TopBar::setCurrent(int screen) { screens_->button(screen)->setChecked(true); }

void TopBar::setDocument(const QString& name, bool modified) {
  document_name_ = modified ? tr("%1 — edited").arg(name) : name;
  showDocument();
}

void TopBar::setInForce(int count) {
  const QString words =
      count == 1 ? tr("1 What-if change active") : tr("%1 What-if changes active").arg(count);
  in_force_->setText(words);
  in_force_->setAccessibleName(words);
  in_force_->setVisible(count > 0);
  fit();
  row_->activate();
  showDocument();
  emit roomChanged();
}

QRect TopBar::room() const {
  QRect room = contentsRect();
  room.setLeft(document_->geometry().left());
  room.setRight(document_->geometry().right());
  return room;
}

void TopBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
  row_->activate();
  showDocument();
  emit roomChanged();
}

void TopBar::showDocument() {
  document_->setText(document_->fontMetrics().elidedText(document_name_, Qt::ElideMiddle,
                                                         document_->contentsRect().width()));
  document_->setToolTip(document_name_);
  document_->setAccessibleName(document_name_);
}

void TopBar::updateSizes() {
  row_->setContentsMargins(style_.px(6), style_.px(3), style_.px(6), style_.px(3));
  row_->setSpacing(style_.px(8));
  name_->setContentsMargins(0, 0, style_.px(14), 0);
  for (QAbstractButton* button : findChildren<QAbstractButton*>())
    button->setIconSize(QSize(style_.iconSize(), style_.iconSize()));
  fit();
  showDocument();
}

}  // namespace tfm::ui
