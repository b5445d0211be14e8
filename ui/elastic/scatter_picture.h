// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/elastic/scatter_layout.h"
#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// The plot of an AccuracyScatter. Its items are the marks, cheapest first; a card shows the one
/// under the pointer, else the current one. A second click on the current one deselects it.
class ScatterPicture : public FigureWidget {
  Q_OBJECT

 public:
  explicit ScatterPicture(const Style& style, QWidget* parent = nullptr);

  void setMarks(std::vector<ElasticMark> marks);
  /// Whether the accuracy is on examples not trained on.
  void setHeldOut(bool held_out);
  void setCostAxis(CostAxis axis);
  void setFromZero(bool from_zero);
  void setChosen(const std::optional<Submodel>& submodel);
  const ScatterScene& scene() const { return scene_; }

  QSizeF figureSize() const override { return {640, 360}; }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Empty: the plot around it provides the points.
  DataTable figureData() const override { return {}; }
  QSize minimumSizeHint() const override;

 protected:
  int itemCount() const override { return int(scene_.marks.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void present(ScatterScene scene);
  const ScatterLayout& layoutIn(const QRectF& area) const;

  ScatterScene scene_;
  /// The layout for the last area, since hit testing needs it for every mark.
  mutable std::optional<std::pair<QRectF, ScatterLayout>> layout_;
};

}  // namespace tfm::ui
