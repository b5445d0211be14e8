// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/heatmap/hatch.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kFontSize = 10.5;
constexpr double kBarWidth = 10.0;
constexpr double kBarHeight = 168.0;
constexpr double kLegendGap = 8.0;
constexpr int kBands = 64;
constexpr double kLyingBar = 90.0;
constexpr double kLyingSpace = 6.0;

/// Lines of text under the bar.
int lineCount(const Legend& legend) { return int(legend.range.size()) + (legend.masked ? 1 : 0); }

double lineHeight(const Style& style) {
  return QFontMetricsF(style.textFont(kFontSize)).height() + 4.0 * style.scale();
}

}  // namespace

Legend Legend::of(const HeatMap& map) {
  Legend legend = of(map.scale, valueRange(map.values, map.masked));
  legend.masked = map.hasMasked();
  return legend;
}

Legend Legend::of(const ColorScale& scale, const ValueRange& range) {
  Legend legend;
  legend.high = scale.numberWithSign(scale.high);
  legend.low = scale.number(scale.low);
  if (range.largest > float(scale.high)) legend.high.prepend(QStringLiteral("≥ "));
  if (range.smallest < float(scale.low)) legend.low.prepend(QStringLiteral("≤ "));
  if (scale.kind == ColorScale::Kind::Signed) legend.middle = QStringLiteral("0");
  if (!std::isnan(range.largest))
    legend.range = {tr("largest %1").arg(scale.numberWithSign(range.largest)),
                    tr("smallest %1").arg(scale.numberWithSign(range.smallest))};
  return legend;
}

void paintColorBar(QPainter& painter, const QRectF& bar, const ColorTable& colors) {
  // Bands overlap by a pixel, else vector output shows seams.
  const bool lies = bar.width() > bar.height();
  const double length = lies ? bar.width() : bar.height();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int band = 0; band < kBands; ++band) {
    const double from = length * band / kBands;
    const double thick = std::min(length, length * (band + 1) / kBands + 1) - from;
    const double share = (band + 0.5) / kBands;
    const QRectF place = lies ? QRectF(bar.left() + from, bar.top(), thick, bar.height())
                              : QRectF(bar.left(), bar.top() + from, bar.width(), thick);
    painter.fillRect(place, QColor(colors.colorAt(lies ? share : 1.0 - share)));
  }
  painter.restore();
}

double horizontalLegendWidth(const ColorScale& scale, const QFont& font, double unit) {
  const QFontMetricsF metrics(font);
  return metrics.horizontalAdvance(scale.number(scale.low)) + (kLyingBar + 2 * kLyingSpace) * unit +
         metrics.horizontalAdvance(scale.numberWithSign(scale.high));
}

void paintHorizontalLegend(QPainter& painter, const QRectF& area, const ColorScale& scale,
                           double unit, const Palette& palette) {
  const QString low = scale.number(scale.low);
  const double left =
      area.left() + QFontMetricsF(painter.font()).horizontalAdvance(low) + kLyingSpace * unit;
  const QRectF bar(left, area.center().y() - 4.0 * unit, kLyingBar * unit, 8.0 * unit);
  const int align = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip;
  painter.drawText(area, align, low);
  painter.drawText(area.adjusted(bar.right() + kLyingSpace * unit - area.left(), 0, 0, 0), align,
                   scale.numberWithSign(scale.high));
  paintColorBar(painter, bar, ColorTable(scale, palette));
  if (scale.kind != ColorScale::Kind::Signed) return;
  const double zero = bar.center().x(), out = 2.0 * unit;
  painter.drawLine(QPointF(zero, bar.top() - out), QPointF(zero, bar.bottom() + out));
}

QSizeF legendSize(const Legend& legend, const Style& style, double height) {
  const double unit = style.scale();
  const QFontMetricsF text(style.textFont(kFontSize));
  const QFontMetricsF digits(style.numberFont(kFontSize));
  const double beside = (kBarWidth + kLegendGap) * unit;
  double width = beside + std::max(digits.horizontalAdvance(legend.high),
                                   digits.horizontalAdvance(legend.low));
  for (const QString& line : legend.range) width = std::max(width, text.horizontalAdvance(line));
  if (legend.masked) width = std::max(width, beside + text.horizontalAdvance(Legend::tr("masked")));
  const double below = lineCount(legend) * lineHeight(style) + kLegendGap * unit;
  const double bar = std::clamp(height - below, 40.0 * unit, kBarHeight * unit);
  return {std::ceil(width) + 1.0, bar + below};
}

void paintLegend(QPainter& painter, const QRectF& area, const Legend& legend,
                 const ColorScale& scale, const Style& style, const Palette& palette) {
  const double unit = style.scale();
  const double line = lineHeight(style);
  const double below = lineCount(legend) * line + kLegendGap * unit;
  const QRectF bar(area.left(), area.top(), kBarWidth * unit, area.height() - below);
  paintColorBar(painter, bar, ColorTable(scale, palette));

  const QFontMetricsF digits(style.numberFont(kFontSize));
  const double left = bar.right() + kLegendGap * unit;
  const auto number = [&](const QString& text, double centre) {
    const double top = std::clamp(centre - digits.height() / 2, bar.top() - digits.descent(),
                                  bar.bottom() - digits.height() + digits.descent());
    painter.drawText(QRectF(left, top, area.right() - left + 1, digits.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
  };
  painter.setFont(style.numberFont(kFontSize));
  painter.setPen(palette.text);
  number(legend.high, bar.top());
  if (!legend.middle.isEmpty()) number(legend.middle, bar.center().y());
  number(legend.low, bar.bottom());

  painter.setFont(style.textFont(kFontSize));
  double top = bar.bottom() + kLegendGap * unit;
  painter.setPen(palette.muted);
  const auto text = [&](double from, const QString& words) {
    painter.drawText(QRectF(from, top, area.right() - from + 1, line),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, words);
  };
  for (const QString& words : legend.range) {
    text(area.left(), words);
    top += line;
  }
  if (!legend.masked) return;
  const double size = kBarWidth * unit;
  const CellPlaces swatch{{area.left(), top + (line - size) / 2}, size, size, 0.0, 1, 1};
  const std::uint8_t masked[] = {1};
  paintMasked(painter, swatch, masked, palette, unit);
  text(left, Legend::tr("masked"));
}

}  // namespace tfm::ui
