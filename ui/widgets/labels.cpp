// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/labels.h"

#include <QVBoxLayout>

#include "ui/style/style.h"

namespace tfm::ui {

SectionLabel::SectionLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setRole(*this, "label");
}

QLabel* wrappedLabel(const char* role, const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  setRole(*label, role);
  return label;
}

NumberLabel::NumberLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setRole(*this, "number");
  setTextInteractionFlags(Qt::TextSelectableByMouse);
}

NamedNumber::NamedNumber(const Style& style, const QString& name, QWidget* parent)
    : QWidget(parent), style_(style), number_(new QLabel) {
  auto* caption = new QLabel(name);
  setRole(*caption, "caption");
  number_->setAccessibleName(name);
  number_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(caption);
  layout->addWidget(number_);
  connect(&style_, &Style::changed, this, &NamedNumber::updateSizes);
  updateSizes();
}

void NamedNumber::setText(const QString& number) { number_->setText(number); }

QString NamedNumber::text() const { return number_->text(); }

void NamedNumber::setTone(const char* tone) {
  setRole(*number_, tone ? tone : "");
  updateSizes();  // a new role makes the label forget its font
}

void NamedNumber::keepRoomFor(const QString& number) {
  longest_ = number;
  updateSizes();
}

void NamedNumber::updateSizes() {
  const QFont font = style_.numberFont(15);
  number_->setFont(font);
  if (!longest_.isEmpty()) setMinimumWidth(QFontMetrics(font).horizontalAdvance(longest_));
}

}  // namespace tfm::ui
