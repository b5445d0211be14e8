// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/side_zone.h"

#include <QScrollArea>
#include <algorithm>

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

SideZone::SideZone(const Style& style, double least, QWidget* parent)
    : QFrame(parent), style_(style), least_(least), column_(new QVBoxLayout) {
  setRole(*this, "panel");
  auto* content = new QFrame;
  setRole(*content, "panel");
  content->setLayout(column_);
  column_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  setLayout(columnOf({scroll}));
  style_.follow(this, [this] {
    column_->setContentsMargins(style_.px(14), style_.px(14), style_.px(14), style_.px(14));
    column_->setSpacing(style_.px(16));
    updateGeometry();
  });
}

void SideZone::add(QWidget* section, bool fills) {
  column_->insertWidget(column_->count() - 1, section, fills ? 1 : 0);
  if (fills) column_->setStretch(column_->count() - 1, 0);
}

Section* SideZone::addSection(const QString& label, std::initializer_list<QWidget*> parts,
                              const QString& sentence) {
  auto* section = new Section(style_, label, sentence);
  for (QWidget* part : parts) section->add(part);
  add(section);
  return section;
}

QSize SideZone::sizeHint() const { return {style_.px(std::max(least_, 256.0)), style_.px(600)}; }

QSize SideZone::minimumSizeHint() const { return {style_.px(least_), style_.px(160)}; }

}  // namespace tfm::ui
