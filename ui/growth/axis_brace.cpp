// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "ui/growth/growth_painter.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kFontSize = 12.0;
constexpr double kTick = 5.0;
constexpr double kBraceSpace = 5.0;  // between matrix and bracket

bool changes(const GrownAxis& axis) { return axis.before != axis.after && axis.before > 0; }

QFont braceFont(const Style& style, bool strong) {
  return style.textFont(kFontSize, strong ? QFont::DemiBold : QFont::Normal);
}

/// The longest text that fits: name and sizes, sizes, nothing.
QString braceText(const GrownAxis& axis, const QFontMetricsF& metrics, double room) {
  const QString sizes = changes(axis) ? QStringLiteral("%1 → %2").arg(axis.before).arg(axis.after)
                                      : QString::number(axis.after);
  const QString whole = axis.name + QLatin1Char(' ') + sizes;
  for (const QString& text : {whole, sizes})
    if (metrics.horizontalAdvance(text) <= room) return text;
  return {};
}

/// Whether the new part is contiguous at the end, so that the bracket can mark it.
bool growsAtTheEnd(const GrownAxis& axis) {
  if (!changes(axis) || axis.before > axis.after) return false;
  for (int i = 0; i < axis.after; ++i)
    if ((axis.is_new[std::size_t(i)] != 0) != (i >= axis.before)) return false;
  return true;
}

}  // namespace

QPointF paintBracket(QPainter& painter, const QLineF& line, const std::pair<double, double>& bold,
                     const QColor& color, const Palette& palette, double unit) {
  if (line.length() < 1.0) return line.p1();
  const QPointF along = (line.p2() - line.p1()) / line.length(), out(along.y(), -along.x());
  const auto at = [&](double way, double far) {
    return line.p1() + way * along + (kBraceSpace + far) * unit * out;
  };
  const auto stretch = [&](double from, double to, const QPen& pen) {
    painter.setPen(pen);
    painter.drawPolyline(QPolygonF{at(from, 0.0), at(from, kTick), at(to, kTick), at(to, 0.0)});
  };
  stretch(0.0, line.length(), QPen(color, 1.2 * unit));
  if (bold.first < bold.second) stretch(bold.first, bold.second, QPen(palette.text, 2.2 * unit));
  return at(line.length() / 2, kTick + 3.0);
}

double braceRoom(const Style& style) {
  return QFontMetricsF(braceFont(style, true)).height() +
         (kBraceSpace + kTick + 3.0) * style.scale();
}

void paintPlanArrow(QPainter& painter, const QPolygonF& way, double unit) {
  const QLineF line(way[way.size() - 2], way.back());
  const double head = std::min(5.0 * unit, line.length());
  if (head <= 0.0) return;
  const QPointF back = (line.p1() - line.p2()) * (head / line.length());
  const QPointF side(-0.6 * back.y(), 0.6 * back.x());
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(way);
  painter.drawPolyline(QPolygonF{line.p2() + back + side, line.p2(), line.p2() + back - side});
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
  const double fresh = split ? length - line.start[std::size_t(axis.before)] : 0.0;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(places.origin);
  if (!columns) {
    // Read from bottom to top, so the axis is reversed.
    painter.rotate(-90.0);
    painter.translate(-length, 0.0);
  }
  paintBracket(painter, {0.0, 0.0, length, 0.0},
               columns ? std::pair(length - fresh, length) : std::pair(0.0, fresh),
               look.palette.muted, look.palette, look.unit());
  painter.setFont(font);
  painter.setPen(changes(axis) ? look.palette.text : look.palette.muted);
  const double width = metrics.horizontalAdvance(text);
  // Texts longer than their axis start with it; those of rows end at its top.
  const double left = width <= length ? (length - width) / 2 : (columns ? 0.0 : length - width);
  painter.drawText(QPointF(left, -(kBraceSpace + kTick + 2.0) * look.unit() - metrics.descent()),
                   text);
  painter.restore();
}

}  // namespace tfm::ui
