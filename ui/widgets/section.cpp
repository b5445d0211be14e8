// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/section.h"

#include <QEvent>
#include <QToolButton>

#include "ui/figure/corner_menu.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr double kBelow = 10.0;  // an open section, if sections are folded

}  // namespace

Section::Section(const Style& style, const QString& label, const QString& sentence, QWidget* parent)
    : QWidget(parent),
      style_(style),
      label_(new SectionLabel(label)),
      menu_(new CornerMenu(style, *this)),
      head_(rowOf(style, 2, {{label_, 1}, menu_})),
      body_(new QWidget),
      column_(columnOf(style, 4, {})) {
  body_->setLayout(column_);
  setLayout(columnOf(style, 4, {head_, body_}));
  setAccessibleName(label);
  setRole(*menu_, "small");
  menu_->hide();
  if (!sentence.isEmpty()) {
    column_->addWidget(wrappedLabel("muted", sentence));
    setAccessibleDescription(sentence);
  }
}

void Section::add(QWidget* part) { column_->addWidget(part); }

void Section::setFoldable() {
  if (isFoldable()) return;
  fold_ = new QToolButton;
  fold_->setObjectName("fold");
  fold_->setFocusPolicy(Qt::TabFocus);
  setRole(*fold_, "fold");
  head_->insertWidget(0, fold_);
  label_->installEventFilter(this);
  label_->setCursor(Qt::PointingHandCursor);
  connect(fold_, &QToolButton::clicked, this, [this] {
    setFolded(!isFolded());
    emit foldChosen(isFolded());
  });
  // An open section is farther from the next than a folded one.
  style_.follow(this, [this] { column_->setContentsMargins(0, 0, 0, style_.px(kBelow)); });
  setFolded(false);
}

void Section::setFolded(bool folded) {
  body_->setVisible(!folded);
  menu_->setVisible(has_menu_ && !folded);
  if (!isFoldable()) return;
  fold_->setText(folded ? QStringLiteral("▸") : QStringLiteral("▾"));
  const QString words = (folded ? tr("Show: %1") : tr("Hide: %1")).arg(label_->text());
  fold_->setToolTip(words);
  fold_->setAccessibleName(words);
}

bool Section::eventFilter(QObject* watched, QEvent* event) {
  if (watched == label_ && event->type() == QEvent::MouseButtonRelease) fold_->click();
  return QWidget::eventFilter(watched, event);
}

void Section::setFigure(const Figure* figure, const QString& explanation) {
  menu_->setFigure(figure);
  menu_->setExplanation(explanation);
  has_menu_ = figure != nullptr;
  menu_->setVisible(has_menu_ && !isFolded());
}

}  // namespace tfm::ui
