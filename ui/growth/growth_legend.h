// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/growth/grown_cells.h"
#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// The marks of a growth with their words, in a row that breaks where it must. Pointing at one says
/// why such entries change nothing.
class GrowthLegend : public FigureWidget {
  Q_OBJECT

 public:
  explicit GrowthLegend(const Style& style, QWidget* parent = nullptr);

  /// Shows the marks that occur in these growths, and their factor if they have one in common.
  void setMatrices(const std::vector<GrownCells>& matrices);

  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  int itemCount() const override { return static_cast<int>(marks_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  struct Mark {
    expand::Entry entry;
    QString words;
    bool broken = false;
  };

  QSizeF markSize(const Mark& mark) const;
  /// The area that the marks take, and the place of one of them.
  QRectF flow(const QRectF& area, int item, QSizeF* whole) const;

  std::vector<Mark> marks_;
};

}  // namespace tfm::ui
