// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_wall.h"

namespace tfm::ui {

/// A growth as a printed figure: the changed matrices before and, below, after, in the same places
/// and colours, with the legend of the marks.
class GrowthPair : public Figure {
  Q_DECLARE_TR_FUNCTIONS(GrowthPair)

 public:
  /// The style must outlive the figure. `title` names the growth, e.g. "Heads 7 → 8".
  GrowthPair(const Style& style, const QString& title, const std::vector<GrownCells>& matrices);

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// One row for each cell of each of these matrices, with its value before and after.
  DataTable figureData() const override;

 private:
  double headHeight() const;
  /// Of one picture with the space below it.
  double wallHeight() const;

  const Style& style_;
  const QString title_;
  std::vector<GrownCells> matrices_;  // those shown
  GrowthWall before_, after_;
  GrowthLegend legend_;
};

}  // namespace tfm::ui
