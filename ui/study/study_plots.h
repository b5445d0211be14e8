// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/study/compare_models.h"
#include "ui/plots/forward.h"
#include "ui/plots/point_plot.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Loss and accuracy of held-out examples side by side: a thin line for each seed of a study, a
/// thick one for the mean of an arm in a band of one standard deviation. The means are the points:
/// first those of the loss, then of the accuracy. Against parameters, only the ends of the runs are
/// shown. Both zoom in x together.
class StudyPlots : public PointPlot {
  Q_OBJECT

 public:
  enum class Against { Steps, Operations, Parameters, Seconds };

  explicit StudyPlots(Style& style, QWidget* parent = nullptr);

  /// Null shows empty axes. `growths` are the steps at which the first arm grows.
  void setResult(std::shared_ptr<const train::StudyCurves> result,
                 std::vector<std::int64_t> growths);
  void setAgainst(Against against);
  Against against() const { return against_; }
  /// Makes the loss axis logarithmic, which does not show values at 0.
  void setLogarithmic(bool logarithmic);

  QSizeF figureSize() const override;
  /// All measurements of all runs, as in train::toTsv().
  DataTable figureData() const override;
  QSize minimumSizeHint() const override;

 protected:
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  void arrange(const PlotLook& look) const override;
  int itemCount() const override { return 2 * int(shown_.size()); }
  QPointF placeOf(int point) const override;
  QString itemText(int point) const override;

 private:
  enum Measure { kLoss, kAccuracy };
  enum class Role { Seed, Mean, Low, High };  ///< the last two: ends of the band
  struct Curve {
    QCPGraph* graph;
    int arm;
    Role role;
  };

  int armOf(const std::string& name) const;
  double xOf(const train::StudySpread& mean) const;
  double xOf(const train::StudyPoint& point) const;
  double yOf(Measure measure, const train::StudySpread& mean) const;
  double deviationOf(Measure measure, const train::StudySpread& mean) const;
  /// The value of a graph of an arm at a measurement of all its runs.
  double valueOf(Role role, Measure measure, const train::StudySpread& mean) const;
  std::optional<double> xOfGrowth(std::int64_t step) const;
  /// Makes the graphs.
  void fill();
  /// Shows everything, or what the user zoomed to.
  void showAll() const;
  void paintWords(QPainter& painter) const;
  QString xTitle() const;
  /// The power of ten that the x axis counts in.
  int xPower() const;

  std::shared_ptr<const train::StudyCurves> result_;
  std::vector<std::string> arms_;
  std::vector<train::StudySpread> means_;  ///< by arm, up to the last step of all its runs
  std::vector<train::StudySpread> shown_;  ///< of these, the points
  std::vector<std::int64_t> growths_;
  Against against_ = Against::Steps;
  bool logarithmic_ = false;
  double highest_x_ = 0;   ///< of all measurements
  QCPAxisRect* panes_[2];  ///< of the loss and of the accuracy
  std::vector<Curve> curves_;
};

}  // namespace tfm::ui
