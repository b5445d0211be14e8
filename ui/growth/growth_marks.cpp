// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_marks.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QVarLengthArray>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ui/heatmap/hatch.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

using expand::Entry;

struct MarkText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::GrowthMarks)
};

struct MarkWords {
  QString name, reason;
};

const MarkWords& wordsOf(Entry entry) {
  static const std::array kWords{
      MarkWords{MarkText::tr("copied"), MarkText::tr("Copied: an old entry, unchanged.")},
      MarkWords{
          MarkText::tr("rescaled"),
          MarkText::tr("rescaled: an old entry times a factor that compensates for the new size: "
                       "a larger divisor, or an input that occurs more than once.")},
      MarkWords{
          MarkText::tr("adjusted"),
          MarkText::tr("Adjusted: an old entry, centred or moved so that the norm after it gives "
                       "the same result.")},
      MarkWords{MarkText::tr("must be zero"),
                MarkText::tr("Must be zero, so that new parts add nothing to the old.")},
      MarkWords{
          MarkText::tr("free"),
          MarkText::tr("Free: may have any value, since what it feeds is multiplied by zero.")},
      MarkWords{MarkText::tr("mean of old"),
                MarkText::tr("Mean of old entries, so that the mean over all stays the same.")},
      MarkWords{MarkText::tr("padding"),
                MarkText::tr("Padding: always zero, since this head did not grow.")}};
  return kWords.at(std::size_t(entry));
}

constexpr double kRadius = 3.0;

QColor inkOn(const QColor& ground, double strength) {
  return mixOklab(ground, readableOn(ground), strength);
}

/// `color`, darkened or lightened until it contrasts with `ground`.
QColor visibleOn(const QColor& color, const QColor& ground) {
  constexpr double kMinDifference = 0.25;
  constexpr double kMinContrast = 3.0;  // WCAG 2.1, 1.4.11: graphical objects
  if (difference(color, ground) >= kMinDifference) return color;
  for (const double share : {0.5, 0.65, 0.8}) {
    const QColor mixed = mixOklab(color, readableOn(ground), share);
    if (contrast(mixed, ground) >= kMinContrast) return mixed;
  }
  return readableOn(ground);
}

/// Dots along the border of a small area, or all over a large one.
void paintDots(QPainter& painter, const QRectF& area, const QColor& color, double unit) {
  const double size = 1.8 * unit;
  const double inset = 2.6 * unit;
  const QRectF inner = area.adjusted(inset, inset, -inset, -inset);
  if (inner.width() <= 0 || inner.height() <= 0) return;
  const bool frame_only = std::max(area.width(), area.height()) < 64 * unit;
  const double pitch = frame_only ? 4.6 * unit : 7.0 * unit;
  const int across = std::max(1, int(std::round(inner.width() / pitch)));
  const int down = std::max(1, int(std::round(inner.height() / pitch)));
  QVarLengthArray<QPointF, 128> dots;
  for (int y = 0; y <= down; ++y)
    for (int x = 0; x <= across; ++x)
      if (!frame_only || y == 0 || y == down || x == 0 || x == across)
        dots.append(
            {inner.left() + inner.width() * x / across, inner.top() + inner.height() * y / down});
  if (painter.paintEngine()->type() != QPaintEngine::Raster) {
    painter.setPen(QPen(color, size, Qt::SolidLine, Qt::RoundCap));
    painter.drawPoints(dots.constData(), int(dots.size()));
    return;
  }
  // At this size a square looks like a disc and is much faster to fill.
  const double side = size * std::sqrt(std::numbers::pi) / 2.0;
  QVarLengthArray<QRectF, 128> squares;
  for (const QPointF& dot : dots)
    squares.append({dot - QPointF(side, side) / 2.0, QSizeF(side, side)});
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRects(squares.constData(), int(squares.size()));
}

void paintInnerFrame(QPainter& painter, const QRectF& area, const QColor& color, double unit) {
  const double width = 1.6 * unit;
  const double inset = width / 2 + 0.6 * unit;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color, width));
  painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), kRadius * unit / 2,
                          kRadius * unit / 2);
}

