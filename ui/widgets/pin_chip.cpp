// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pin_chip.h"

#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

PinChip::PinChip(const Style& style, const QString& text, QWidget* parent)
    : QFrame(parent),
      style_(style),
      pin_(new QLabel),
      text_(new QLabel),
      close_(new QToolButton),
      row_(new QHBoxLayout(this)) {
  setRole(*this, "chip");
  setRole(*close_, "small");
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  addParts(row_, {pin_, text_, close_});
  close_->setIcon(style.icon("close"));
  connect(close_, &QToolButton::clicked, this, &PinChip::closed);
  setText(text);
  style_.follow(this, [this] { updateSizes(); });
}

void PinChip::setText(const QString& text) {
  text_->setText(text);
  setAccessibleName(text);
  close_->setAccessibleName(tr("Unpin %1").arg(text));
  close_->setToolTip(tr("Unpin"));
}

void PinChip::reserveWidthFor(const QString& text) {
  widest_ = text;
  updateSizes();
}

void PinChip::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Delete) return QFrame::keyPressEvent(event);
  emit closed();
}

void PinChip::updateSizes() {
  const QSize size(style_.px(14), style_.px(14));
  pin_->setPixmap(style_.icon("pin", style_.palette().mark).pixmap(size, devicePixelRatioF()));
  close_->setIconSize(size);
  text_->ensurePolished();
  text_->setMinimumWidth(text_->fontMetrics().horizontalAdvance(widest_));
  row_->setContentsMargins(style_.px(10), style_.px(2), style_.px(4), style_.px(2));
  row_->setSpacing(style_.px(6));
}

}  // namespace tfm::ui
