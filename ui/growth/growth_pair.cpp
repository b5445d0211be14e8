// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_pair.h"

namespace tfm::ui {

GrowthPair::GrowthPair(const Style& style, const QString& title,
                       const std::vector<GrownCells>& matrices)
    : before_(style), after_(style), legend_(style) {
  setTitle(tr("%1: before and after").arg(title));
  setParts({&before_, &after_, &legend_});
  before_.setTitle(tr("Before"));
  before_.setMatrices(matrices);
  before_.setProgress(0.0);
  after_.setTitle(tr("After"));
  after_.setMatrices(matrices);
  for (const int shown : after_.shown()) matrices_.push_back(matrices[std::size_t(shown)]);
  legend_.setTitle({});
  legend_.setMatrices(matrices_);
  legend_.setScale(after_.scale());
}

DataTable GrowthPair::figureData() const {
  DataTable table;
  for (const GrownCells& cells : matrices_) {
    const DataTable one = cells.table();
    if (table.columns.isEmpty()) table.columns = QStringList{QStringLiteral("name")} + one.columns;
    for (const QStringList& row : one.rows) table.rows.push_back(QStringList{cells.name()} + row);
  }
  return table;
}

}  // namespace tfm::ui
