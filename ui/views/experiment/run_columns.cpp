// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/run_columns.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/style/style.h"
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
  choice_->setAccessibleName(tr("What is shown beside the task"));
  auto* both = new QHBoxLayout;
  both->setSpacing(style.px(kGap));
  both->addWidget(data_, 1);
  both->addWidget(model_, 1);
  auto* right = new QVBoxLayout;
  right->setSpacing(style.px(kGap));
  right->addWidget(choice_, 0, Qt::AlignLeft);
  right->addLayout(both, 1);
  auto* columns = new QHBoxLayout(this);
  // Otherwise what is shown now would decide how narrow the columns may become.
  columns->setSizeConstraint(QLayout::SetNoConstraint);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(style.px(kGap));
  columns->addWidget(task_, 1);
  columns->addLayout(right, 2);
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
