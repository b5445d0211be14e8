// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace tfm::ui {

/// A graph that also looks right where QCustomPlot's does not: in an SVG file, which has no clip
/// region, lines end at the axes; marks at the edge of the axes are whole.
class PlotGraph : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

  /// Where points are closer than the line is wide, draws the mean of those in each column of two
  /// pixels instead of their extremes: one clear line through a curve finer than the screen.
  void setAveraged(bool averaged) { averaged_ = averaged; }

 protected:
  void getOptimizedLineData(QVector<QCPGraphData>* line,
                            const QCPGraphDataContainer::const_iterator& begin,
                            const QCPGraphDataContainer::const_iterator& end) const override;
  void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
  void drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& places,
                       const QCPScatterStyle& style) const override;

 private:
  bool averaged_ = false;
};

}  // namespace tfm::ui
