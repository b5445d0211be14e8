// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/brace.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/style/style.h"

namespace tfm::ui {

QPointF paintBrace(QPainter& painter, const QPointF& a, const QPointF& b, const Palette& palette,
                   const Style& style) {
  const QLineF line(a, b);
  if (line.length() < 1) return a;
  const double depth = style.px(7), gap = style.px(5);
  const QPointF along = (b - a) / line.length();
  const QPointF out(along.y(), -along.x());
  const auto at = [&](double way, double far) { return a + way * along + (gap + far) * out; };
  const double middle = line.length() / 2, bend = std::min(depth, middle);
  QPainterPath brace(at(0, 0));
  brace.quadTo(at(0, depth / 2), at(bend, depth / 2));
  brace.lineTo(at(middle - bend / 2, depth / 2));
  brace.quadTo(at(middle, depth / 2), at(middle, depth));
  brace.quadTo(at(middle, depth / 2), at(middle + bend / 2, depth / 2));
  brace.lineTo(at(line.length() - bend, depth / 2));
  brace.quadTo(at(line.length(), depth / 2), at(line.length(), 0));
  painter.setPen(QPen(palette.text, style.px(1.25)));
  painter.drawPath(brace);
  return at(middle, depth + style.px(3));
}

}  // namespace tfm::ui
