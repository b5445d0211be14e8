// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/schedule_list.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/style/style.h"
#include "ui/widgets/labels.h"

namespace tfm::ui {

ScheduleList::ScheduleList(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
}

void ScheduleList::setLines(const std::vector<Line>& lines) {
  if (lines == lines_) return;
  lines_ = lines;
  // deleteLater(), since this may be called from a button's signal.
  while (QLayoutItem* item = column_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (const Line& line : lines_) {
    auto* row = new QWidget;
    auto* parts = new QHBoxLayout(row);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->addWidget(wrappedLabel("", line.text), 1);
    auto* out = new QPushButton(tr("Remove"));
    out->setAccessibleName(tr("Remove: %1").arg(line.text));
    out->setFocusPolicy(Qt::TabFocus);
    setRole(*out, "small");
    parts->addWidget(out);
    connect(out, &QPushButton::clicked, this,
            [this, growth = line.growth] { emit removed(growth); });
    column_->addWidget(row);
  }
}

}  // namespace tfm::ui
