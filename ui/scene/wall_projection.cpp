// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/wall_projection.h"

#include <algorithm>

namespace tfm::ui {

WallProjection::WallProjection(const WallPicture& picture) : p_(picture) {
  for (const SlabPlace& place : picture.layout.slabs)
    outlines_.push_back(outline(place, 0, 0, float(place.rows), float(place.fullCols())));
}

QPolygonF WallProjection::outline(const SlabPlace& place, float row, float col, float rows,
                                  float cols) const {
  QPolygonF result;
  for (const QVector3D& point :
       {place.point(row, col), place.point(row, col + cols), place.point(row + rows, col + cols),
        place.point(row + rows, col)}) {
    const auto position = seen(point);
    if (!position) return {};
    result << *position;
  }
  return result;
}

bool WallProjection::coversAnother(int index, const QRectF& box) const {
  for (int other = 0; other < int(outlines_.size()); ++other) {
    const QPolygonF& slab = outline(other);
    const bool own = index >= 0 && (other == index || place(other).attached_to == index);
    if (!own && slab.boundingRect().intersects(box) && slab.intersects(QPolygonF(box))) return true;
  }
  return false;
}

double WallProjection::thickness(int index) const {
  const QRectF box = outline(index).boundingRect();
  return std::min(box.width(), box.height());
}

}  // namespace tfm::ui
