// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <span>

#include "ui/figure/figure.h"
#include "ui/heatmap/cell_widget.h"
#include "ui/heatmap/hatch.h"
#include "ui/heatmap/heat_map_painter.h"

namespace tfm::ui {

class Style;

/// One large map with labels, numbers and legend. Hovering previews a cell, a click locks it, a
/// second click or Esc frees it; arrow keys walk, Return locks; Shift and a click choose rows.
class HeatMapView : public CellWidget, public Figure {
  Q_OBJECT

 public:
  explicit HeatMapView(const Style& style, QWidget* parent = nullptr);

  /// Shows another map. Lock and chosen rows stay if it has the same size.
  void setMap(HeatMap map);
  /// New values for the same map: the cheap way for every training step. rows * cols, row-major.
  void setValues(std::span<const float> values);
  const HeatMap& map() const { return map_; }
  const Legend& legend() const { return legend_; }

  const std::vector<int>& selectedRows() const { return selected_rows_; }
  QRectF cellRect(int row, int col) const override { return layout_.grid.cell(row, col); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  QString figureTitle() const override { return map_.name; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return map_.table(); }

  QString accessibleTitle() const override { return map_.name; }

 signals:
  /// The chosen rows, ascending; empty when the choice was undone.
  void rowsSelected(const QList<int>& rows);

 protected:
  int rowCount() const override { return map_.rows; }
  int colCount() const override { return map_.cols; }
  QString cellText(int row, int col) const override { return map_.cellText(row, col); }

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// What a cell is, and what a token that is no text stands for.
  QString toolTipOf(const Cell& cell) const;
  void layOut();
  void refreshColors();
  void toggleRow(int row);
  /// Frees the lock and the chosen rows; false if there was neither.
  bool freeAll();
  void paintCells(QPainter& painter);

  const Style& style_;
  HeatMap map_;
  Legend legend_;
  ColorTable colors_;
  HeatMapLayout layout_;
  MaskOverlay masked_;
  QImage image_;  ///< of maps with very many cells
  std::vector<int> selected_rows_;
};

}  // namespace tfm::ui
