// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_flag.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/plots/plot_frame.h"

namespace tfm::ui {
namespace {

constexpr double kMark = 11;  // units for the pennant beside the text

}  // namespace

std::vector<PlacedFlag> placeFlags(const std::vector<PlotFlag>& flags, int most_rows, double row,
                                   double left, double right, const PlotLook& look,
                                   const std::function<double(double step)>& xOf) {
  std::vector<PlacedFlag> placed;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (const double x = xOf(flags[i].step); x >= left) placed.push_back({int(i), crisp(x)});
  std::ranges::stable_sort(placed, {}, &PlacedFlag::x);
  const QFontMetricsF metrics(look.text);
  const double mark = kMark * look.unit;
  std::vector<double> taken(std::size_t(most_rows), -INFINITY);
  int hidden = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    PlacedFlag& flag = placed[i];
    const double first = placed[i - std::size_t(hidden)].x;  // of those it counts
    QString text = flags[std::size_t(flag.index)].text;
    if (hidden > 0)
      text = QCoreApplication::translate("LinePlot", "%1 changes · %2").arg(hidden + 1).arg(text);
    const double next = i + 1 < placed.size() ? placed[i + 1].x - 4 * look.unit : right;
    const auto free = std::ranges::find_if(taken, [&](double x) { return x <= flag.x; });
    const std::size_t at =
        free == taken.end() ? taken.size() - 1 : std::size_t(free - taken.begin());
    // In the last row there is no room for the next flag.
    const bool last_row = at + 1 == taken.size();
    const bool next_is_here = i + 1 < placed.size() && placed[i + 1].x < flag.x + mark;
    const double room = (last_row ? next : right) - flag.x - mark;
    const double before = first - std::max(taken[at], left) - mark;
    flag.leftwards =
        metrics.horizontalAdvance(text) > room && before > room && !(last_row && next_is_here);
    const double given = flag.leftwards ? before : room;
    if (given > 40 * look.unit || metrics.horizontalAdvance(text) <= given)
      flag.text = metrics.elidedText(text, Qt::ElideRight, given);
    flag.hidden = flag.text.isEmpty() ? 0 : hidden;
    hidden = flag.text.isEmpty() ? hidden + 1 : 0;
    const double width = mark + metrics.horizontalAdvance(flag.text);
    flag.box = QRectF(flag.leftwards ? first - width : flag.x, double(at) * row, width, row);
    if (!flag.text.isEmpty()) taken[at] = std::max(flag.x, flag.box.right()) + 4 * look.unit;
  }
  return placed;
}

void paintFlags(QPainter& painter, const std::vector<PlacedFlag>& placed,
                const std::vector<PlotFlag>& flags, double bottom, const PlotLook& look) {
  for (const PlacedFlag& flag : placed) {
    const QColor& colour = look.palette.*flags[std::size_t(flag.index)].colour;
    const QPointF top(flag.x, flag.box.top() + 3 * look.unit);
    paintFlag(painter, top, bottom, colour, look, flag.leftwards);
    painter.setFont(look.text);
    painter.setPen(colour);
    const double mark = kMark * look.unit;
    painter.drawText(
        flag.leftwards ? flag.box.adjusted(-4, 0, -mark, 0) : flag.box.adjusted(mark, 0, 4, 0),
        Qt::AlignVCenter | (flag.leftwards ? Qt::AlignRight : Qt::AlignLeft), flag.text);
  }
}

void paintFlag(QPainter& painter, const QPointF& top, double bottom, const QColor& colour,
               const PlotLook& look, bool leftwards) {
  painter.setPen(look.markerPen(colour));
  painter.drawLine(top, QPointF(top.x(), bottom));
  const double width = (leftwards ? -7 : 7) * look.unit, height = 8 * look.unit;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF({top, top + QPointF(width, height / 2), top + QPointF(0, height)}));
  painter.setBrush(Qt::NoBrush);
}

}  // namespace tfm::ui
