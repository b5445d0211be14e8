// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/axis_labels.h"

#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLongest = 104.0;  // pixels at scale 1 that a label may take from the map

double fontSizeFor(double pitch, const Style& style) {
  const double at_scale_1 = pitch / style.scale();
  return at_scale_1 >= 44.0 ? 15.0 : at_scale_1 >= 19.0 ? 12.0 : 10.5;
}

double longestText(const QStringList& texts, const QFontMetricsF& metrics) {
  double longest = 0.0;
  for (const QString& text : texts) longest = std::max(longest, metrics.horizontalAdvance(text));
  return longest;
}

QStringList elided(const QStringList& texts, const QFontMetricsF& metrics, double width) {
  QStringList fitting;
  fitting.reserve(texts.size());
  for (const QString& text : texts) fitting.append(metrics.elidedText(text, Qt::ElideRight, width));
  return fitting;
}

}  // namespace

AxisLabels fitRowLabels(const QStringList& texts, double pitch, const Style& style) {
  AxisLabels labels;
  labels.font = style.numberFont(fontSizeFor(pitch, style));
  if (texts.isEmpty()) return labels;
  const QFontMetricsF metrics(labels.font);
  const double longest = kLongest * style.scale();
  labels.texts = elided(texts, metrics, longest);
  labels.step = std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.9 / pitch)));
  labels.extent = std::min(longest, longestText(texts, metrics));
  return labels;
}

AxisLabels fitColumnLabels(const QStringList& texts, double pitch, const Style& style) {
  AxisLabels labels;
  labels.font = style.numberFont(fontSizeFor(pitch, style));
  if (texts.isEmpty()) return labels;
  const QFontMetricsF metrics(labels.font);
  const double line = metrics.height();
  const double text = longestText(texts, metrics);
  if (text <= pitch - 4.0 * style.scale()) {
    labels.texts = texts;
    labels.extent = line;
    return labels;
  }
  const double longest = std::min(kLongest * style.scale(), text);
  labels.texts = elided(texts, metrics, longest);
  // A slanted label is easier to read than an upright one but needs 1.4 times the room.
  if (pitch >= 1.4 * line) {
    labels.angle = 45.0;
    labels.extent = (longest + line) * std::sqrt(0.5);
    return labels;
  }
  // Single characters stay upright and are thinned out; turned ones would be harder to read.
  const double one = metrics.horizontalAdvance(QLatin1Char('m'));
  if (text <= 2.0 * one) {
    labels.step = std::max(1, static_cast<int>(std::ceil((text + 2.0 * style.scale()) / pitch)));
    labels.extent = line;
    return labels;
  }
  labels.angle = 90.0;
  labels.step = std::max(1, static_cast<int>(std::ceil(line * 0.9 / pitch)));
  labels.extent = longest;
  return labels;
}

QColor labelColor(const Palette& palette, Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::Locked:
      return palette.mark;
    case Emphasis::Hovered:
      return palette.text;
    case Emphasis::None:
      break;
  }
  return palette.muted;
}

bool labelShown(int index, int count, int step, const EmphasisOf& emphasis) {
  if (emphasis(index) != Emphasis::None) return true;
  if (index % step != 0) return false;
  for (int near = std::max(0, index - step + 1); near < std::min(count, index + step); ++near)
    if (emphasis(near) != Emphasis::None) return false;
  return true;
}

void paintRowLabels(QPainter& painter, const AxisLabels& labels, const CellGrid& grid, double space,
                    const Palette& palette, const EmphasisOf& emphasis) {
  painter.setFont(labels.font);
  const double height = QFontMetricsF(labels.font).height();
  for (int row = 0; row < labels.texts.size(); ++row) {
    if (!labelShown(row, grid.rows, labels.step, emphasis)) continue;
    painter.setPen(labelColor(palette, emphasis(row)));
    const QRectF place(grid.origin.x() - space - labels.extent - 1.0,
                       grid.rowCentre(row) - height / 2, labels.extent + 1.0, height);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                     labels.texts[row]);
  }
}

void paintColumnLabels(QPainter& painter, const AxisLabels& labels, const CellGrid& grid,
                       double space, const Palette& palette, const EmphasisOf& emphasis) {
  painter.setFont(labels.font);
  const double height = QFontMetricsF(labels.font).height();
  for (int col = 0; col < labels.texts.size(); ++col) {
    if (!labelShown(col, grid.cols, labels.step, emphasis)) continue;
    painter.setPen(labelColor(palette, emphasis(col)));
    painter.save();
    painter.translate(grid.colCentre(col), grid.origin.y() - space);
    if (labels.angle == 0.0) {
      const double width = grid.cell_width * labels.step;
      painter.drawText(QRectF(-width / 2, -height, width, height),
                       Qt::AlignCenter | Qt::TextDontClip, labels.texts[col]);
    } else {
      // The text starts at the column; a slanted one starts its lower corner there.
      painter.rotate(-labels.angle);
      const double up = labels.angle == 90.0 ? -height / 2 : -height * 0.75;
      painter.drawText(QRectF(0.0, up, labels.extent * 2, height),
                       Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, labels.texts[col]);
    }
    painter.restore();
  }
}

}  // namespace tfm::ui
