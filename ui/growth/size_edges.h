// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <optional>

#include "ui/growth/grown_cells.h"

class QPainter;

namespace tfm::ui {

struct Palette;

/// The right and bottom edges of a grown matrix on screen, which can be dragged to choose its size:
/// handles, hit testing, and the size a drag stands for.
class SizeEdges {
 public:
  /// A matrix and its place on screen.
  struct Matrix {
    const GrownCells& cells;
    QRectF bounds;
    double pitch;  ///< pixels from cell to cell
    double unit;   ///< pixels at scale 1
    bool at_rest;  ///< false during an animation, when no edge can be dragged
  };
  struct Dragged {
    Qt::Orientation along;
    int size;
  };

  /// Qt::RightEdge makes the number of columns draggable, Qt::BottomEdge that of rows; only if they
  /// grow from at least one.
  void allow(Qt::Edges edges) { allowed_ = edges; }
  /// The rectangle of an edge's handle; empty if it has none.
  QRectF handle(Qt::Edge edge, const Matrix& matrix) const;
  /// The cursor for an edge at this point; none if there is no draggable edge.
  std::optional<Qt::CursorShape> cursorAt(const QPointF& point, const Matrix& matrix) const;

  /// Starts dragging the edge at this point.
  void take(const QPointF& point, const Matrix& matrix);
  bool isHeld() const { return drag_.has_value(); }
  void releaseHandle() { drag_.reset(); }
  /// The number of columns or rows at the dragged edge's place, never fewer than before the growth;
  /// none if it is the same as last time.
  std::optional<Dragged> dragTo(const QPointF& point, const Matrix& matrix);

  /// Paints the handles, and a dragged edge at its new place even before the matrix has been
  /// updated.
  void paint(QPainter& painter, const Palette& palette, const Matrix& matrix) const;

 private:
  struct Drag {
    Qt::Edge edge;
    double press;  ///< of the pointer along the axis, from the matrix's end
    int size;      ///< last returned
  };

  bool canDrag(Qt::Edge edge, const Matrix& matrix) const;
  std::optional<Qt::Edge> at(const QPointF& point, const Matrix& matrix) const;

  Qt::Edges allowed_;
  std::optional<Drag> drag_;
};

}  // namespace tfm::ui
