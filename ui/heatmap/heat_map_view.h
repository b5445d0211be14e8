// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <span>

#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/hatch.h"
#include "ui/heatmap/heat_map_painter.h"

namespace tfm::ui {

/// One large map with labels, numbers and legend. Shift-click selects rows.
class HeatMapView : public CellGrid {
  Q_OBJECT

 public:
  explicit HeatMapView(const Style& style, QWidget* parent = nullptr);

  /// Shows another map. Lock and selected rows stay if it has the same size.
  void setMap(HeatMap map);
  /// Updates the values of the same map (rows * cols, row-major); cheap enough for every training
  /// step.
  void setValues(std::span<const float> values);
  const HeatMap& map() const { return map_; }

  int itemCount() const override { return map_.rows * map_.cols; }
  QString itemText(int item) const override;

  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override;

  QString figureTitle() const override { return map_.name; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return map_.table(); }

 signals:
  /// The selected rows, ascending; empty when none is selected.
  void rowsSelected(const QList<int>& rows);

 protected:
  int columnCount() const override { return map_.cols; }
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  /// Describes a cell, and the meaning of a special token.
  QString tipAt(const QPointF& point) const override;
  void layOut() override;
  void restyle() override;
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;
  /// Clears the lock and the selected rows.
  bool free() override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void toggleRow(int row);

  HeatMap map_;
  Legend legend_;
  ColorTable colors_;
  HeatMapLayout layout_;
  MaskOverlay masked_;
  QList<int> selected_rows_;
};

}  // namespace tfm::ui
