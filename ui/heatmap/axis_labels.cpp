// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/axis_labels.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QSet>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Pixels at scale 1.
constexpr double kLongest = 104.0;  // of a label, and of all levels together if they are legible
constexpr double kLeast = 46.0;     // of a longer label on one of several levels: eight letters
constexpr double kLevelGap = 5.0;

constexpr double kDense = 0.9;  // of the line height: lines this close do not touch

/// A way to fit dense labels: smaller, or on several levels.
struct Setting {
  double size;  ///< of the font, at scale 1
  int levels;
};
constexpr std::array<Setting, 6> kSettings{
    {{10.5, 1}, {9.0, 1}, {10.5, 2}, {9.0, 2}, {9.0, 3}, {8.5, 4}}};

double fontSizeFor(double pitch, const Style& style) {
  const double at_scale_1 = pitch / style.scale();
  return at_scale_1 >= 44.0 ? 15.0 : at_scale_1 >= 19.0 ? 12.0 : 10.5;
}

/// Measuring a text takes far longer than looking it up, and labels repeat.
double longestText(const QSet<QString>& texts, const QFontMetricsF& metrics) {
  double longest = 0.0;
  for (const QString& text : texts) longest = std::max(longest, metrics.horizontalAdvance(text));
  return longest;
}

QSet<QString> differentOf(const QStringList& texts) { return {texts.begin(), texts.end()}; }

QStringList elided(const QStringList& texts, const QFontMetricsF& metrics, double width) {
  QStringList fitting;
  fitting.reserve(texts.size());
  for (const QString& text : texts) fitting.append(metrics.elidedText(text, Qt::ElideRight, width));
  return fitting;
}

/// Chooses font and levels for labels that each need `need` pixels along the axis.
void fit(AxisLabels& labels, double pitch, const Style& style,
         const std::function<double(const QFontMetricsF&)>& need) {
  labels.font = style.numberFont(fontSizeFor(pitch, style));
  if (need(QFontMetricsF(labels.font)) <= pitch) return;
  for (const Setting& setting : kSettings) {
    labels.font = style.numberFont(setting.size);
    labels.levels = setting.levels;
    if (need(QFontMetricsF(labels.font)) <= pitch * setting.levels) return;
  }
  labels.levels = int(std::ceil(need(QFontMetricsF(labels.font)) / pitch));
}

/// Elides rotated texts to the length that all levels together may take.
void cut(AxisLabels& labels, const QStringList& texts, const Style& style) {
  const QFontMetricsF metrics(labels.font);
  const double gap = kLevelGap * style.scale();
  const double share = (kLongest * style.scale() + gap) / labels.levels - gap;
  const double room = std::max(share, kLeast * style.scale());
  labels.texts = elided(texts, metrics, room);
  const double longest = std::min(room, longestText(differentOf(texts), metrics));
  labels.level = longest + gap;
  labels.extent = longest + (labels.levels - 1) * labels.level;
}

/// Lines from the map to labels on farther levels.
void paintLeader(QPainter& painter, const QPointF& from, const QPointF& to,
                 const Palette& palette) {
  painter.setPen(
      QPen(palette.line, 1.0, Qt::DotLine));  // so that it is not mistaken for a character
  painter.drawLine(from, to);
}

}  // namespace

AxisLabels fitRowLabels(const QStringList& texts, double pitch, const Style& style) {
  AxisLabels labels;
  fit(labels, pitch, style, [](const QFontMetricsF& m) { return kDense * m.height(); });
  if (!texts.isEmpty()) cut(labels, texts, style);
  return labels;
}

