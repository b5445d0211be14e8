// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <vector>

#include "core/reproduce/picture.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/point_plot.h"

class QCPBarsGroup;

namespace tfm::ui {

/// A figure of a source document: lines, bars, cells or a circuit. Each number is a point.
class DrawingPlot : public PointPlot {
  Q_OBJECT

 public:
  explicit DrawingPlot(Style& style, QWidget* parent = nullptr);

  void setDrawing(reproduce::Drawing drawing);
  const reproduce::Drawing& drawing() const { return drawing_; }

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  /// All numbers: series, x, y and label.
  DataTable figureData() const override;

 protected:
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  void arrange(const PlotLook& look) const override;
  int itemCount() const override { return int(points_.size()); }
  QPointF placeOf(int point) const override;
  QRectF itemRect(int point) const override;
  QString itemText(int point) const override;

 private:
  using Kind = reproduce::DrawingKind;
  /// A number, or the step of a circuit: its series, and its place there.
  struct Point {
    int series, index;
  };
  bool is(Kind kind) const { return drawing_.kind == kind; }
  const reproduce::Series& seriesOf(const Point& point) const {
    return drawing_.series[std::size_t(point.series)];
  }
  double valueOf(const Point& point) const { return seriesOf(point).y[std::size_t(point.index)]; }
  /// What a point covers, in pixels: the visible part of a bar or a cell, a step.
  QRectF areaOf(const Point& point) const;
  /// What the axes show.
  AxisRange valueRange() const;
  AxisRange keyRange() const;
  /// Whether all x, or all y, are whole numbers.
  bool areWhole(reproduce::Numbers reproduce::Series::*numbers) const;
  void addCurve(const reproduce::Series& series);
  void dressCurves(const PlotLook& look) const;
  /// Names or numbers on the axes, whose area has this size.
  void prepareTicks(const PlotLook& look, const QSizeF& area) const;
  QStringList rowNames() const;
  void paintCells(QPainter& painter) const;
  void paintCircuit(QPainter& painter) const;
  void paintWords(QPainter& painter) const;
  void paintLevels(QPainter& painter) const;
  void paintNumbers(QPainter& painter) const;
  void paintLabels(QPainter& painter) const;

  reproduce::Drawing drawing_;
  std::vector<Point> points_;
  QCPBarsGroup* bars_;  ///< side by side
};

}  // namespace tfm::ui
