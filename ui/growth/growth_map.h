// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/growth/growth_painter.h"
#include "ui/growth/size_edges.h"
#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// One grown matrix cell by cell: its values in the signed colours, marks for what each entry is, a
/// dashed outline around what is new, and brackets with the old and new sizes. The edges can be
/// made draggable. In a large matrix, marks are drawn per block instead of per cell.
class GrowthMap : public CellGrid {
  Q_OBJECT

 public:
  explicit GrowthMap(const Style& style, QWidget* parent = nullptr) : CellGrid(style, parent) {}

  /// Shows another growth. The lock stays if its cell still exists; the cell size stays while an
  /// edge is dragged.
  void setMatrix(GrownCells cells);
  const GrownCells& matrix() const { return cells_; }

  /// Of the colours.
  ColorScale scale() const;

  /// 0: the matrix before; 1 (the default): after, with its marks.
  void setProgress(double progress);
  double progress() const { return progress_; }

  /// Qt::RightEdge makes the number of columns draggable, Qt::BottomEdge that of rows; only if they
  /// grow from at least one.
  void setDraggable(Qt::Edges edges);
  /// The rectangle of an edge's handle; empty if it has none.
  QRectF handleRect(Qt::Edge edge) const { return edges_.handle(edge, standing()); }

  int itemCount() const override { return cells_.rows() * cells_.cols(); }
  QString itemText(int item) const override;
  QString accessibleTitle() const override;

  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override { return {style().px(140), style().px(80)}; }

  QString figureTitle() const override { return cells_.name(); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return cells_.table(); }

 signals:
  /// An edge is being dragged: the number of columns (Qt::Horizontal) or rows (Qt::Vertical) at its
  /// place, never fewer than before the growth.
  void sizeDragged(Qt::Orientation along, int new_size);

 protected:
  int columnCount() const override { return cells_.cols(); }
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  QString tipAt(const QPointF& point) const override;
  void layOut() override;
  void restyle() override { colors_.reset(); }
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;
  std::optional<Qt::CursorShape> handleAt(const QPointF& point) const override;
  void takeHandle(const QPointF& point) override { edges_.take(point, standing()); }
  void dragTo(const QPointF& point) override;
  void releaseHandle() override;

 private:
  QPointF gridOrigin() const;
  double pitchIn(const QRectF& area) const;
  void paintHead(QPainter& painter, const QRectF& area, const Palette& palette,
                 const QString& title) const;
  void paintMatrix(QPainter& painter, const GrowthPlaces& places, const CellColors& colors,
                   const GrowthLook& look, const QRectF& area) const;
  SizeEdges::Matrix standing() const;

  GrownCells cells_;
  // Computed when needed: a hidden map costs no time.
  mutable std::optional<double> limit_;
  std::optional<CellColors> colors_;
  double progress_ = 1.0;
  SizeEdges edges_;
  double pitch_ = 1.0;
  GrowthPlaces places_;
};

}  // namespace tfm::ui
