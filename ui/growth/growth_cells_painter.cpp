// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/growth/growth_marks.h"
#include "ui/growth/growth_painter.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

using expand::Entry;

constexpr std::int64_t kMostShapes = 20'000;
constexpr double kPaperDots = 2.0;  // dots a pixel of pictures in vector files

QRgb mixed(QRgb from, QRgb to, int share256) {
  const auto part = [share256](int a, int b) { return a + ((b - a) * share256 >> 8); };
  return qRgb(part(qRed(from), qRed(to)), part(qGreen(from), qGreen(to)),
              part(qBlue(from), qBlue(to)));
}

/// Which index covers each dot of an axis, -1 for none. Old indices cover new ones on their way.
std::vector<int> dotsOf(const AxisPlaces& places, const GrownAxis& axis, double ratio, int count) {
  std::vector<int> dots(static_cast<std::size_t>(std::max(count, 0)), -1);
  const auto cover = [&](bool is_new) {
    for (int i = 0; i < axis.after; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if ((axis.is_new[at] != 0) != is_new) continue;
      const int first = static_cast<int>(std::lround(places.start[at] * ratio));
      // At least one dot, so that no index of a large matrix gets lost between two.
      const int last = std::max(
          first + 1, static_cast<int>(std::lround((places.start[at] + places.drawn) * ratio)));
      for (int dot = std::max(first, 0); dot < std::min(last, count); ++dot)
        dots[static_cast<std::size_t>(dot)] = i;
    }
  };
  cover(true);
  cover(false);
  return dots;
}

QRgb withOpacity(QRgb color, int opacity256) {
  if (opacity256 >= 256) return color;
  const auto part = [opacity256](int a) { return a * opacity256 >> 8; };
  return qRgba(part(qRed(color)), part(qGreen(color)), part(qBlue(color)),
               std::min(255, opacity256));
}

QImage cellImage(const GrownCells& cells, const CellColors& colors, const GrowthPlaces& places,
                 const GrowthMoment& moment, double ratio) {
  const GrownAxis &row_axis = cells.rowAxis(), &col_axis = cells.colAxis();
  const double width = std::max(places.cols.extent, places.cols.extent_after);
  const double height = std::max(places.rows.extent, places.rows.extent_after);
  QImage image(QSize(static_cast<int>(std::ceil(width * ratio)),
                     static_cast<int>(std::ceil(height * ratio))),
               QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  const std::vector<int> row_of = dotsOf(places.rows, row_axis, ratio, image.height());
  const std::vector<int> col_of = dotsOf(places.cols, col_axis, ratio, image.width());
  const int opacity = static_cast<int>(std::lround(moment.appear * 256));
  const auto bytes = static_cast<std::size_t>(image.bytesPerLine());
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const int row = row_of[static_cast<std::size_t>(y)];
    if (y > 0 && row == row_of[static_cast<std::size_t>(y) - 1]) {
      std::memcpy(line, image.constScanLine(y - 1), bytes);
      continue;
    }
    if (row < 0) {
      std::memset(line, 0, bytes);
      continue;
    }
    const std::size_t first =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(col_axis.after);
    // A copy that leaves its original is visible all the way; what has no origin appears.
    const bool row_born = row_axis.source[static_cast<std::size_t>(row)] < 0;
    for (int x = 0; x < image.width(); ++x) {
      const int col = col_of[static_cast<std::size_t>(x)];
      if (col < 0) {
        line[x] = 0;
        continue;
      }
      if (x > 0 && col == col_of[static_cast<std::size_t>(x) - 1]) {
        line[x] = line[x - 1];
        continue;
      }
      const auto at = static_cast<std::size_t>(col);
      const QRgb color = colors.at(first + at, moment.blend);
      line[x] = row_born || col_axis.source[at] < 0 ? withOpacity(color, opacity) : color;
    }
  }
  return image;
}

