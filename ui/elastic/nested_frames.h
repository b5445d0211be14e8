// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <optional>
#include <vector>

#include "ui/elastic/nested_layer.h"
#include "ui/elastic/width_tick.h"
#include "ui/figure/figure.h"
#include "ui/heatmap/cell_widget.h"
#include "ui/heatmap/color_scale.h"

namespace tfm::ui {

class Style;

/// Where the parts of the picture of a NestedLayer lie.
struct NestedFramesLayout {
  double unit = 1.0;  ///< pixels at scale 1
  CellGrid reads, writes;
  QRectF reads_title, writes_title, legend;
  /// Of the frame of each tick; larger ones stand further out.
  std::vector<QRectF> frames;
  std::vector<QRectF> labels;  ///< above each frame's right edge; empty where there is no room

  /// The left edge of the units from `width` on.
  double edge(int width) const { return reads.origin.x() + width * reads.cell_width; }
};

/// The real feed-forward matrices of a layer with the granularities as frames inside each other.
/// What lies outside of the chosen width fades. Its edge can be dragged; hover, click and arrow
/// keys read cells.
class NestedFrames : public CellWidget, public Figure {
  Q_OBJECT

 public:
  explicit NestedFrames(const Style& style, QWidget* parent = nullptr);

  /// New numbers or another layer. The lock stays if its cell is still there.
  void setLayer(NestedLayer layer);
  const NestedLayer& layer() const { return layer_; }
  void setTicks(std::vector<WidthTick> ticks);
  /// The width that is chosen: what is outside fades.
  void setWidth(int width);
  int chosenWidth() const { return width_; }

  /// The first `hidden` rows are those of the upper matrix.
  QRectF cellRect(int row, int col) const override;
  /// A cell in words: where it is, what it is, in which granularities.
  QString describe(int row, int col) const;
  /// The line at the end of the chosen width that can be dragged.
  QRectF edgeRect() const;
  const NestedFramesLayout& layoutShown() const { return layout_; }
  /// The coloured cells of both matrices as they were last painted, at any chosen width.
  const QPixmap& cellsShown() const { return cells_; }

  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override;
  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every number with its matrix, unit, hidden component, and whether it is in the chosen part.
  DataTable figureData() const override;
  QString accessibleTitle() const override { return figureTitle(); }

 signals:
  /// The edge is being dragged.
  void widthDragged(int width);

 protected:
  int rowCount() const override { return 2 * layer_.hidden; }
  int colCount() const override { return layer_.units; }
  QString cellText(int row, int col) const override { return describe(row, col); }
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  bool isEmpty() const { return layer_.units == 0; }
  float value(int row, int col) const;
  NestedFramesLayout layOut(const QRectF& area) const;
  void layOutAgain();
  void paintCells(QPainter& painter, const NestedFramesLayout& layout,
                  const Palette& palette) const;
  std::optional<Cell> cellAt(const QPointF& place) const;
  bool onEdge(const QPointF& place) const;
  void dragTo(double x);
  /// All that lies over the cells on paper, too.
  void paintAround(QPainter& painter, const NestedFramesLayout& layout,
                   const Palette& palette) const;
  void paintOverlay(QPainter& painter) const;

  const Style& style_;
  NestedLayer layer_;
  std::vector<WidthTick> ticks_;
  int width_ = 0;
  ColorScale scale_;
  NestedFramesLayout layout_;
  QPixmap cells_;               ///< null: to be painted anew
  std::optional<double> grip_;  ///< while the edge is dragged: the pointer's distance from it
};

}  // namespace tfm::ui