AxisLabels fitColumnLabels(const QStringList& texts, double pitch, const Style& style) {
  AxisLabels labels;
  labels.font = style.numberFont(fontSizeFor(pitch, style));
  if (texts.isEmpty()) return labels;
  const QFontMetricsF metrics(labels.font);
  const double line = metrics.height();
  const QSet<QString> different = differentOf(texts);
  const double text = longestText(different, metrics);
  const double apart = 4.0 * style.scale();
  // Single characters stay upright: rotated ones are harder to read.
  const bool upright = text <= pitch - apart || text <= 2.0 * metrics.averageCharWidth();
  if (upright) {
    fit(labels, pitch, style,
        [&](const QFontMetricsF& m) { return longestText(different, m) + apart / 2; });
    labels.texts = texts;
    labels.level = kDense * QFontMetricsF(labels.font).height();
    labels.extent = line + (labels.levels - 1) * labels.level;
    return labels;
  }
  // A slanted label is easier to read than a vertical one but needs 1.4 times the room.
  if (pitch >= 1.4 * line) {
    labels.angle = 45.0;
    const double longest = std::min(kLongest * style.scale(), text);
    labels.texts = elided(texts, metrics, longest);
    labels.extent = (longest + line) * std::sqrt(0.5);
    return labels;
  }
  labels = fitRowLabels(texts, pitch, style);
  labels.angle = 90.0;
  return labels;
}

double leastLabelPitch(const Style& style) {
  const auto [size, levels] = kSettings.back();
  return kDense * QFontMetricsF(style.numberFont(size)).height() / levels;
}

QColor labelColor(const Palette& palette, Emphasis emphasis) {
  if (emphasis == Emphasis::Locked) return palette.mark;
  return emphasis == Emphasis::Hovered ? palette.text : palette.muted;
}

void paintRowLabels(QPainter& painter, const AxisLabels& labels, const CellPlaces& grid,
                    double space, const Palette& palette, const EmphasisOf& emphasis) {
  painter.setFont(labels.font);
  const double height = QFontMetricsF(labels.font).height();
  const auto count = int(labels.texts.size());
  const auto right = [&](int row) { return grid.origin.x() - space - labels.offset(row); };
  for (int row = 0; row < count; ++row)
    if (labels.offset(row) > 0.0)
      paintLeader(painter, {right(row) + 2.0, grid.rowCentre(row)},
                  {grid.origin.x() - space / 2, grid.rowCentre(row)}, palette);
  for (int row = 0; row < count; ++row) {
    painter.setPen(labelColor(palette, emphasis(row)));
    const QRectF place(right(row) - labels.extent - 1.0, grid.rowCentre(row) - height / 2,
                       labels.extent + 1.0, height);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                     labels.texts[row]);
  }
}

void paintColumnLabels(QPainter& painter, const AxisLabels& labels, const CellPlaces& grid,
                       double space, const Palette& palette, const EmphasisOf& emphasis) {
  painter.setFont(labels.font);
  const double height = QFontMetricsF(labels.font).height();
  const auto count = int(labels.texts.size());
  const auto bottom = [&](int col) { return grid.origin.y() - space - labels.offset(col); };
  for (int col = 0; col < count; ++col)
    if (labels.offset(col) > 0.0 && labels.angle > 0.0)  // vertical ones are directly above
      paintLeader(painter, {grid.colCentre(col), bottom(col) + 1.0},
                  {grid.colCentre(col), grid.origin.y() - space / 2}, palette);
  for (int col = 0; col < count; ++col) {
    painter.setPen(labelColor(palette, emphasis(col)));
    painter.save();
    painter.translate(grid.colCentre(col), bottom(col));
    if (labels.angle == 0.0) {
      const double width = grid.cell_width * labels.levels;
      painter.drawText(QRectF(-width / 2, -height, width, height),
                       Qt::AlignCenter | Qt::TextDontClip, labels.texts[col]);
    } else {
      // The text starts at the column; a slanted one with its lower corner.
      painter.rotate(-labels.angle);
      const double up = labels.angle == 90.0 ? -height / 2 : -height * 0.75;
      painter.drawText(QRectF(0.0, up, labels.extent * 2, height),
                       Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, labels.texts[col]);
    }
    painter.restore();
  }
}

}  // namespace tfm::ui
