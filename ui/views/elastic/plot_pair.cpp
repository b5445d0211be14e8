// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/plot_pair.h"

#include <algorithm>

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kRoom = 90.0;  // beyond the minimum sizes of both, else both are hard to read

}  // namespace

PlotPair::PlotPair(const Style& style, QWidget* upper, const QString& upper_name, QWidget* lower,
                   const QString& lower_name, const QString& guest_name, QWidget* parent)
    : QWidget(parent),
      style_(style),
      choice_(new Segmented(style, {guest_name, upper_name, lower_name})),
      upper_(upper),
      lower_(lower),
      column_(columnOf(style, 8, {{choice_, 0, Qt::AlignLeft}, {upper, 3}, {lower, 2}})) {
  setLayout(column_);
  choice_->setAccessibleName(tr("Which plot is shown"));
  choice_->setCurrent(kUpper);
  choice_->setChoiceVisible(kGuest, false);
  // Otherwise the minimum size would depend on what is shown now.
  column_->setSizeConstraint(QLayout::SetNoConstraint);
  column_->addStretch(0);  // below a guest, which has its own height
  connect(choice_, &Segmented::currentChanged, this, &PlotPair::arrange);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    arrange();
  });
  arrange();
}

void PlotPair::setGuest(QWidget* guest) {
  if (guest == guest_) return;
  if (guest_ != nullptr) {
    column_->removeWidget(guest_);
    guest_->show();
  }
  guest_ = guest;
  if (guest_ != nullptr) column_->insertWidget(1, guest_);
  choice_->setChoiceVisible(kGuest, guest_ != nullptr);
  choice_->setCurrent(guest_ != nullptr ? kGuest : kUpper);
  updateGeometry();
  arrange();
}

bool PlotPair::hasRoomForBoth() const {
  return guest_ == nullptr && height() >= upper_->minimumSizeHint().height() +
                                              lower_->minimumSizeHint().height() + style_.px(kRoom);
}

QSize PlotPair::minimumSizeHint() const {
  const QSize upper = upper_->minimumSizeHint(), lower = lower_->minimumSizeHint();
  const QSize guest = guest_ != nullptr ? guest_->minimumSizeHint() : QSize(0, 0);
  return {std::max({upper.width(), lower.width(), guest.width()}),
          std::max({upper.height(), lower.height(), guest.height()}) +
              choice_->sizeHint().height() + style_.px(8)};
}

void PlotPair::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void PlotPair::arrange() {
  const bool both = hasRoomForBoth();
  choice_->setVisible(!both);
  upper_->setVisible(both || choice_->current() == kUpper);
  lower_->setVisible(both || choice_->current() == kLower);
  if (guest_ != nullptr) guest_->setVisible(choice_->current() == kGuest);
}

}  // namespace tfm::ui
