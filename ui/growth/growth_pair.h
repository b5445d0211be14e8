// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <vector>

#include "ui/figure/figure_stack.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_wall.h"

namespace tfm::ui {

/// A growth as a printed figure: the changed matrices before and, below, after, in the same places
/// and colours, with the legend of the marks.
class GrowthPair : public FigureStack {
  Q_DECLARE_TR_FUNCTIONS(GrowthPair)

 public:
  /// The style must outlive the figure. `title` names the growth, e.g. "Heads 7 → 8".
  GrowthPair(const Style& style, const QString& title, const std::vector<GrownCells>& matrices);

  /// One row for each cell of each of these matrices, with its value before and after.
  DataTable figureData() const override;

 private:
  std::vector<GrownCells> matrices_;  // those shown
  GrowthWall before_, after_;
  GrowthLegend legend_;
};

}  // namespace tfm::ui
