// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <array>
#include <memory>
#include <vector>

#include "core/train/study.h"
#include "ui/plots/plot_frame.h"
#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

struct PlotLook;

/// Loss and accuracy of held-out examples side by side: a thin line for each seed of a study, a
/// thick one for the mean of an arm. Its items are the means, which the arrow keys walk through.
class StudyPlots : public FigureWidget {
  Q_OBJECT

 public:
  enum class Against { Steps, Operations, Seconds };

  explicit StudyPlots(const Style& style, QWidget* parent = nullptr);

  /// Null shows empty axes. `growths` are the steps at which the growing arm grows.
  void setResult(std::shared_ptr<const train::StudyResult> result,
                 std::vector<std::int64_t> growths);
  void setAgainst(Against against);
  Against against() const { return against_; }
  /// Of the loss; values at 0 are then not shown.
  void setLogarithmic(bool logarithmic);

  QSizeF figureSize() const override { return {760, 280}; }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every measurement of every run, as train::toTsv() has it.
  DataTable figureData() const override;
  QSize minimumSizeHint() const override;

 protected:
  int itemCount() const override { return int(2 * means_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  enum Measure { kLoss, kAccuracy };

  double xOf(const train::StudySpread& mean) const;
  double xOf(const train::StudyPoint& point) const;
  PlotFrame frame(Measure measure, const QRectF& area) const;
  AxisRange rangeOfX() const;
  AxisRange rangeOfY(Measure measure) const;
  void paintPane(Measure measure, const QRectF& area, QPainter& painter,
                 const PlotLook& look) const;
  void paintAxes(Measure measure, const PlotFrame& frame, QPainter& painter,
                 const PlotLook& look) const;
  void paintGrowths(const PlotFrame& frame, QPainter& painter, const PlotLook& look) const;
  void paintLegend(const QRectF& area, QPainter& painter, const PlotLook& look) const;
  QString xTitle() const;
  /// The x axis counts in this power of ten.
  int xPower() const;

  std::shared_ptr<const train::StudyResult> result_;
  std::vector<train::StudySpread> means_;  ///< grown, then from scratch, without broken ends
  std::vector<std::int64_t> growths_;
  Against against_ = Against::Steps;
  bool logarithmic_ = false;
};

}  // namespace tfm::ui
