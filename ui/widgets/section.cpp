// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/section.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/figure/corner_menu.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

Section::Section(const Style& style, const QString& label, const QString& sentence, QWidget* parent)
    : QWidget(parent),
      style_(style),
      label_(new SectionLabel(label)),
      menu_(new CornerMenu(style, *this)),
      column_(bareLayout<QVBoxLayout>(this)) {
  setAccessibleName(label);
  auto* head = new QHBoxLayout;
  head->addWidget(label_, 1);
  head->addWidget(menu_);
  setRole(*menu_, "small");
  menu_->hide();
  column_->addLayout(head);
  if (!sentence.isEmpty()) {
    column_->addWidget(wrappedLabel("muted", sentence));
    setAccessibleDescription(sentence);
  }
  style_.follow(this, [this] { column_->setSpacing(style_.px(4)); });
}

void Section::add(QWidget* part) { column_->addWidget(part); }

void Section::setFigure(const Figure* figure, const QString& explanation) {
  menu_->setFigure(figure);
  menu_->setExplanation(explanation);
  menu_->setVisible(figure != nullptr);
}

}  // namespace tfm::ui
