// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <optional>
#include <vector>

#include "ui/scene/wall_overlay.h"

namespace tfm::ui {

/// Where the parts of a wall are on its picture.
class WallProjection {
 public:
  /// `picture` is kept by reference.
  explicit WallProjection(const WallPicture& picture);

  const SlabPlace& place(int slab) const { return p_.layout.slabs[std::size_t(slab)]; }
  const MatrixSlab& slab(int index) const { return p_.slabs[std::size_t(index)]; }

  /// Nothing if the point is behind the eye.
  std::optional<QPointF> seen(const QVector3D& point) const {
    return p_.camera.project(point, p_.size);
  }

  /// The outline of a block of cells; empty if it is partly behind the eye.
  QPolygonF outline(const SlabPlace& place, float row, float col, float rows, float cols) const;
  QPolygonF cellOutline(const SlabPlace& place, int row, int col) const {
    return outline(place, float(row), float(place.firstCol(row) + col), 1, 1);
  }
  /// Of a whole slab.
  const QPolygonF& outline(int index) const { return outlines_[std::size_t(index)]; }

  /// Whether `box` covers a slab other than its own and its vectors.
  bool coversAnother(int index, const QRectF& box) const;

  /// The smaller side of a slab.
  double thickness(int index) const;

 protected:
  const WallPicture& p_;

 private:
  std::vector<QPolygonF> outlines_;
};

}  // namespace tfm::ui
