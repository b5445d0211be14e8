// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>

#include "ui/figure/figure.h"
#include "ui/growth/growth_painter.h"
#include "ui/growth/size_edges.h"
#include "ui/heatmap/cell_widget.h"

namespace tfm::ui {

class Style;

/// One grown matrix cell by cell: its values in the signed colours, marks for what each entry is, a
/// dashed outline around what is new, and brackets with the old and new sizes. Hovering previews a
/// cell, a click locks it, a second click or Esc frees it; arrow keys walk, Return locks. The edges
/// can be made draggable. For a large matrix blocks carry the marks instead of cells.
class GrowthMap : public CellWidget, public Figure {
  Q_OBJECT

 public:
  explicit GrowthMap(const Style& style, QWidget* parent = nullptr);

  /// Shows another growth. The lock stays if its cell is still there; the size of cells stays while
  /// an edge is dragged.
  void setMatrix(GrownCells cells);
  const GrownCells& matrix() const { return cells_; }
  /// What is written above the matrix; the parameter's name if never called.
  void setTitle(const QString& title);
  /// The value at the ends of the colour scale; without one, that of the matrix.
  void setLimit(std::optional<double> limit);

  /// Of the colours.
  ColorScale scale() const;

  /// 0: the matrix as it was; 1 (the usual): as it is after, with its marks.
  void setProgress(double progress);
  double progress() const { return progress_; }

  /// Qt::RightEdge lets the number of columns be dragged, Qt::BottomEdge that of rows; only where
  /// they grow from at least one.
  void setDraggable(Qt::Edges edges);
  /// Where the handle of an edge is; empty if it has none.
  QRectF handleRect(Qt::Edge edge) const { return edges_.handle(edge, standing()); }

  /// A cell in words, for tooltips, status bars and screen readers.
  QString describe(int row, int col) const { return cells_.describe(row, col); }
  QRectF cellRect(int row, int col) const override { return places_.cell(row, col); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return cells_.table(); }

  QString accessibleTitle() const override;

 signals:
  /// An edge is being dragged: the number of columns (Qt::Horizontal) or rows (Qt::Vertical) that
  /// its place stands for, never fewer than before the growth.
  void sizeDragged(Qt::Orientation along, int new_size);
  /// The edge was let go.
  void dragFinished();

 protected:
  int rowCount() const override { return cells_.rows(); }
  int colCount() const override { return cells_.cols(); }
  QString cellText(int row, int col) const override { return describe(row, col); }

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void layOut();
  QPointF gridOrigin() const;
  double pitchIn(const QRectF& area) const;
  GrowthLook look(const Palette& palette, const GrowthMoment& moment, bool vectors) const;
  void paintHead(QPainter& painter, const QRectF& area, const Palette& palette,
                 const QString& title) const;
  void paintMatrix(QPainter& painter, const GrowthPlaces& places, const CellColors& colors,
                   const GrowthLook& look, const QRectF& area) const;
  void paintOverlay(QPainter& painter) const;
  SizeEdges::Matrix standing() const;

  const Style& style_;
  GrownCells cells_;
  // Made when they are needed: a map that is not on screen takes no time.
  mutable std::optional<double> own_limit_;
  std::optional<CellColors> colors_;
  std::optional<QString> title_;
  std::optional<double> limit_;
  double progress_ = 1.0;
  SizeEdges edges_;
  double pitch_ = 1.0;
  GrowthPlaces places_;
  QPixmap picture_;  ///< of the matrix at rest
};

}  // namespace tfm::ui
