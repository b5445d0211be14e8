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
constexpr double kSpace = 8.0;
constexpr int kBands = 64;

/// Lines of text under the bar.
int lineCount(const Legend& legend) {
  return static_cast<int>(legend.range.size()) + (legend.masked ? 1 : 0) + (legend.zeros ? 1 : 0);
}

double lineHeight(const Style& style) {
  return QFontMetricsF(style.textFont(kFontSize)).height() + 4.0 * style.scale();
}

void paintSwatch(QPainter& painter, const QRectF& swatch, Hatch lean, const Style& style,
                 const Palette& palette, const ColorTable& colors) {
  const double unit = style.scale();
  if (lean == Hatch::Rising) {
    const CellGrid one{swatch.topLeft(), swatch.width(), swatch.height(), 0.0, 1, 1};
    const std::uint8_t masked[] = {1};
    paintMasked(painter, one, masked, palette, unit);
  } else {
    paintZero(painter, swatch, QColor(colors.color(0.0)), unit);
  }
}

}  // namespace

Legend Legend::of(const HeatMap& map) {
  Legend legend = of(map.scale, valueRange(map.values, map.masked));
  legend.masked = map.hasMasked();
  legend.zeros = map.hatch_zeros;
  return legend;
}

Legend Legend::of(const ColorScale& scale, const ValueRange& range) {
  Legend legend;
  legend.high = scale.numberWithSign(scale.high);
  legend.low = scale.number(scale.low);
  if (range.largest > static_cast<float>(scale.high)) legend.high.prepend(QStringLiteral("≥ "));
  if (range.smallest < static_cast<float>(scale.low)) legend.low.prepend(QStringLiteral("≤ "));
  if (scale.kind == ColorScale::Kind::Signed) legend.middle = QStringLiteral("0");
  if (!std::isnan(range.largest))
    legend.range = {tr("largest %1").arg(scale.numberWithSign(range.largest)),
                    tr("smallest %1").arg(scale.numberWithSign(range.smallest))};
  return legend;
}

QSizeF legendSize(const Legend& legend, const Style& style, double height) {
  const double unit = style.scale();
  const QFontMetricsF text(style.textFont(kFontSize));
  const QFontMetricsF digits(style.numberFont(kFontSize));
  const double beside = (kBarWidth + kSpace) * unit;
  double width = beside + std::max(digits.horizontalAdvance(legend.high),
                                   digits.horizontalAdvance(legend.low));
  for (const QString& line : legend.range) width = std::max(width, text.horizontalAdvance(line));
  if (legend.masked) width = std::max(width, beside + text.horizontalAdvance(Legend::tr("masked")));
  if (legend.zeros)
    width = std::max(width, beside + text.horizontalAdvance(Legend::tr("exactly 0")));
  const double below = lineCount(legend) * lineHeight(style) + kSpace * unit;
  const double bar = std::clamp(height - below, 40.0 * unit, kBarHeight * unit);
  return {std::ceil(width) + 1.0, bar + below};
}

void paintLegend(QPainter& painter, const QRectF& area, const Legend& legend,
                 const ColorScale& scale, const Style& style, const Palette& palette) {
  const double unit = style.scale();
  const double line = lineHeight(style);
  const double below = lineCount(legend) * line + kSpace * unit;
  const QRectF bar(area.left(), area.top(), kBarWidth * unit, area.height() - below);
  const ColorTable colors(scale, palette);
  for (int band = 0; band < kBands; ++band) {
    // Bands overlap by a pixel: seams between them would show in vector output.
    const double top = bar.top() + bar.height() * band / kBands;
    const double bottom =
        std::min(bar.bottom(), bar.top() + bar.height() * (band + 1) / kBands + 1);
    const double share = 1.0 - (band + 0.5) / kBands;
    painter.fillRect(QRectF(bar.left(), top, bar.width(), bottom - top),
                     QColor(colors.colorAt(share)));
  }

  const QFontMetricsF digits(style.numberFont(kFontSize));
  const double left = bar.right() + kSpace * unit;
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
  double top = bar.bottom() + kSpace * unit;
  const auto text = [&](double from, const QString& words) {
    painter.setPen(palette.muted);
    painter.drawText(QRectF(from, top, area.right() - from + 1, line),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, words);
  };
  const auto swatch = [&](Hatch lean, const QString& words) {
    const double size = kBarWidth * unit;
    paintSwatch(painter, {area.left(), top + (line - size) / 2, size, size}, lean, style, palette,
                colors);
    text(left, words);
    top += line;
  };
  for (const QString& words : legend.range) {
    text(area.left(), words);
    top += line;
  }
  if (legend.masked) swatch(Hatch::Rising, Legend::tr("masked"));
  if (legend.zeros) swatch(Hatch::Falling, Legend::tr("exactly 0"));
}

}  // namespace tfm::ui
