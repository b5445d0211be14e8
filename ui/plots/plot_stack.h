// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/figure/forward.h"
#include "ui/plots/forward.h"
#include "ui/plots/plot_frame.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Stacked line plots with a common x axis: they share zoom and cursor, and their axes align.
/// Preferred to two y axes in one plot, which mislead.
class PlotStack : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit PlotStack(Style& style, QWidget* parent = nullptr);

  /// Adds a plot at the bottom; `share` is its part of the height relative to the others.
  LinePlot& addPlot(int share);
  void setTitle(const QString& title);
  /// Sets the x range of all plots; nullopt follows the data.
  void setZoomX(std::optional<AxisRange> range);
  /// Marks the shown step in all plots; nullopt removes the mark.
  void setMoment(std::optional<double> step);
  LinePlot& plot(int index) const { return *plots_[std::size_t(index)]; }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// One row per step with the columns of all plots, whose names include the plot's, since several
  /// plots may have the same curves.
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
