// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

#include "ui/figure/figure.h"

namespace tfm::ui {

struct PlotLook;
class Style;

/// The learning rate over all planned steps, small, with a dot where training is.
class SchedulePlot : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit SchedulePlot(Style& style, QWidget* parent = nullptr);

  /// Samples (step, learning rate) of the schedule, steps increasing.
  void setCurve(std::vector<QPointF> samples);
  /// Where training is, with the learning rate in force there (it may have been set by hand).
  void setNow(double step, double rate);

  QString figureTitle() const override { return tr("Learning rate"); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override { return sizeHint() / 2; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint(QPainter& painter, const QRectF& area, const PlotLook& look) const;

  Style& style_;
  std::vector<QPointF> samples_;
  QPointF now_;
};

}  // namespace tfm::ui
