// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

void paintLegendLabel(QPainter& painter, const LineScene& scene, const LineLayout::Label& label,
                      const PlotLook& look) {
  const double y = label.box.center().y();
  painter.setPen(look.seriesPen(label.curve));
  painter.drawLine(QPointF(label.box.left(), y), QPointF(label.box.left() + 22 * look.unit, y));
  painter.setFont(look.strong);
  painter.setPen(look.palette.text);
  painter.drawText(label.box.adjusted(28 * look.unit, 0, 2, 0), Qt::AlignVCenter,
                   scene.curves[label.curve].name);
}

/// A bar with two ends, as far as it lies on the axes.
void paintInterval(QPainter& painter, const LineScene& scene, const LineLayout& layout, int index,
                   const PlotLook& look) {
  const auto& interval = scene.curves[static_cast<std::size_t>(index)].interval;
  const LineLayout::Curve& curve = layout.curves[static_cast<std::size_t>(index)];
  if (!interval || !curve.end || (layout.frame.logarithmic && interval->low <= 0)) return;
  const QRectF& rect = layout.frame.rect;
  const double x = curve.end->x(), cap = 4 * look.unit;
  painter.setPen(QPen(look.seriesColour(index), 1.5 * look.unit, Qt::SolidLine, Qt::FlatCap));
  double ends[2];
  for (const int i : {0, 1}) {
    const double y = layout.frame.yToPixel(i == 0 ? interval->high : interval->low);
    ends[i] = std::clamp(y, rect.top(), rect.bottom());
    if (y == ends[i]) painter.drawLine(QPointF(x - cap, y), QPointF(x + cap, y));
  }
  painter.drawLine(QPointF(x, ends[0]), QPointF(x, ends[1]));
}

void paintEndLabel(QPainter& painter, const LineScene& scene, const LineLayout& layout,
                   const LineLayout::Label& label, const PlotLook& look) {
  const LineLayout::Curve& curve = layout.curves[label.curve];
  const QColor colour = look.seriesColour(label.curve);
  const double text_left = label.box.left() + 8 * look.unit;
  const QPointF join(label.box.left() + 5 * look.unit, label.box.center().y());
  if (std::abs(curve.end->x() - layout.frame.rect.right()) < 1) {
    painter.setPen(QPen(colour, look.unit));
    painter.drawLine(*curve.end, join);
  }
  painter.setFont(look.strong);
  painter.setPen(colour);
  const QString& name = scene.curves[label.curve].name;
  painter.drawText(label.box.adjusted(text_left - label.box.left(), 0, 0, 0), Qt::AlignVCenter,
                   name);
  painter.setFont(look.number);
  painter.setPen(look.palette.text);
  const double offset = QFontMetricsF(look.strong).horizontalAdvance(name) + 6 * look.unit;
  painter.drawText(label.box.adjusted(text_left - label.box.left() + offset, 0, 4, 0),
                   Qt::AlignVCenter, readingText(scene, curve.last));
}

void paintFlag(QPainter& painter, const LineScene& scene, const LineLayout& layout,
               const LineLayout::Flag& flag, const PlotLook& look) {
  const QColor& colour = look.palette.*scene.flags[flag.index].colour;
  const double top = flag.box.top() + 3 * look.unit, unit = look.unit;
  painter.setPen(look.markerPen(colour));
  painter.drawLine(QPointF(flag.x, top), QPointF(flag.x, layout.frame.rect.bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const double tip = flag.x + (flag.leftwards ? -7 : 7) * unit;
  painter.drawPolygon(QPolygonF(
      {QPointF(flag.x, top), QPointF(tip, top + 4 * unit), QPointF(flag.x, top + 8 * unit)}));
  painter.setBrush(Qt::NoBrush);
  if (flag.text.isEmpty()) return;
  painter.setFont(look.text);
  painter.setPen(colour);
  const double mark = LineLayout::Flag::kMark * unit;
  if (flag.leftwards)
    painter.drawText(flag.box.adjusted(-4, 0, -mark, 0), Qt::AlignVCenter | Qt::AlignRight,
                     flag.text);
  else
    painter.drawText(flag.box.adjusted(mark, 0, 4, 0), Qt::AlignVCenter, flag.text);
}

void paintNote(QPainter& painter, const LineLayout& layout, const PlotLook& look) {
  if (layout.note.isEmpty()) return;
  painter.setFont(look.text);
  const QRectF& rect = layout.frame.rect;
  const double pad = 4 * look.unit;
  QRectF box =
      painter.boundingRect(rect.adjusted(3 * pad, pad, -3 * pad, -2 * pad),
                           Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, layout.note);
  painter.fillRect(box.adjusted(-pad, 0, pad, 0), look.palette.panel);
  painter.setPen(look.palette.muted);
  painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, layout.note);
}

}  // namespace

void paintLabels(QPainter& painter, const LineScene& scene, const LineLayout& layout,
                 const PlotLook& look, const QSizeF& size) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF& rect = layout.frame.rect;
  const double gap = 6 * look.unit;
  painter.setFont(look.text);
  painter.setPen(look.palette.muted);
  painter.drawText(QRectF(gap, layout.edge, size.width(), layout.row), Qt::AlignVCenter,
                   layout.y_title);
  if (scene.x_labels)
    painter.drawText(
        layout.x_title,
        (layout.x_title.left() < rect.left() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
        scene.x_title);
  // A curve added since the layout was made has no place in it yet.
  for (std::size_t i = 0; i < layout.curves.size(); ++i)
    paintInterval(painter, scene, layout, static_cast<int>(i), look);
  for (const LineLayout::Flag& flag : layout.flags) paintFlag(painter, scene, layout, flag, look);
  for (const LineLayout::Label& label : layout.labels) {
    if (layout.labels_at_ends)
      paintEndLabel(painter, scene, layout, label, look);
    else
      paintLegendLabel(painter, scene, label, look);
  }
  paintNote(painter, layout, look);
}

}  // namespace tfm::ui
