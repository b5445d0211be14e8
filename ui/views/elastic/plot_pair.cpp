// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/plot_pair.h"

#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/style.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kRoom = 90.0;  // beyond the least sizes of both: else both are hard to read

}  // namespace

PlotPair::PlotPair(const Style& style, QWidget* upper, const QString& upper_name, QWidget* lower,
                   const QString& lower_name, QWidget* parent)
    : QWidget(parent),
      style_(style),
      choice_(new Segmented(style, {upper_name, lower_name})),
      upper_(upper),
      lower_(lower) {
  choice_->setAccessibleName(tr("Which plot is shown"));
  auto* column = new QVBoxLayout(this);
  // Otherwise what is shown now would decide how small the pair may become.
  column->setSizeConstraint(QLayout::SetNoConstraint);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(style_.px(8));
  column->addWidget(choice_, 0, Qt::AlignLeft);
  column->addWidget(upper_, 3);
  column->addWidget(lower_, 2);
  connect(choice_, &Segmented::currentChanged, this, &PlotPair::arrange);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    arrange();
  });
  arrange();
}

bool PlotPair::hasRoomForBoth() const {
  return height() >=
         upper_->minimumSizeHint().height() + lower_->minimumSizeHint().height() + style_.px(kRoom);
}

QSize PlotPair::minimumSizeHint() const {
  const QSize upper = upper_->minimumSizeHint(), lower = lower_->minimumSizeHint();
  return {std::max(upper.width(), lower.width()),
          std::max(upper.height(), lower.height()) + choice_->sizeHint().height() + style_.px(8)};
}

void PlotPair::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void PlotPair::arrange() {
  const bool both = hasRoomForBoth();
  choice_->setVisible(!both);
  upper_->setVisible(both || choice_->current() == 0);
  lower_->setVisible(both || choice_->current() == 1);
}

}  // namespace tfm::ui
