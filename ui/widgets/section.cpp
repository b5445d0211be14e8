// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/section.h"

#include "ui/figure/corner_menu.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

Section::Section(const Style& style, const QString& label, const QString& sentence, QWidget* parent)
    : QWidget(parent),
      label_(new SectionLabel(label)),
      menu_(new CornerMenu(style, *this)),
      column_(columnOf(style, 4, {rowOf({{label_, 1}, menu_})})) {
  setLayout(column_);
  setAccessibleName(label);
  setRole(*menu_, "small");
  menu_->hide();
  if (!sentence.isEmpty()) {
    column_->addWidget(wrappedLabel("muted", sentence));
    setAccessibleDescription(sentence);
  }
}

void Section::add(QWidget* part) { column_->addWidget(part); }

void Section::setFigure(const Figure* figure, const QString& explanation) {
  menu_->setFigure(figure);
  menu_->setExplanation(explanation);
  menu_->setVisible(figure != nullptr);
}

}  // namespace tfm::ui
