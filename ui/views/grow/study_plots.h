// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/train/study.h"
#include "ui/plots/plot.h"

class QCPAxisRect;
class QCPGraph;
class QCPItemTracer;

namespace tfm::ui {

/// Held-out loss and accuracy side by side: a thin line for each seed of a study, a thick one for
/// the mean of an arm. The arrow keys go through the means.
class StudyPlots : public Plot {
  Q_OBJECT

 public:
  enum class Against { Steps, Operations, Seconds };

  explicit StudyPlots(Style& style, QWidget* parent = nullptr);

  /// Null shows empty axes. `growths` are the steps at which the growing arm grows.
  void setResult(std::shared_ptr<const train::StudyResult> result,
                 std::vector<std::int64_t> growths);
  void setAgainst(Against against);
  Against against() const { return against_; }
  /// For the loss; values at 0 are then not shown.
  void setLogarithmic(bool logarithmic);

  QSizeF figureSize() const override;
  /// All measurements of all runs, as in train::toTsv().
  DataTable figureData() const override;
  QSize minimumSizeHint() const override;

 protected:
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  QString toolTipAt(const QPointF& place) const override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum Measure { kLoss, kAccuracy };
  struct Curve {
    QCPGraph* graph;
    train::StudyArm arm;
    bool mean;
  };

  double xOf(const train::StudySpread& mean) const;
  double xOf(const train::StudyPoint& point) const;
  double yOf(Measure measure, const train::StudySpread& mean) const;
  std::optional<double> xOfGrowth(std::int64_t step) const;
  /// The place of a mean; those of the loss come first, then of the accuracy.
  QPointF placeOf(std::size_t item) const;
  QString itemText(std::size_t item) const;
  void setCurrent(int item);
  /// Makes the graphs.
  void fill();
  /// Rescales the axes to show everything.
  void showAll();
  void paintWords(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  QString xTitle() const;
  /// The x axis counts in this power of ten.
  int xPower() const;

  std::shared_ptr<const train::StudyResult> result_;
  std::vector<train::StudySpread> means_;  ///< grown, then from scratch, without broken ends
  std::vector<std::int64_t> growths_;
  Against against_ = Against::Steps;
  bool logarithmic_ = false;
  int current_ = -1;       ///< the mean reached by keyboard; -1 for none
  double highest_x_ = 0;   ///< of all measurements
  QCPAxisRect* panes_[2];  ///< of the loss and of the accuracy
  std::vector<Curve> curves_;
  QCPItemTracer* ring_;  ///< around the current mean
};

}  // namespace tfm::ui
