// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/hatch.h"

#include <QLineF>
#include <QPaintDevice>
#include <QPainter>
#include <QVarLengthArray>
#include <algorithm>
#include <cmath>

#include "ui/style/oklab.h"
#include "ui/style/palette.h"

namespace tfm::ui {

void hatch(QPainter& painter, const QRectF& area, Hatch lean, double spacing, const QColor& color,
           double width) {
  // Lines x + y = c (rising) or x - y = c (falling), for all c that are whole multiples of `step`.
  const double step = spacing * std::sqrt(2.0);
  const double sign = lean == Hatch::Rising ? 1.0 : -1.0;
  const double ends[] = {area.left() + sign * area.top(), area.right() + sign * area.top(),
                         area.left() + sign * area.bottom(), area.right() + sign * area.bottom()};
  const auto [first, last] = std::minmax_element(std::begin(ends), std::end(ends));
  QVarLengthArray<QLineF, 64> lines;
  for (double c = std::ceil(*first / step) * step; c < *last; c += step) {
    // x at the top and at the bottom edge, cut to the area; y follows from x.
    const double at_top = c - sign * area.top();
    const double at_bottom = c - sign * area.bottom();
    const double x1 = std::max(area.left(), std::min(at_top, at_bottom));
    const double x2 = std::min(area.right(), std::max(at_top, at_bottom));
    if (x1 < x2) lines.append({x1, sign * (c - x1), x2, sign * (c - x2)});
  }
  painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
  painter.drawLines(lines.constData(), int(lines.size()));
}

void forEachRun(const CellPlaces& grid, const std::function<bool(int, int)>& flagged,
                const std::function<void(const QRectF&)>& visit) {
  for (int row = 0; row < grid.rows; ++row) {
    int start = 0;
    for (int col = 0; col <= grid.cols; ++col) {
      if (col < grid.cols && flagged(row, col)) continue;
      if (start < col) visit(grid.run(row, start, col));
      start = col + 1;
    }
  }
}

void paintMasked(QPainter& painter, const CellPlaces& grid, std::span<const std::uint8_t> masked,
                 const Palette& palette, double unit) {
  const auto flagged = [&](int row, int col) {
    return masked[std::size_t(row) * grid.cols + col] != 0;
  };
  const QColor ground = mixOklab(palette.panel, palette.muted, 0.14);
  const QColor line = mixOklab(palette.panel, palette.muted, 0.5);
  painter.save();
  forEachRun(grid, flagged, [&](const QRectF& run) { painter.fillRect(run, ground); });
  painter.setRenderHint(QPainter::Antialiasing);
  forEachRun(grid, flagged, [&](const QRectF& run) {
    hatch(painter, run, Hatch::Rising, 5.0 * unit, line, unit);
  });
  painter.restore();
}

void MaskOverlay::paint(QPainter& painter, const CellPlaces& grid,
                        std::span<const std::uint8_t> masked, const Palette& palette, double unit) {
  if (masked.empty()) return;
  // The pixmap starts on a whole pixel, so that it is not resampled.
  const QRect area = grid.bounds().toAlignedRect();
  const double ratio = painter.device()->devicePixelRatioF();
  if (pixmap_.isNull() || pixmap_.devicePixelRatio() != ratio) {
    pixmap_ = QPixmap((QSizeF(area.size()) * ratio).toSize());
    pixmap_.setDevicePixelRatio(ratio);
    pixmap_.fill(Qt::transparent);
    QPainter own(&pixmap_);
    CellPlaces local = grid;
    local.origin -= QPointF(area.topLeft());
    paintMasked(own, local, masked, palette, unit);
  }
  painter.drawPixmap(area.topLeft(), pixmap_);
}

}  // namespace tfm::ui
