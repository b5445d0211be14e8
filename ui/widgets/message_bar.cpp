// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

#include "core/base/error.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

MessageBar::MessageBar(const Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      sign_(new QLabel),
      what_(wrappedLabel("strong")),
      details_(wrappedLabel("muted")),
      news_(new ElidedLabel("strong", 1)),
      more_(new ElidedLabel("muted", 1)),
      action_(new QPushButton),
      close_(iconButton(style, "close", tr("Close"), "small")),
      row_(new QHBoxLayout(this)) {
  setRole(*this, "card");
  for (QLabel* label : {what_, details_}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  close_->setToolTip(tr("Close (Esc)"));

  addParts(row_, {{sign_, 0, Qt::AlignTop},
                  {columnOf(style, 0, {what_, details_, news_, more_}), 1},
                  {action_, 0, Qt::AlignVCenter},
                  {close_, 0, Qt::AlignTop}});

  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
  connect(action_, &QPushButton::clicked, this, [this] {
    // The action may show the next message, so this one goes first.
    const std::function<void()> action = message_.onAction;
    hide();
    if (action) action();
  });
  connect(&style_, &Style::changed, this, &MessageBar::updateLook);
  hide();
}

void MessageBar::showMessage(const Message& message) {
  message_ = message;
  const bool good = message.kind == MessageKind::Good;
  QStringList details;
  if (!message.where.isEmpty()) details += message.where;
  if (!message.hint.isEmpty()) details += message.hint;
  setOrHide(*what_, good ? QString() : message.what);
  setOrHide(*details_, good ? QString() : details.join('\n'));
  setOrHide(*news_, good ? message.what : QString());
  setOrHide(*more_, good ? details.join(' ') : QString());
  action_->setText(message.action);
  action_->setVisible(!message.action.isEmpty());
  setAccessibleName(message.what);
  setAccessibleDescription(details.join(". "));
  updateLook();
  show();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void MessageBar::showError(const Error& error) {
  showMessage({.kind = MessageKind::Error,
               .what = QString::fromStdString(error.problem()),
               .where = QString::fromStdString(error.where()),
               .hint = QString::fromStdString(error.hint())});
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  hide();
}

void MessageBar::updateLook() {
  const Palette& palette = style_.palette();
  const bool good = message_.kind == MessageKind::Good;
  const QColor colour = good                                    ? palette.good
                        : message_.kind == MessageKind::Warning ? palette.text
                                                                : palette.bad;
  const QSize size(style_.iconSize(), style_.iconSize());
  const QIcon icon = style_.icon(good ? "check" : "warning", colour);
  sign_->setPixmap(icon.pixmap(size, devicePixelRatioF()));
  close_->setIconSize(QSize(style_.px(14), style_.px(14)));
  const int edge = style_.px(good ? 1 : 4);  // two lines are as high as the window's bar
  row_->setContentsMargins(style_.px(14), edge, style_.px(8), edge);
  row_->setSpacing(style_.px(12));
}

}  // namespace tfm::ui
