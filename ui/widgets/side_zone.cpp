// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/side_zone.h"

#include <QEvent>
#include <QScrollArea>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

constexpr double kBetween = 16.0;  // sections
constexpr double kFolded = 4.0;    // sections that can be folded

}  // namespace

SideZone::SideZone(const Style& style, double least, QWidget* parent)
    : QFrame(parent),
      style_(style),
      least_(least),
      column_(new QVBoxLayout),
      scroll_(new QScrollArea) {
  setRole(*this, "panel");
  auto* content = new QFrame;
  setRole(*content, "panel");
  content->setLayout(column_);
  column_->addStretch(1);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setWidgetResizable(true);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(content);
  setLayout(columnOf({scroll_}));
  style_.follow(this, [this] {
    column_->setContentsMargins(style_.px(14), style_.px(14), style_.px(14), style_.px(14));
    column_->setSpacing(style_.px(folds_ ? kFolded : kBetween));
    updateGeometry();
  });
}

void SideZone::add(QWidget* section, bool fills) {
  column_->insertWidget(column_->count() - 1, section, fills ? 1 : 0);
  if (fills) column_->setStretch(column_->count() - 1, 0);
  if (auto* one = qobject_cast<Section*>(section)) {
    sections_.push_back(one);
    if (folds_) setFolds(last_);
  }
}

void SideZone::setFolds(const Section* last) {
  folds_ = true;
  last_ = last;
  column_->setSpacing(style_.px(kFolded));
  scroll_->widget()->installEventFilter(this);
  for (Section* section : sections_) {
    if (section->isFoldable()) continue;
    section->setFoldable();
    section->installEventFilter(this);
    connect(section, &Section::foldChosen, this, [this, section] { chosen_.insert(section); });
  }
}

bool SideZone::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == scroll_->widget()) {
    if (type == QEvent::LayoutRequest) foldLater(false);
  } else if (type == QEvent::ShowToParent || type == QEvent::HideToParent) {
    foldLater(true);
  }
  return QFrame::eventFilter(watched, event);
}

void SideZone::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  if (folds_) foldLater(true);
}

void SideZone::foldLater(bool anew) {
  // Once, after the layouts that are due.
  if (!std::exchange(due_, true))
    QMetaObject::invokeMethod(
        this,
        [this] {
          due_ = false;
          fold(std::exchange(again_, false));
        },
        Qt::QueuedConnection);
  again_ = again_ || anew;
}

void SideZone::fold(bool anew) {
  const auto isOpen = [](const Section* one) { return !one->isHidden() && !one->isFolded(); };
  if (anew)
    for (Section* section : sections_)
      if (!chosen_.contains(section)) section->setFolded(false);
  const auto fits = [this] {
    // Layouts hear of what is folded later.
    for (const Section* section : sections_) section->layout()->activate();
    column_->invalidate();
    const int width = scroll_->viewport()->width();
    const int height = column_->hasHeightForWidth() ? column_->totalHeightForWidth(width)
                                                    : column_->totalSizeHint().height();
    return height <= scroll_->viewport()->height();
  };
  std::vector<Section*> open;
  std::ranges::copy_if(sections_, std::back_inserter(open), isOpen);
  // Measuring asks for a layout, and that for this: only where there is something to do.
  const bool over = scroll_->widget()->height() > scroll_->viewport()->height();
  const auto free = [this](const Section* one) { return !chosen_.contains(one); };
  if (!anew && (!over || open.size() < 2 || std::ranges::count_if(open, free) == 0)) return;
  // One stays, even if it has to be scrolled.
  std::ranges::stable_partition(open,
                                [&](const Section* one) { return one == last_ || !free(one); });
  std::vector<Section*> folded;
  for (; open.size() > 1 && free(open.back()) && !fits(); open.pop_back()) {
    open.back()->setFolded(true);
    folded.insert(folded.begin(), open.back());
  }
  // Smaller ones may fit where the last one did not.
  for (Section* section : folded) {
    section->setFolded(false);
    if (!fits()) section->setFolded(true);
  }
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
