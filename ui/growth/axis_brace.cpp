// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/growth/growth_painter.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kFontSize = 12.0;
constexpr double kTick = 5.0;
constexpr double kSpace = 5.0;  // between matrix and bracket

bool changes(const GrownAxis& axis) { return axis.before != axis.after && axis.before > 0; }

QFont braceFont(const Style& style, bool strong) {
  return style.textFont(kFontSize, strong ? QFont::DemiBold : QFont::Normal);
}

/// As many words as there is room for: name and sizes, sizes, nothing.
QString braceText(const GrownAxis& axis, const QFontMetricsF& metrics, double room) {
  const QString sizes = changes(axis) ? QStringLiteral("%1 → %2").arg(axis.before).arg(axis.after)
                                      : QString::number(axis.after);
  const QString whole = axis.name + QLatin1Char(' ') + sizes;
  for (const QString& text : {whole, sizes})
    if (metrics.horizontalAdvance(text) <= room) return text;
  return {};
}

/// Whether what is new stands in one piece at the end, so that the bracket can tell it apart.
bool growsAtTheEnd(const GrownAxis& axis) {
  if (!changes(axis) || axis.before > axis.after) return false;
  for (int i = 0; i < axis.after; ++i)
    if ((axis.is_new[static_cast<std::size_t>(i)] != 0) != (i >= axis.before)) return false;
  return true;
}

/// The bracket from 0 to `length`, standing on the line y = 0; `split` is where the new part
/// begins.
void paintBracket(QPainter& painter, double length, double split, const GrowthLook& look) {
  const double tick = kTick * look.unit(), top = -(kSpace + kTick) * look.unit();
  const double foot = top + tick;
  painter.setPen(QPen(look.palette.muted, 1.2 * look.unit()));
  painter.drawLine(QPointF(0, foot), QPointF(0, top));
  painter.drawLine(QPointF(0, top), QPointF(std::min(split, length), top));
  if (split < length) {
    painter.setPen(QPen(look.palette.text, 2.2 * look.unit()));
    painter.drawLine(QPointF(split, top), QPointF(length, top));
    painter.drawLine(QPointF(split, foot), QPointF(split, top));
  }
  painter.drawLine(QPointF(length, top), QPointF(length, foot));
}

}  // namespace

double braceRoom(const Style& style) {
  return QFontMetricsF(braceFont(style, true)).height() + (kSpace + kTick + 3.0) * style.scale();
}

void paintBrace(QPainter& painter, const GrownAxis& axis, const GrowthPlaces& places,
                Qt::Orientation along, double room, const GrowthLook& look) {
  if (axis.name.isEmpty()) return;
  const bool columns = along == Qt::Horizontal;
  const AxisPlaces& line = columns ? places.cols : places.rows;
  const double length = line.extent - (line.pitch - line.drawn);
  const QFont font = braceFont(look.style, changes(axis));
  const QFontMetricsF metrics(font);
  const QString text = braceText(axis, metrics, room);
  const bool split = growsAtTheEnd(axis) && look.moment.slide >= 1.0;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(places.origin);
  if (!columns) {
    // Read from below to above, so the axis runs backwards.
    painter.rotate(-90.0);
    painter.translate(-length, 0.0);
  }
  if (columns) {
    paintBracket(painter, length,
                 split ? line.start[static_cast<std::size_t>(axis.before)] : length, look);
  } else {
    painter.save();
    painter.translate(length, 0.0);
    painter.scale(-1.0, 1.0);
    paintBracket(painter, length,
                 split ? line.start[static_cast<std::size_t>(axis.before)] : length, look);
    painter.restore();
  }
  painter.setFont(font);
  painter.setPen(changes(axis) ? look.palette.text : look.palette.muted);
  const double width = metrics.horizontalAdvance(text);
  // Words longer than their axis start with it; those of rows end at its top.
  const double left = width <= length ? (length - width) / 2 : (columns ? 0.0 : length - width);
  painter.drawText(QPointF(left, -(kSpace + kTick + 2.0) * look.unit() - metrics.descent()), text);
  painter.restore();
}

}  // namespace tfm::ui
