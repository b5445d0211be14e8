// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/train/compare_models.h"
#include "ui/plots/plot.h"

class QCPAxisRect;
class QCPGraph;
class QCPItemTracer;

namespace tfm::ui {

/// Loss and accuracy of held-out examples side by side: a thin line for each seed of a study, a
/// thick one for the mean of an arm. The arrow keys walk through the means.
class StudyPlots : public Plot {
  Q_OBJECT

 public:
  enum class Against { Steps, Operations, Seconds };

  explicit StudyPlots(Style& style, QWidget* parent = nullptr);

  /// Null shows empty axes. `growths` are the steps at which the first arm grows.
  void setResult(std::shared_ptr<const train::StudyCurves> result,
                 std::vector<std::int64_t> growths);
  void setAgainst(Against against);
  Against against() const { return against_; }
  /// Of the loss; values at 0 are then not shown.
  void setLogarithmic(bool logarithmic);

  QSizeF figureSize() const override;
  /// Every measurement of every run, as train::toTsv() has it.
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
    int arm;
    bool mean;
  };

  int armOf(const std::string& name) const;
  double xOf(const train::StudySpread& mean) const;
  double xOf(const train::StudyPoint& point) const;
  double yOf(Measure measure, const train::StudySpread& mean) const;
  std::optional<double> xOfGrowth(std::int64_t step) const;
  /// Where a mean stands, first those of the loss, then of the accuracy.
  QPointF placeOf(std::size_t item) const;
  QString itemText(std::size_t item) const;
  void setCurrent(int item);
  /// Graphs of what is measured.
  void fill();
  /// Axes that show all of it.
  void showAll();
  void paintWords(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  QString xTitle() const;
  /// The x axis counts in this power of ten.
  int xPower() const;

  std::shared_ptr<const train::StudyCurves> result_;
  std::vector<std::string> arms_;
  std::vector<train::StudySpread> means_;  ///< arm after arm, without broken ends
  std::vector<std::int64_t> growths_;
  Against against_ = Against::Steps;
  bool logarithmic_ = false;
  int current_ = -1;       ///< the mean that the keys have reached; -1 for none
  double highest_x_ = 0;   ///< of what is measured
  QCPAxisRect* panes_[2];  ///< of the loss and of the accuracy
  std::vector<Curve> curves_;
  QCPItemTracer* ring_;  ///< around the current mean
};

}  // namespace tfm::ui
