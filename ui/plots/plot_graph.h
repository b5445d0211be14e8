// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace tfm::ui {

/// A QCPGraph that clips its lines to the axes itself, as SVG has no clip region, and does not cut
/// markers at the edge.
class PlotGraph : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

  /// If points are closer than the line width, draws the mean of each column of two pixels instead
  /// of the extremes: one clear line through noisy data.
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

/// QCPBars that clip themselves to the axes, like PlotGraph.
class PlotBars : public QCPBars {
 public:
  using QCPBars::QCPBars;

  /// See barAt().
  QRectF areaOf(double key) const;

 protected:
  void draw(QCPPainter* painter) override;
};

}  // namespace tfm::ui