void paintShapes(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                 const GrowthPlaces& places, const GrowthLook& look) {
  const double radius = places.cols.pitch >= 14.0 * look.unit() ? 2.0 * look.unit() : 0.0;
  // Touching cells overlap a little: viewers show hairlines between them otherwise.
  const double overlap = places.cols.drawn < places.cols.pitch ? 0.0 : 0.3;
  painter.setPen(Qt::NoPen);
  const auto paint = [&](int row, int col) {
    const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.cols()) +
                    static_cast<std::size_t>(col);
    const bool born = cells.rowAxis().source[static_cast<std::size_t>(row)] < 0 ||
                      cells.colAxis().source[static_cast<std::size_t>(col)] < 0;
    painter.setOpacity(born ? look.moment.appear : 1.0);
    painter.setBrush(QColor(colors.at(at, look.moment.blend)));
    const QRectF cell = places.cell(row, col).adjusted(0, 0, overlap, overlap);
    if (radius > 0.0)
      painter.drawRoundedRect(cell, radius, radius);
    else
      painter.drawRect(cell);
  };
  // Old cells lie above copies that leave them.
  for (const bool old : {false, true}) {
    for (int row = 0; row < cells.rows(); ++row) {
      for (int col = 0; col < cells.cols(); ++col) {
        const bool is_new = cells.rowAxis().is_new[static_cast<std::size_t>(row)] ||
                            cells.colAxis().is_new[static_cast<std::size_t>(col)];
        if (is_new != old) paint(row, col);
      }
    }
  }
}

}  // namespace

double GrowthLook::unit() const { return style.scale(); }

CellColors::CellColors(const GrownCells& cells, const ColorTable& table, const Palette& palette) {
  const auto width = static_cast<std::size_t>(cells.cols());
  after.resize(static_cast<std::size_t>(cells.rows()) * width);
  const QRgb padding = paddingGround(palette).rgb(), alone = unpairedGround(palette).rgb();
  const bool pairs = !cells.hasUnpaired();
  for (int row = 0; row < cells.rows(); ++row)
    table.colors(cells.afterRow(row), &after[static_cast<std::size_t>(row) * width]);
  for (const CellBlock& block : cells.blocks()) {
    const bool padded = block.entry == Entry::Padding;
    if (!padded && pairs) continue;
    for (int row = block.row; row < block.row + block.rows; ++row) {
      const std::span<const float> now = cells.afterRow(row);
      QRgb* colors = &after[static_cast<std::size_t>(row) * width];
      for (int i = block.col; i < block.col + block.cols; ++i) {
        const auto col = static_cast<std::size_t>(i);
        if (padded && now[col] == 0.0F) colors[col] = padding;
        if (!pairs && std::isnan(now[col])) colors[col] = alone;
      }
    }
  }
  const std::vector<int>& source = cells.colAxis().source;
  for (int row = 0; row < cells.rows(); ++row) {
    const std::span<const float> now = cells.afterRow(row), was = cells.beforeRow(row);
    if (was.empty()) continue;
    const std::size_t line = static_cast<std::size_t>(row) * width;
    for (std::size_t col = 0; col < width; ++col) {
      if (source[col] < 0) continue;
      const float old = was[static_cast<std::size_t>(source[col])];
      if (old == now[col] || (!pairs && std::isnan(now[col]))) continue;
      if (before.empty()) before = after;
      before[line + col] = table.color(old);
    }
  }
}

QRgb CellColors::at(std::size_t cell, double blend) const {
  const QRgb to = after[cell];
  if (before.empty() || blend >= 1.0) return to;
  const QRgb from = before[cell];
  return from == to ? to : mixed(from, to, static_cast<int>(blend * 256));
}

void paintGrowthCells(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look) {
  if (cells.isEmpty()) return;
  const auto count = static_cast<std::int64_t>(cells.rows()) * cells.cols();
  painter.save();
  const bool rounded = places.cols.pitch >= 20.0 * look.unit() && count <= kMostShapes / 8;
  if ((look.vectors && count <= kMostShapes) || rounded) {
    painter.setRenderHint(QPainter::Antialiasing, look.vectors || rounded);
    paintShapes(painter, cells, colors, places, look);
  } else {
    const double dots = painter.transform().m11() * painter.device()->devicePixelRatioF();
    const double ratio = look.vectors ? std::max(dots, kPaperDots) : dots;
    const QImage image = cellImage(cells, colors, places, look.moment, ratio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(QRectF(places.origin, QSizeF(image.size()) / ratio), image);
  }
  painter.restore();
}

}  // namespace tfm::ui
