// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/growth/grown_cells.h"
#include "ui/heatmap/color_scale.h"
#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// One mark of a growth and its meaning.
struct GrowthMark {
  expand::Entry entry = expand::Entry::Copied;
  QString words{};
  bool broken = false;    ///< such entries break their rule
  bool unpaired = false;  ///< cells of a difference without a counterpart
};

/// The marks that occur in these growths, with their factors.
std::vector<GrowthMark> growthMarks(const std::vector<GrownCells>& matrices);
/// Places parts of these sizes side by side, in as many rows of at most `width` as they need, from
/// (0, 0).
std::vector<QRectF> inRows(const std::vector<QSizeF>& parts, double width, const QSizeF& gap);

/// Draws a mark's sample in a legend.
void paintMarkSwatch(QPainter& painter, const QRectF& swatch, const GrowthMark& mark,
                     const Palette& palette, double unit);

/// The legend of a growth: marks with their meaning, and the colour scale, in a row that wraps.
/// Hovering a mark explains why such entries do not change the output.
class GrowthLegend : public FigureWidget {
  Q_OBJECT

 public:
  explicit GrowthLegend(const Style& style, QWidget* parent = nullptr);

  /// Shows the marks that occur in these growths, and their factors.
  void setMatrices(const std::vector<GrownCells>& matrices);
  /// The colour scale of the matrices; without one, only marks are shown.
  void setScale(std::optional<ColorScale> scale);

  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  int itemCount() const override { return markCount() + (scale_ ? 1 : 0); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  int markCount() const { return int(marks_.size()); }
  /// The marks come first, then the colours.
  QSizeF sizeOf(int item) const;
  const std::vector<QSizeF>& sizes() const;
  QString wordsOf(int item) const;
  /// The places of the items in rows of that width.
  std::vector<QRectF> places(double width) const;

  std::vector<GrowthMark> marks_;
  std::optional<ColorScale> scale_;
  mutable std::vector<QSizeF> sizes_;  // of the items, once they were asked for
};

}  // namespace tfm::ui
