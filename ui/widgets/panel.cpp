// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel.h"

#include <utility>

#include "ui/figure/corner_menu.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

Panel::Panel(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      title_(wrappedLabel("title")),
      sentence_(wrappedLabel("sentence")),
      menu_(new CornerMenu(style, *this)),
      head_(rowOf(style, 8, {{title_, 1, Qt::AlignVCenter}, {menu_, 0, Qt::AlignTop}})),
      // The sentence is below the tools: beside many tools it would be a narrow column.
      column_(columnOf(style, 12, {columnOf(style, 0, {head_, sentence_})})) {
  setLayout(column_);
  sentence_->hide();
}

void Panel::setTitle(const QString& title) {
  title_->setText(title);
  setAccessibleName(title);
}

void Panel::setSentence(const QString& sentence) {
  setOrHide(*sentence_, sentence);
  setAccessibleDescription(sentence);
}

void Panel::setBody(QWidget* body) {
  delete body_;
  body_ = body;
  if (body_) column_->addWidget(body_, 1);
}

void Panel::addTool(QWidget* tool) {
  head_->insertWidget(head_->count() - 1, tool, 0, Qt::AlignTop);
}

void Panel::addFit(const std::function<void()>& fit) {
  QToolButton* button = iconButton(style_, "fit", tr("Fit: show all of it"));
  connect(button, &QToolButton::clicked, this, fit);
  addTool(button);
}

void Panel::setFigure(const Figure* figure) { menu_->setFigure(figure); }

void Panel::setExplanation(const QString& markdown, std::vector<ExplainedPart> parts) {
  menu_->setExplanation(markdown, std::move(parts));
}

QString Panel::title() const { return title_->text(); }

}  // namespace tfm::ui
