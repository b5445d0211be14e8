// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "ui/figure/corner_menu.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

Panel::Panel(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      title_(wrappedLabel("title")),
      sentence_(wrappedLabel("sentence")),
      menu_(new CornerMenu(style, *this)),
      head_(new QHBoxLayout),
      column_(bareLayout<QVBoxLayout>(this)) {
  sentence_->hide();

  head_->addWidget(title_, 1, Qt::AlignVCenter);
  head_->addWidget(menu_, 0, Qt::AlignTop);
  // Below the tools, not beside them: beside many tools it would be a narrow column.
  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  words->addLayout(head_);
  words->addWidget(sentence_);
  column_->addLayout(words);

  style_.follow(this, [this] {
    column_->setSpacing(style_.px(12));
    head_->setSpacing(style_.px(8));
  });
}

void Panel::setTitle(const QString& title) {
  title_->setText(title);
  setAccessibleName(title);
}

void Panel::setSentence(const QString& sentence) {
  sentence_->setText(sentence);
  sentence_->setVisible(!sentence.isEmpty());
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

void Panel::setFigure(const Figure* figure) { menu_->setFigure(figure); }

void Panel::setExplanation(const QString& markdown, std::vector<ExplainedPart> parts) {
  menu_->setExplanation(markdown, std::move(parts));
}

QString Panel::title() const { return title_->text(); }

}  // namespace tfm::ui