void paintMeanBar(QPainter& painter, const QRectF& area, const QColor& color, double unit) {
  const double half = std::min(area.width() * 0.28, 20 * unit);
  const double y = area.top() + std::min(4.0 * unit, area.height() / 4);
  painter.setPen(QPen(color, 1.6 * unit, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(QPointF(area.center().x() - half, y), QPointF(area.center().x() + half, y));
}

void paintCorner(QPainter& painter, const QRectF& area, const QColor& color, double unit) {
  const double side = std::min({7.0 * unit, area.width() / 2, area.height() / 2});
  const QPointF corner = area.topRight() + QPointF(-1.5 * unit, 1.5 * unit);
  const QPointF triangle[] = {corner, corner - QPointF(side, 0), corner + QPointF(0, side)};
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(triangle, 3);
}

}  // namespace

QString markName(Entry entry) { return wordsOf(entry).name; }

QString markReason(Entry entry) { return wordsOf(entry).reason; }

QString violationReason() {
  return MarkText::tr("Should be zero but is not: the growth is broken here.");
}

QString unscaledReason() {
  return MarkText::tr("Should be rescaled but is not: the growth is broken here.");
}

QString unpairedName() { return MarkText::tr("no counterpart"); }

QString unpairedReason() {
  return MarkText::tr(
      "No counterpart: B has no such number to subtract, since its matrix is smaller.");
}

QColor paddingGround(const Palette& palette) {
  return mixOklab(palette.panel, palette.muted, 0.22);
}

QColor unpairedGround(const Palette& palette) {
  return mixOklab(palette.panel, palette.muted, 0.6);
}

QColor swatchGround(Entry entry, const Palette& palette) {
  if (entry == Entry::Zero) return palette.zero;
  return entry == Entry::Padding ? paddingGround(palette) : unpairedGround(palette);
}

QString factorText(double least, double largest) {
  const QString first = QStringLiteral("× ") + QString::number(least, 'g', 5);
  if (least == largest) return first;
  return first + QStringLiteral(" … ") + QString::number(largest, 'g', 5);
}

void paintMark(QPainter& painter, const QRectF& area, Entry entry, const QColor& ground,
               const Palette& palette, double unit) {
  switch (entry) {
    case Entry::Copied:
      return;
    case Entry::Scaled:
      return paintInnerFrame(painter, area, visibleOn(palette.accent, ground), unit);
    case Entry::Adjusted:
      return paintCorner(painter, area, inkOn(ground, 0.6), unit);
    case Entry::Zero:
      return hatch(painter, area, Hatch::Falling, 5.0 * unit, inkOn(ground, 0.28), unit);
    case Entry::Free:
      return paintDots(painter, area, inkOn(ground, 0.6), unit);
    case Entry::Derived:
      return paintMeanBar(painter, area, inkOn(ground, 0.75), unit);
    case Entry::Padding: {
      const QColor ink = inkOn(paddingGround(palette), 0.25);
      hatch(painter, area, Hatch::Falling, 7.0 * unit, ink, unit);
      return hatch(painter, area, Hatch::Rising, 7.0 * unit, ink, unit);
    }
  }
}

void paintViolation(QPainter& painter, const QRectF& area, const QColor& ground,
                    const Palette& palette, double unit) {
  paintInnerFrame(painter, area, visibleOn(palette.bad, ground), 1.5 * unit);
}

double paintBadge(QPainter* painter, const QPointF& left, const QString& text, const QFont& font,
                  const Palette& palette, double unit) {
  const QFontMetricsF metrics(font);
  const double height = metrics.height() + 2 * unit;
  const QRectF pill(left.x(), left.y() - height / 2, metrics.horizontalAdvance(text) + 14 * unit,
                    height);
  if (!painter) return pill.width();
  painter->setPen(QPen(palette.accent, 1.4 * unit));
  painter->setBrush(Qt::NoBrush);
  painter->drawRoundedRect(pill, height / 2, height / 2);
  painter->setFont(font);
  painter->setPen(palette.text);
  painter->drawText(pill, Qt::AlignCenter, text);
  return pill.width();
}

}  // namespace tfm::ui
