// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_graph.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tfm::ui {
namespace {

/// Clips the segment a-b to `rect` (Liang and Barsky 1984). False if it is outside.
bool cut(QPointF& a, QPointF& b, const QRectF& rect) {
  const QPointF d = b - a;
  double enter = 0, leave = 1;
  const std::array<double, 4> slope = {-d.x(), d.x(), -d.y(), d.y()};
  const std::array<double, 4> room = {a.x() - rect.left(), rect.right() - a.x(), a.y() - rect.top(),
                                      rect.bottom() - a.y()};
  for (std::size_t side = 0; side < 4; ++side) {
    if (slope[side] == 0 && room[side] < 0) return false;
    if (slope[side] == 0) continue;
    const double share = room[side] / slope[side];
    if (slope[side] < 0)
      enter = std::max(enter, share);
    else
      leave = std::min(leave, share);
  }
  if (!(enter <= leave)) return false;  // also for NaN coordinates
  b = a + leave * d;
  a += enter * d;
  return true;
}

}  // namespace

void PlotGraph::getOptimizedLineData(QVector<QCPGraphData>* line,
                                     const QCPGraphDataContainer::const_iterator& begin,
                                     const QCPGraphDataContainer::const_iterator& end) const {
  const int columns = keyAxis()->axisRect()->width() / 2;
  if (!averaged_ || end - begin <= columns) return QCPGraph::getOptimizedLineData(line, begin, end);
  const QCPRange& shown = keyAxis()->range();
  const bool logarithmic = valueAxis()->scaleType() == QCPAxis::stLogarithmic;
  const auto columnOf = [&](const QCPGraphData& point) {
    return std::min(std::floor((point.key - shown.lower) / shown.size() * columns), columns - 1.0);
  };
  for (auto point = begin; point != end;) {
    const double column = columnOf(*point);
    QCPGraphData sum(0, 0);
    double count = 0;
    for (; point != end && columnOf(*point) == column; ++point) {
      if (std::isnan(point->value) || (logarithmic && point->value <= 0)) continue;
      sum.key += point->key;
      sum.value += point->value;
      ++count;
    }
    // A column without finite values divides by 0, which gives a gap.
    line->append({count > 0 ? sum.key / count : (point - 1)->key, sum.value / count});
  }
}

void PlotGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const {
  if (!painter->modes().testFlag(QCPPainter::pmVectorized))
    return QCPGraph::drawLinePlot(painter, lines);
  QVector<QPointF> piece;
  for (qsizetype i = 1; i < lines.size(); ++i) {
    QPointF from = lines[i - 1], to = lines[i];
    const bool inside = cut(from, to, clipRect());
    if (!piece.isEmpty() && (!inside || from != piece.last())) {
      QCPGraph::drawLinePlot(painter, piece);
      piece.clear();
    }
    if (!inside) continue;
    if (piece.isEmpty()) piece << from;
    piece << to;
  }
  if (!piece.isEmpty()) QCPGraph::drawLinePlot(painter, piece);
}

void PlotGraph::drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& places,
                                const QCPScatterStyle& style) const {
  const int room = int(std::ceil(style.size()));
  const QRect axes = clipRect();
  painter->setClipRect(axes.adjusted(-room, -room, room, room));
  QVector<QPointF> inside;
  for (const QPointF& place : places)
    if (QRectF(axes).adjusted(-1, -1, 1, 1).contains(place)) inside << place;
  QCPGraph::drawScatterPlot(painter, inside, style);
}

QRectF PlotBars::areaOf(double key) const {
  const QRectF axes = clipRect();
  QRectF bar = getBarRect(key, data()->findBegin(key, false)->value).normalized();
  bar.setTop(std::clamp(bar.top(), axes.top(), axes.bottom()));
  bar.setBottom(std::clamp(bar.bottom(), axes.top(), axes.bottom()));
  bar.setLeft(std::clamp(bar.left(), axes.left(), axes.right()));
  bar.setRight(std::clamp(bar.right(), axes.left(), axes.right()));
  return bar;
}

void PlotBars::draw(QCPPainter* painter) {
  painter->setAntialiasing(false);
  painter->setRenderHint(QPainter::Antialiasing);
  for (const QCPBarsData& bar : *data()) painter->fillRect(areaOf(bar.key), brush());
}

}  // namespace tfm::ui
