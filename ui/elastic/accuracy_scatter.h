// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/elastic/forward.h"
#include "ui/figure/figure.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Held-out accuracy against the cost of submodels, with a choice of cost and of an accuracy axis
/// from 0, or all measurements as a table. An exported figure has a caption that says what was
/// measured.
class AccuracyScatter : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit AccuracyScatter(Style& style, QWidget* parent = nullptr);

  /// Points of the same kind and submodel with different seeds become one mark.
  void setPoints(std::vector<ElasticPoint> points);
  /// Highlights the chosen submodel, if any.
  void setChosen(const std::optional<Submodel>& submodel);
  /// What was trained, e.g. "sentiment", and for how many steps; whether it is measured on examples
  /// it was not trained on.
  void setExperiment(const QString& task, std::int64_t steps, bool held_out = true);
  void setCostAxis(CostAxis axis);
  CostAxis costAxis() const;
  void setFromZero(bool from_zero);
  bool fromZero() const;
  void showTable();
  bool showsTable() const;

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every point with its seed, and whether its mark is on the Pareto line.
  DataTable figureData() const override;

 signals:
  /// A point or row was clicked or confirmed with Enter. A separately trained model stands for the
  /// same size of the nested one.
  void chosen(const tfm::Submodel& submodel);

 private:
  void present(int choice);

  Style& style_;
  Segmented* choice_;  ///< the axes, then the table
  QCheckBox* from_zero_;
  QStackedWidget* shown_;
  ScatterPlot* plot_;
  ScoreTable* table_;
  std::vector<ElasticPoint> points_;
  QString task_;
  std::int64_t steps_ = 0;
};

}  // namespace tfm::ui
