// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/train/metrics.h"
#include "ui/elastic/figure_caption.h"
#include "ui/figure/figure.h"
#include "ui/figure/forward.h"
#include "ui/plots/forward.h"
#include "ui/plots/plot_frame.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Accuracy or loss of each granularity over the training steps, one curve each with its name at
/// the end. The cursor reads all curves at a step.
class GranularityCurves : public QWidget, public Figure {
  Q_OBJECT

 public:
  enum class Measure { Accuracy, Loss };

  explicit GranularityCurves(Style& style, QWidget* parent = nullptr);

  /// The names of the granularities, smallest first, and the history's evaluations. Evaluations
  /// with another number of granularities are skipped.
  void setEvaluations(const QStringList& names, const std::vector<train::Evaluation>& evaluations);
  /// What was trained, e.g. "sentiment", from which seed, the number of answers per held-out
  /// example, and whether an accuracy counts positions (see train::countsPositions()).
  void setExperiment(const QString& task, std::uint64_t seed, std::int64_t answers_of_example = 1,
                     bool held_out = true, bool by_position = false);
  /// Marks the step shown elsewhere; nullopt removes the mark.
  void setMoment(std::optional<double> step);
  void setMeasure(Measure measure);
  Measure measure() const;
  void setFromZero(bool from_zero);

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// One row for each evaluation: step, examples, loss and accuracy of each granularity.
  DataTable figureData() const override;

 private:
  /// A plot with a curve for each name.
  void makePlot();
  void showCurves();
  /// The confidence interval of the whole model's last accuracy; none for a loss.
  void showInterval();
  double valueOf(const train::GranularityScore& score) const;
  FigureCaption caption() const;

  Style& style_;
  Segmented* measure_;
  QCheckBox* from_zero_;
  QLabel* bar_;  ///< explains the bar at the end
  QLabel* nothing_;
  LinePlot* plot_ = nullptr;
  QStringList names_;
  std::vector<train::Evaluation> evaluations_;
  QString task_;
  std::uint64_t seed_ = 0;
  bool held_out_ = true;
  std::optional<double> moment_;
  std::int64_t answers_of_example_ = 1;
  bool by_position_ = false;
};

}  // namespace tfm::ui
