// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/run_columns.h"

#include "ui/style/style.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr double kMinColumn = 290, kGap = 10;

}  // namespace

RunColumns::RunColumns(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      task_(new SideZone(style, kMinColumn)),
      data_(new SideZone(style, kMinColumn)),
      model_(new SideZone(style, kMinColumn)),
      choice_(new Segmented(style, {tr("The data"), tr("The model")})) {
  choice_->setAccessibleName(tr("Second column"));
  auto* both = rowOf(style, kGap, {{data_, 1}, {model_, 1}});
  auto* right = columnOf(style, kGap, {{choice_, 0, Qt::AlignLeft}, {both, 1}});
  setLayout(rowOf(style, kGap, {{task_, 1}, {right, 2}}));
  // Otherwise the minimum width would depend on what is shown now.
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  connect(choice_, &Segmented::currentChanged, this, &RunColumns::arrange);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    arrange();
  });
  arrange();
}

int RunColumns::widthOf(int columns) const {
  return columns * style_.px(kMinColumn) + (columns - 1) * style_.px(kGap);
}

QSize RunColumns::minimumSizeHint() const {
  return {widthOf(2), task_->minimumSizeHint().height()};
}

void RunColumns::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void RunColumns::arrange() {
  const bool all = width() >= widthOf(3);
  auto* columns = static_cast<QHBoxLayout*>(layout());
  columns->setStretch(1, all ? 2 : 1);
  choice_->setVisible(!all);
  data_->setVisible(all || choice_->current() == 0);
  model_->setVisible(all || choice_->current() == 1);
}

}  // namespace tfm::ui
