// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/head_borders.h"

#include <QPainter>

#include "ui/scene/wall_overlay.h"
#include "ui/style/style.h"

namespace tfm::ui {

void paintHeadBorders(QPainter& painter, const WallPicture& picture) {
  const auto line = [&](const SlabPlace& place, int row, int col, int rows, int cols) {
    const auto end = [&](int down, int right) {
      return picture.camera.project(place.point(float(down), float(right)), picture.size);
    };
    const auto from = end(row, col), to = end(row + rows, col + cols);
    if (from && to) painter.drawLine(*from, *to);
  };
  QColor color = picture.palette.text;
  color.setAlphaF(0.6F);  // the numbers beside it come first
  painter.setPen(QPen(color, picture.style.px(1), Qt::SolidLine, Qt::FlatCap));
  for (std::size_t i = 0; i < picture.slabs.size(); ++i) {
    const MatrixSlab& slab = picture.slabs[i];
    const SlabPlace& place = picture.layout.slabs[i];
    for (int row = slab.row_stripe; row > 0 && row < place.rows; row += slab.row_stripe)
      line(place, row, 0, 0, place.cols);
    for (int col = slab.col_stripe; col > 0 && col < place.cols; col += slab.col_stripe)
      line(place, 0, col, place.rows, 0);
  }
}

}  // namespace tfm::ui
