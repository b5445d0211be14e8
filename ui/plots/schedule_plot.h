// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <vector>

#include "ui/plots/plot.h"

class QCPGraph;
class QCPItemText;
class QCPItemTracer;

namespace tfm::ui {

/// A small plot of the learning rate over all planned steps, with a dot at the current step.
class SchedulePlot : public Plot {
  Q_OBJECT

 public:
  explicit SchedulePlot(Style& style, QWidget* parent = nullptr);

  /// Samples (step, learning rate) of the schedule, steps increasing.
  void setCurve(std::vector<QPointF> samples);
  /// The current step and learning rate, which may have been set by hand.
  void setNow(double step, double rate);

  QSizeF figureSize() const override;
  DataTable figureData() const override;
  QSize minimumSizeHint() const override { return sizeHint() / 2; }

 protected:
  void prepare(const PlotLook& look, const QSizeF& size) const override;

 private:
  std::vector<QPointF> samples_;
  QPointF now_;
  QCPGraph *done_, *planned_;
  QCPItemTracer* dot_;
  QCPItemText *title_, *rate_, *first_, *last_;  ///< in the four corners
};

}  // namespace tfm::ui
