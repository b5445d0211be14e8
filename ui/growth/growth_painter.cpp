// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/growth/growth_marks.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

using expand::Entry;

constexpr double kCellMarks = 18.0;    // pitch from which each cell gets its mark
constexpr double kNumberPitch = 34.0;  // pitch from which it gets its number
constexpr double kMinBlock = 4.0;      // smaller blocks show only their colours
constexpr int kMaxStrips = 64;
constexpr std::int64_t kMaxShapes = 20'000;
constexpr double kPaperDots = 2.0;  // dots per pixel of images in vector files

QRgb mixed(QRgb from, QRgb to, int share256) {
  const auto part = [share256](int a, int b) { return a + ((b - a) * share256 >> 8); };
  return qRgb(part(qRed(from), qRed(to)), part(qGreen(from), qGreen(to)),
              part(qBlue(from), qBlue(to)));
}

/// The index that covers each dot of an axis, -1 for none. Moving old indices cover new ones.
std::vector<int> dotsOf(const AxisPlaces& places, const GrownAxis& axis, double ratio, int count) {
  std::vector<int> dots(std::size_t(std::max(count, 0)), -1);
  const auto cover = [&](bool is_new) {
    for (int i = 0; i < axis.after; ++i) {
      const auto at = std::size_t(i);
      if ((axis.is_new[at] != 0) != is_new) continue;
      const int first = int(std::lround(places.start[at] * ratio));
      // At least one dot, so that no index of a large matrix disappears.
      const int last =
          std::max(first + 1, int(std::lround((places.start[at] + places.drawn) * ratio)));
      for (int dot = std::max(first, 0); dot < std::min(last, count); ++dot)
        dots[std::size_t(dot)] = i;
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
  QImage image(QSize(int(std::ceil(width * ratio)), int(std::ceil(height * ratio))),
               QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  const std::vector<int> row_of = dotsOf(places.rows, row_axis, ratio, image.height());
  const std::vector<int> col_of = dotsOf(places.cols, col_axis, ratio, image.width());
  const int opacity = int(std::lround(moment.appear * 256));
  const auto bytes = std::size_t(image.bytesPerLine());
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const int row = row_of[std::size_t(y)];
    if (y > 0 && row == row_of[std::size_t(y) - 1]) {
      std::memcpy(line, image.constScanLine(y - 1), bytes);
      continue;
    }
    if (row < 0) {
      std::memset(line, 0, bytes);
      continue;
    }
    const std::size_t first = std::size_t(row) * std::size_t(col_axis.after);
    // A copy is visible all the way from its original; what has no origin fades in.
    const bool row_born = row_axis.source[std::size_t(row)] < 0;
    for (int x = 0; x < image.width(); ++x) {
      const int col = col_of[std::size_t(x)];
      if (col < 0) {
        line[x] = 0;
        continue;
      }
      if (x > 0 && col == col_of[std::size_t(x) - 1]) {
        line[x] = line[x - 1];
        continue;
      }
      const auto at = std::size_t(col);
      const QRgb color = colors.at(first + at, moment.blend);
      line[x] = row_born || col_axis.source[at] < 0 ? withOpacity(color, opacity) : color;
    }
  }
  return image;
}

void paintShapes(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                 const GrowthPlaces& places, const GrowthLook& look) {
  const double radius = places.cols.pitch >= 14.0 * look.unit() ? 2.0 * look.unit() : 0.0;
  // Touching cells overlap slightly, else viewers show hairlines between them.
  const double overlap = places.cols.drawn < places.cols.pitch ? 0.0 : 0.3;
  painter.setPen(Qt::NoPen);
  const auto paint = [&](int row, int col) {
    const auto at = std::size_t(row) * std::size_t(cells.cols()) + std::size_t(col);
    const bool born = cells.rowAxis().source[std::size_t(row)] < 0 ||
                      cells.colAxis().source[std::size_t(col)] < 0;
    painter.setOpacity(born ? look.moment.appear : 1.0);
    painter.setBrush(QColor(colors.at(at, look.moment.blend)));
    const QRectF cell = places.cell(row, col).adjusted(0, 0, overlap, overlap);
    if (radius > 0.0)
      painter.drawRoundedRect(cell, radius, radius);
    else
      painter.drawRect(cell);
  };
  // Old cells are drawn above the copies that leave them.
  for (const bool old : {false, true}) {
    for (int row = 0; row < cells.rows(); ++row) {
      for (int col = 0; col < cells.cols(); ++col) {
        const bool is_new =
            cells.rowAxis().is_new[std::size_t(row)] || cells.colAxis().is_new[std::size_t(col)];
        if (is_new != old) paint(row, col);
      }
    }
  }
}

bool bornNew(Entry entry) {
  return entry == Entry::Zero || entry == Entry::Free || entry == Entry::Derived ||
         entry == Entry::Padding;
}

std::size_t indexOf(const GrownCells& cells, int row, int col) {
  return std::size_t(row) * std::size_t(cells.cols()) + std::size_t(col);
}

void paintCellMarks(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                    const GrowthPlaces& places, const GrowthLook& look) {
  for (int row = 0; row < cells.rows(); ++row) {
    for (int col = 0; col < cells.cols(); ++col) {
      const Entry entry = cells.entry(row, col);
      if (entry == Entry::Copied && !cells.lacksFactor()) continue;
      const QRectF cell = places.cell(row, col);
      const QColor ground(colors.after[indexOf(cells, row, col)]);
      paintMark(painter, cell, entry, ground, look.palette, look.unit());
      if (cells.violates(row, col) || entry == Entry::Copied)
        paintViolation(painter, cell, ground, look.palette, look.unit());
    }
  }
}

void paintBlockMarks(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                     const GrowthPlaces& places, const GrowthLook& look) {
  for (const CellBlock& block : cells.blocks()) {
    if (block.entry == Entry::Copied && !cells.lacksFactor()) continue;
    const QRectF area = places.block(block);
    if (std::max(area.width(), area.height()) < kMinBlock * look.unit()) continue;
    // The values of a free block differ from cell to cell: contrast with the neutral colour.
    const QColor ground = block.entry == Entry::Zero
                              ? QColor(colors.after[indexOf(cells, block.row, block.col)])
                              : look.palette.zero;
    paintMark(painter, area, block.entry, ground, look.palette, look.unit());
    if (block.entry == Entry::Copied || cells.violates(block))
      paintViolation(painter, area, ground, look.palette, look.unit());
  }
}

/// Two decimals without the zero before the point: ".20".
QString cellNumber(float value, int decimals) {
  if (value == 0.0F) return QStringLiteral("0");
  QString text = QString::number(double(value), 'f', decimals);
  const qsizetype at = text.indexOf(QLatin1String("0."));
  if (at >= 0 && std::abs(value) < 1.0F && text.size() > decimals + 1) text.remove(at, 1);
  return text;
}

bool hasCopies(const GrownAxis& axis) {
  for (std::size_t i = 0; i < axis.source.size(); ++i)
    if (axis.is_new[i] && axis.source[i] >= 0) return true;
  return false;
}

bool isHatched(Entry entry) { return entry == Entry::Zero || entry == Entry::Padding; }

/// Clears a place for a number in the middle of a hatched cell.
void paintPlate(QPainter& painter, const QRectF& cell, const QColor& ground, double unit) {
  const double across = cell.width() * 0.16, down = cell.height() * 0.3;
  QPainterPath plate;
  plate.addRoundedRect(cell.adjusted(across, down, -across, -down), 3 * unit, 3 * unit);
  painter.fillPath(plate, ground);
}

/// Runs of new indices, as first and count.
std::vector<std::pair<int, int>> newStrips(const GrownAxis& axis) {
  std::vector<std::pair<int, int>> strips;
  for (int i = 0; i < axis.after; ++i) {
    if (!axis.is_new[std::size_t(i)]) continue;
    if (!strips.empty() && strips.back().first + strips.back().second == i)
      ++strips.back().second;
    else
      strips.push_back({i, 1});
  }
  return strips;
}

}  // namespace

double GrowthLook::unit() const { return style.scale(); }

CellColors::CellColors(const GrownCells& cells, const ColorTable& table, const Palette& palette) {
  const auto width = std::size_t(cells.cols());
  after.resize(std::size_t(cells.rows()) * width);
  const QRgb padding = paddingGround(palette).rgb(), alone = unpairedGround(palette).rgb();
  const bool pairs = !cells.hasUnpaired();
  for (int row = 0; row < cells.rows(); ++row)
    table.colors(cells.afterRow(row), &after[std::size_t(row) * width]);
  for (const CellBlock& block : cells.blocks()) {
    const bool padded = block.entry == Entry::Padding;
    if (!padded && pairs) continue;
    for (int row = block.row; row < block.row + block.rows; ++row) {
      const std::span<const float> now = cells.afterRow(row);
      QRgb* colors = &after[std::size_t(row) * width];
      for (int i = block.col; i < block.col + block.cols; ++i) {
        const auto col = std::size_t(i);
        if (padded && now[col] == 0.0F) colors[col] = padding;
        if (!pairs && std::isnan(now[col])) colors[col] = alone;
      }
    }
  }
  const std::vector<int>& source = cells.colAxis().source;
  for (int row = 0; row < cells.rows(); ++row) {
    const std::span<const float> now = cells.afterRow(row), was = cells.beforeRow(row);
    if (was.empty()) continue;
    const std::size_t line = std::size_t(row) * width;
    for (std::size_t col = 0; col < width; ++col) {
      if (source[col] < 0) continue;
      const float old = was[std::size_t(source[col])];
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
  return from == to ? to : mixed(from, to, int(blend * 256));
}

void paintGrowthCells(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look) {
  if (cells.isEmpty()) return;
  const auto count = std::int64_t(cells.rows()) * cells.cols();
  painter.save();
  const bool rounded = places.cols.pitch >= 20.0 * look.unit() && count <= kMaxShapes / 8;
  if ((look.vectors && count <= kMaxShapes) || rounded) {
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

void paintGrowthMarks(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look) {
  if (look.moment.appear <= 0.0) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(look.moment.appear);
  if (places.cols.pitch >= kCellMarks * look.unit())
    paintCellMarks(painter, cells, colors, places, look);
  else
    paintBlockMarks(painter, cells, colors, places, look);
  painter.restore();
}

void paintGrowthNumbers(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                        const GrowthPlaces& places, const GrowthLook& look) {
  if (places.cols.pitch < kNumberPitch * look.unit()) return;
  // Moving copies pass over others, so numbers could not be read.
  const bool moving = look.moment.slide > 0.0 && look.moment.slide < 1.0;
  if (moving && (hasCopies(cells.rowAxis()) || hasCopies(cells.colAxis()))) return;
  const int decimals = std::clamp(look.scale.decimals(), 0, 2);
  painter.save();
  painter.setFont(look.style.numberFont(10.5));
  for (int row = 0; row < cells.rows(); ++row) {
    for (int col = 0; col < cells.cols(); ++col) {
      if (cells.isUnpaired(row, col)) continue;
      const Entry entry = cells.entry(row, col);
      painter.setOpacity(bornNew(entry) ? look.moment.appear : 1.0);
      const QColor ground(colors.at(indexOf(cells, row, col), look.moment.blend));
      if (isHatched(entry)) paintPlate(painter, places.cell(row, col), ground, look.unit());
      painter.setPen(readableOn(ground));
      const float now = look.moment.blend < 0.5
                            ? cells.before(row, col).value_or(cells.after(row, col))
                            : cells.after(row, col);
      painter.drawText(places.cell(row, col), Qt::AlignCenter, cellNumber(now, decimals));
    }
  }
  painter.restore();
}

void paintGhost(QPainter& painter, const GrownCells& cells, const GrowthPlaces& places,
                const GrowthLook& look) {
  if (look.moment.appear <= 0.0) return;
  const auto rows = newStrips(cells.rowAxis()), cols = newStrips(cells.colAxis());
  if ((rows.empty() && cols.empty()) || rows.size() + cols.size() > kMaxStrips) return;
  const double out = 1.5 * look.unit();
  QPainterPath outline;
  const auto add = [&](const CellBlock& block) {
    QPainterPath strip;
    strip.addRect(places.block(block).adjusted(-out, -out, out, out));
    outline = outline.isEmpty() ? strip : outline.united(strip);
  };
  for (const auto& [first, count] : rows) add({first, 0, count, cells.cols(), Entry::Zero});
  for (const auto& [first, count] : cols) add({0, first, cells.rows(), count, Entry::Zero});
  QPen pen(mixOklab(look.palette.panel, look.palette.text, 0.7), 1.3 * look.unit());
  pen.setDashPattern({3, 2.5});
  pen.setJoinStyle(Qt::MiterJoin);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(look.moment.appear);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(rows.size() + cols.size() == 1 ? outline : outline.simplified());
  painter.restore();
}

}  // namespace tfm::ui
