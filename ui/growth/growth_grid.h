// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <optional>

#include "ui/growth/grown_cells.h"
#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// A picture of grown matrices that shows them between before and after. The right and bottom edges
/// of one of them can be dragged to choose its size.
class GrowthGrid : public CellGrid {
  Q_OBJECT

 public:
  /// 0: the matrices before; 1 (the default): after, with their marks.
  void setProgress(double progress);
  double progress() const { return progress_; }

  /// Qt::RightEdge makes the number of columns draggable, Qt::BottomEdge that of rows; only if they
  /// grow from at least one, and not during an animation.
  void setDraggable(Qt::Edges edges);
  /// The rectangle of an edge's handle, in the viewport; empty if it has none.
  QRectF handleRect(Qt::Edge edge) const { return handle(edge).translated(-scrolled()); }

 signals:
  /// An edge is being dragged: the number of columns (Qt::Horizontal) or rows (Qt::Vertical) at its
  /// place, never fewer than before the growth.
  void sizeDragged(Qt::Orientation along, int new_size);

 protected:
  explicit GrowthGrid(const Style& style, QWidget* parent, Lock lock = Lock::Toggles)
      : CellGrid(style, parent, lock) {}

  /// A matrix and its place in the picture.
  struct Standing {
    const GrownCells& cells;
    QRectF bounds;
    double pitch;  ///< pixels from cell to cell
  };
  /// The matrix whose edges can be dragged, if any.
  virtual std::optional<Standing> standing() const = 0;
  virtual void progressChanged() = 0;

  bool holdsEdge() const { return drag_.has_value(); }
  QString tipAt(const QPointF& point) const override;
  /// Paints the handles, and a dragged edge at its new place even before the matrix has been
  /// updated.
  void paintOver(QPainter& painter) override;
  std::optional<Qt::CursorShape> handleAt(const QPointF& point) const override;
  void takeHandle(const QPointF& point) override;
  void dragTo(const QPointF& point) override;
  void releaseHandle() override { drag_.reset(); }

 private:
  struct Drag {
    Qt::Edge edge;
    double press;  ///< of the pointer along the axis, from the matrix's end
    int size;      ///< last emitted
  };

  QRectF handle(Qt::Edge edge) const;
  /// The draggable edge at a point.
  std::optional<Qt::Edge> edgeAt(const QPointF& point) const;

  double progress_ = 1.0;
  Qt::Edges draggable_;
  std::optional<Drag> drag_;
};

}  // namespace tfm::ui
