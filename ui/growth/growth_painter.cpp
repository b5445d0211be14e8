// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_painter.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_marks.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

using expand::Entry;

constexpr double kCellMarks = 18.0;    // pitch from which each cell has its mark
constexpr double kNumberPitch = 34.0;  // pitch from which it has its number
constexpr double kLeastBlock = 4.0;    // smaller blocks show their colours only
constexpr int kMostStrips = 64;

bool bornNew(Entry entry) {
  return entry == Entry::Zero || entry == Entry::Free || entry == Entry::Derived ||
         entry == Entry::Padding;
}

std::size_t indexOf(const GrownCells& cells, int row, int col) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.cols()) +
         static_cast<std::size_t>(col);
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

bool anyViolation(const GrownCells& cells, const CellBlock& block) {
  for (int row = block.row; row < block.row + block.rows; ++row)
    for (int col = block.col; col < block.col + block.cols; ++col)
      if (cells.violates(row, col)) return true;
  return false;
}

void paintBlockMarks(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                     const GrowthPlaces& places, const GrowthLook& look) {
  for (const CellBlock& block : cells.blocks()) {
    if (block.entry == Entry::Copied && !cells.lacksFactor()) continue;
    const QRectF area = places.block(block);
    if (std::max(area.width(), area.height()) < kLeastBlock * look.unit()) continue;
    // Values of a free block differ from cell to cell: dots that stand out from the neutral do.
    const QColor ground = block.entry == Entry::Zero
                              ? QColor(colors.after[indexOf(cells, block.row, block.col)])
                              : look.palette.zero;
    paintMark(painter, area, block.entry, ground, look.palette, look.unit());
    const bool zero = block.entry == Entry::Zero || block.entry == Entry::Padding;
    if (block.entry == Entry::Copied || (zero && anyViolation(cells, block)))
      paintViolation(painter, area, ground, look.palette, look.unit());
  }
}

/// Two decimals, and without the zero before the point: ".20".
QString cellNumber(const QLocale& locale, float value, int decimals) {
  if (value == 0.0F) return QStringLiteral("0");
  QString text = locale.toString(static_cast<double>(value), 'f', decimals);
  const QString zero = QLatin1Char('0') + locale.decimalPoint();
  const qsizetype at = text.indexOf(zero);
  if (at >= 0 && std::abs(value) < 1.0F && text.size() > decimals + 1) text.remove(at, 1);
  return text;
}

bool hasCopies(const GrownAxis& axis) {
  for (std::size_t i = 0; i < axis.source.size(); ++i)
    if (axis.is_new[i] && axis.source[i] >= 0) return true;
  return false;
}

bool isHatched(Entry entry) { return entry == Entry::Zero || entry == Entry::Padding; }

/// A free place for a number in the middle of a hatched cell.
void paintPlate(QPainter& painter, const QRectF& cell, const QColor& ground, double unit) {
  const double across = cell.width() * 0.16, down = cell.height() * 0.3;
  QPainterPath plate;
  plate.addRoundedRect(cell.adjusted(across, down, -across, -down), 3 * unit, 3 * unit);
  painter.fillPath(plate, ground);
}

/// Neighbouring indices that are new, as first and count.
std::vector<std::pair<int, int>> newStrips(const GrownAxis& axis) {
  std::vector<std::pair<int, int>> strips;
  for (int i = 0; i < axis.after; ++i) {
    if (!axis.is_new[static_cast<std::size_t>(i)]) continue;
    if (!strips.empty() && strips.back().first + strips.back().second == i)
      ++strips.back().second;
    else
      strips.push_back({i, 1});
  }
  return strips;
}

}  // namespace

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
  // Copies pass over others on their way: no numbers can be read then.
  const bool moving = look.moment.slide > 0.0 && look.moment.slide < 1.0;
  if (moving && (hasCopies(cells.rowAxis()) || hasCopies(cells.colAxis()))) return;
  const QLocale locale;
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
      painter.drawText(places.cell(row, col), Qt::AlignCenter, cellNumber(locale, now, decimals));
    }
  }
  painter.restore();
}

void paintGhost(QPainter& painter, const GrownCells& cells, const GrowthPlaces& places,
                const GrowthLook& look) {
  if (look.moment.appear <= 0.0) return;
  const auto rows = newStrips(cells.rowAxis()), cols = newStrips(cells.colAxis());
  if ((rows.empty() && cols.empty()) || rows.size() + cols.size() > kMostStrips) return;
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
