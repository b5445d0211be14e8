// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <utility>
#include <vector>

#include "core/reproduce/picture.h"
#include "ui/plots/point_plot.h"

class QCPAbstractPlottable;

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
  int pointCount() const override { return int(points_.size()); }
  QPointF placeOf(int point) const override;
  int pointAt(const QPointF& place) const override;
  QString pointText(int point) const override;

 private:
  using Kind = reproduce::DrawingKind;
  /// A number: its series, and its place there.
  struct Point {
    int series, index;
  };
  bool is(Kind kind) const { return drawing_.kind == kind; }
  /// What a point covers, in pixels: a bar, a cell, a step.
  QRectF areaOf(const Point& point) const;
  double valueOf(const Point& point) const;
  /// What the axes show.
  std::pair<double, double> valueRange() const;
  std::pair<double, double> keyRange() const;
  /// Whether all x, or all y, are whole numbers.
  bool areWhole(reproduce::Numbers reproduce::Series::*numbers) const;
  void prepareNames(const PlotLook& look, const QSizeF& area) const;
  void paintBelow(QPainter& painter) const;
  void paintAbove(QPainter& painter) const;
  void paintLevels(QPainter& painter) const;
  void paintCells(QPainter& painter) const;
  void paintBars(QPainter& painter) const;
  void paintCircuit(QPainter& painter) const;
  void paintLabels(QPainter& painter) const;

  reproduce::Drawing drawing_;
  std::vector<Point> points_;
  /// A line for each series, or the sample of its bars, which are painted with their numbers.
  std::vector<QCPAbstractPlottable*> curves_;
};

}  // namespace tfm::ui
