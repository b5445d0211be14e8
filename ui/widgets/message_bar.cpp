// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"

namespace tfm::ui {

MessageBar::MessageBar(const Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      sign_(new QLabel),
      what_(wrappedLabel("strong")),
      details_(wrappedLabel("muted")),
      action_(new QPushButton),
      close_(new QToolButton),
      row_(new QHBoxLayout(this)) {
  setRole(*this, "card");
  setRole(*close_, "small");
  for (QLabel* label : {what_, details_}) {
    label->setTextFormat(Qt::PlainText);  // file names may look like markup
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  close_->setIcon(style.icon("close"));
  close_->setAccessibleName(tr("Close"));
  close_->setToolTip(tr("Close (Esc)"));

  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  words->addWidget(what_);
  words->addWidget(details_);
  row_->addWidget(sign_, 0, Qt::AlignTop);
  row_->addLayout(words, 1);
  row_->addWidget(action_, 0, Qt::AlignVCenter);
  row_->addWidget(close_, 0, Qt::AlignTop);

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
  what_->setText(message.what);
  QStringList details;
  if (!message.where.isEmpty()) details += message.where;
  if (!message.hint.isEmpty()) details += message.hint;
  details_->setText(details.join('\n'));
  details_->setVisible(!details.isEmpty());
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
  row_->setContentsMargins(style_.px(14), style_.px(4), style_.px(8), style_.px(4));
  row_->setSpacing(style_.px(12));
}

}  // namespace tfm::ui
