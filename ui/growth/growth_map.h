// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/growth/growth_grid.h"
#include "ui/growth/growth_painter.h"

namespace tfm::ui {

/// One grown matrix cell by cell: its values in the signed colours, marks for what each entry is, a
/// dashed outline around what is new, and brackets with the old and new sizes. In a large matrix,
/// marks are drawn per block instead of per cell.
class GrowthMap : public GrowthGrid {
  Q_OBJECT

 public:
  explicit GrowthMap(const Style& style, QWidget* parent = nullptr) : GrowthGrid(style, parent) {}

  /// Shows another growth. The lock stays if its cell still exists; the cell size stays while an
  /// edge is dragged.
  void setMatrix(GrownCells cells);
  const GrownCells& matrix() const { return cells_; }

  /// Of the colours.
  ColorScale scale() const;

  int itemCount() const override { return cells_.rows() * cells_.cols(); }
  QString itemText(int item) const override;

  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override { return {style().px(140), style().px(80)}; }

  QString figureTitle() const override { return cells_.name(); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return cells_.table(); }

 protected:
  int columnCount() const override { return cells_.cols(); }
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  void layOut() override;
  void restyle() override { colors_.reset(); }
  void paintItems(QPainter& painter) override;
  std::optional<Standing> standing() const override {
    return Standing{cells_, places_.bounds(), pitch_};
  }
  void progressChanged() override { arrange(); }
  void releaseHandle() override;

 private:
  QPointF gridOrigin() const;
  double pitchIn(const QRectF& area) const;
  void paintHead(QPainter& painter, const QRectF& area, const Palette& palette,
                 const QString& title) const;
  void paintMatrix(QPainter& painter, const GrowthPlaces& places, const CellColors& colors,
                   const GrowthLook& look, const QRectF& area) const;

  GrownCells cells_;
  // Computed when needed: a hidden map costs no time.
  mutable std::optional<double> limit_;
  std::optional<CellColors> colors_;
  double pitch_ = 1.0;
  GrowthPlaces places_;
};

}  // namespace tfm::ui
