// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <optional>

#include "ui/growth/grown_cells.h"

class QPainter;

namespace tfm::ui {

struct Palette;

/// The right and the bottom edge of a grown matrix on screen, which can be dragged to choose its
/// size: where their handles are, what the pointer is on, and what size a drag asks for.
class SizeEdges {
 public:
  /// A matrix where it stands.
  struct Matrix {
    const GrownCells& cells;
    QRectF bounds;
    double pitch;  ///< pixels from cell to cell
    double unit;   ///< pixels at scale 1
    bool at_rest;  ///< not amid an animation, in which no edge can be dragged
  };
  struct Dragged {
    Qt::Orientation along;
    int size;
  };

  /// Qt::RightEdge lets the number of columns be dragged, Qt::BottomEdge that of rows; only where
  /// they grow from at least one.
  void allow(Qt::Edges edges) { allowed_ = edges; }
  /// Where the handle of an edge is; empty if it has none.
  QRectF handle(Qt::Edge edge, const Matrix& matrix) const;
  /// The cursor over an edge that a press at this point takes; none where there is no such edge.
  std::optional<Qt::CursorShape> cursorAt(const QPointF& point, const Matrix& matrix) const;

  /// Holds the edge at this point.
  void take(const QPointF& point, const Matrix& matrix);
  bool isHeld() const { return drag_.has_value(); }
  void letGo() { drag_.reset(); }
  /// The number of columns or rows that the held edge's place stands for, never fewer than before
  /// the growth; nothing where it is the same as last time.
  std::optional<Dragged> dragTo(const QPointF& point, const Matrix& matrix);

  /// The handles, and where a held edge will be, even if whoever listens takes its time.
  void paint(QPainter& painter, const Palette& palette, const Matrix& matrix) const;

 private:
  struct Drag {
    Qt::Edge edge;
    double press;  ///< of the pointer along the axis, from the matrix's end
    int size;      ///< last told
  };

  bool canDrag(Qt::Edge edge, const Matrix& matrix) const;
  std::optional<Qt::Edge> at(const QPointF& point, const Matrix& matrix) const;

  Qt::Edges allowed_;
  std::optional<Drag> drag_;
};

}  // namespace tfm::ui
