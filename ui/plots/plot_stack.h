// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/plots/plot_frame.h"

namespace tfm::ui {

class LinePlot;
struct PlotLook;
class Style;

/// Line plots above one another with one x axis: they zoom and read together, and their axes align.
/// Two quantities with different scales stay honest this way, unlike with two y axes in one plot.
class PlotStack : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit PlotStack(Style& style, QWidget* parent = nullptr);

  /// Adds a plot at the bottom; `share` is its part of the height relative to the others.
  LinePlot& addPlot(int share);
  void setTitle(const QString& title);
  /// Chooses what all plots show, or lets them follow the data with none.
  void setZoomX(std::optional<AxisRange> range);
  /// Marks the step that is shown elsewhere in all plots; none: nothing.
  void setMoment(std::optional<double> step);
  LinePlot& plot(int index) const { return *plots_[static_cast<std::size_t>(index)]; }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// One row per step, the columns of all plots side by side, each named after its plot too: the
  /// same curves may stand in several.
  DataTable figureData() const override;

 private:
  void alignPlots();
  /// Whether all plots need a legend because one of them, of these heights, has no room for labels
  /// at its lines' ends: stacked plots share their right margin.
  bool needLegend(const PlotLook& look, double width, const std::vector<double>& heights) const;

  Style& style_;
  QString title_;
  std::vector<LinePlot*> plots_;
  std::vector<int> shares_;
};

}  // namespace tfm::ui
