// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/elastic/elastic_point.h"
#include "ui/figure/figure.h"

class QCheckBox;
class QStackedWidget;

namespace tfm::ui {

class ScatterPlot;
class ScoreTable;
class Segmented;
class Style;

/// Accuracy of held-out examples against what a submodel costs, with the choice of the cost and of
/// an accuracy axis from 0, or all that was measured as a table. On paper a line below says what
/// was measured. As a figure it is what is shown.
class AccuracyScatter : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit AccuracyScatter(Style& style, QWidget* parent = nullptr);

  /// All that is shown. Points of one kind and submodel with different seeds become one mark.
  void setPoints(std::vector<ElasticPoint> points);
  /// The submodel that is marked as the chosen one, none for none.
  void setChosen(const std::optional<Submodel>& submodel);
  /// What was trained, e.g. "sentiment", and for how many steps; whether it is
  /// measured with examples that it was not trained on.
  void setExperiment(const QString& task, std::int64_t steps, bool held_out = true);
  void setCostAxis(CostAxis axis);
  CostAxis costAxis() const;
  void setFromZero(bool from_zero);
  void showTable();

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every point with its seed, and whether its mark is on the Pareto line.
  DataTable figureData() const override;

 signals:
  /// A point or row was clicked, or confirmed with Enter: its widths. That of a separately trained
  /// model asks for the same size of the nested one.
  void chosen(const tfm::Submodel& submodel);

 private:
  void present(int choice);
  bool showsTable() const;

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
