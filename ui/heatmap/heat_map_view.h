// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <span>

#include "ui/figure/figure.h"
#include "ui/heatmap/accessible_cells.h"
#include "ui/heatmap/hatch.h"
#include "ui/heatmap/heat_map_painter.h"
#include "ui/heatmap/hover_lock.h"

namespace tfm::ui {

class Style;

/// One large map with labels, numbers and legend. Hovering previews a cell, a click locks it, a
/// second click or Esc frees it; arrow keys walk, Return locks; Shift and a click choose rows.
class HeatMapView : public QWidget, public Figure, public CellSource {
  Q_OBJECT

 public:
  explicit HeatMapView(const Style& style, QWidget* parent = nullptr);

  /// Shows another map. Lock and chosen rows stay if it has the same size.
  void setMap(HeatMap map);
  /// New values for the same map: the cheap way for every training step. rows * cols, row-major.
  void setValues(std::span<const float> values);
  const HeatMap& map() const { return map_; }
  const Legend& legend() const { return legend_; }

  const std::optional<Cell>& lockedCell() const { return lock_.locked(); }
  /// The locked cell, else the hovered one.
  const std::optional<Cell>& shownCell() const { return lock_.shown(); }
  const std::vector<int>& selectedRows() const { return selected_rows_; }
  /// Locks a cell, or frees with no cell, without a signal: for following another panel.
  void showLock(const std::optional<Cell>& cell);
  /// Where a cell is drawn, in the widget's coordinates.
  QRectF cellRect(int row, int col) const { return layout_.grid.cell(row, col); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  QString figureTitle() const override { return map_.name; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return map_.table(); }

  QString accessibleTitle() const override { return map_.name; }
  int accessibleCount() const override { return map_.rows * map_.cols; }
  QString accessibleText(int index) const override;
  QRect accessibleArea(int index) const override;
  int accessibleCurrent() const override;
  bool accessibleSelected(int index) const override;

 signals:
  /// Another cell is previewed; (-1, -1) when none is. Silent while a cell is locked.
  void cellHovered(int row, int col);
  void cellLocked(int row, int col);
  void cellFreed();
  /// The chosen rows, ascending; empty when the choice was undone.
  void rowsSelected(const QList<int>& rows);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void refreshColors();
  void hover(const std::optional<Cell>& cell);
  void click(const Cell& cell);
  void walkTo(const Cell& cell);
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
  HoverLock<Cell> lock_;
  std::vector<int> selected_rows_;
};

}  // namespace tfm::ui
