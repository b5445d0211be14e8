// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/elastic/elastic_point.h"
#include "ui/figure/figure.h"

class QCheckBox;

namespace tfm::ui {

class ScatterPicture;
class Segmented;
class Style;

/// Accuracy of held-out examples against what a submodel costs, with the choice of the cost and of
/// an accuracy axis from 0. On paper a line below says what was measured.
class AccuracyScatter : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit AccuracyScatter(const Style& style, QWidget* parent = nullptr);

  /// All that is shown. Points of one kind and submodel with different seeds become one mark.
  void setPoints(std::vector<ElasticPoint> points);
  /// The submodel that is marked as the chosen one, none for none.
  void setChosen(const std::optional<Submodel>& submodel);
  /// What was trained, e.g. "sentiment", and for how many steps.
  void setExperiment(const QString& task, std::int64_t steps);
  void setCostAxis(CostAxis axis);
  CostAxis costAxis() const;
  void setFromZero(bool from_zero);

  QString figureTitle() const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every point with its seed, and whether its mark is on the Pareto line.
  DataTable figureData() const override;

 signals:
  /// A point was clicked, or confirmed with Enter: its widths. That of a separately trained model
  /// asks for the same size of the nested one.
  void chosen(const tfm::Submodel& submodel);

 private:
  Segmented* axis_;
  QCheckBox* from_zero_;
  ScatterPicture* picture_;
  std::vector<ElasticPoint> points_;
  QString task_;
  std::int64_t steps_ = 0;
};

}  // namespace tfm::ui
