// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ui/growth/growth_grid.h"
#include "ui/growth/growth_painter.h"
#include "ui/growth/wall_flow.h"

namespace tfm::ui {

/// All matrices of a growth in the boxes of the model's plan, with one cell size and colour scale;
/// unchanged ones only if requested. At zoom 1 all are seen; larger, the texts keep their size and
/// the plan its rows and columns. The items are the matrices: a click or the arrow keys select one,
/// whose edges can then be made draggable; Esc deselects.
class GrowthWall : public GrowthGrid {
  Q_OBJECT

 public:
  explicit GrowthWall(const Style& style, QWidget* parent = nullptr);

  /// In model order. The selection stays if there are as many as before.
  void setMatrices(std::vector<GrownCells> matrices);
  /// Whether to show unchanged matrices too.
  void setShowAll(bool all);
  /// Pixels from cell to cell at scale 1, of figures; nullopt: automatic.
  void setCellSize(std::optional<double> pixels);
  /// Zooms to these matrices: to all of them if their cells are then large, else to those of the
  /// first layer or block among them.
  void zoomTo(const std::vector<int>& matrices);
  /// The index of the selected matrix in the given list; -1 for none.
  int selection() const { return selection_; }
  /// Selects without a signal, and moves there.
  void select(int matrix);
  /// The indices of the shown matrices, in order.
  const std::vector<int>& shown() const { return shown_; }
  /// The rectangle of a matrix in the viewport; empty if it is not shown.
  QRectF matrixRect(int matrix) const;
  double pitch() const { return flow_.pitch; }
  /// Of the colours, the same for all matrices.
  ColorScale scale() const { return ColorScale::signedTo(limit_); }

  int itemCount() const override { return int(shown_.size()); }
  QString itemText(int item) const override;

  QSize sizeHint() const override { return {style().px(720), style().px(480)}; }

  QSizeF figureSize() const override { return figureSizeIn(0.0); }
  /// The size of the wall's figure for a given width.
  QSizeF figureSizeIn(double width) const;
  /// Paints the whole wall, not only the visible part.
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// One row for each matrix shown: name, shapes, numbers of parameters, factor.
  DataTable figureData() const override;

 signals:
  /// The user selected a matrix, or none (-1) with Esc.
  void selected(int matrix);
  /// The pointer is over a cell of a matrix, or over none (all -1).
  void cellHovered(int matrix, int row, int col);

 protected:
  QRectF itemArea(int item) const override;
  QRectF areaToReveal(int item) const override;
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  QString tipAt(const QPointF& point) const override;
  void layOut() override;
  void restyle() override;
  void paintItems(QPainter& painter) override;
  /// The selected matrix. Its first cell does not move during a drag.
  std::optional<Standing> standing() const override;
  void progressChanged() override { repaintItems(); }
  void releaseHandle() override;
  bool viewportEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void paintBlock(QPainter& painter, const WallFlow& flow, const PlanBlock& block,
                  const GrowthLook& look) const;
  void paintWords(QPainter& painter, const WallFlow& flow, const WallItem& item,
                  const GrowthLook& look) const;
  /// Along the data: between neighbouring blocks, and from the end of the encoder to what reads its
  /// states.
  void paintArrows(QPainter& painter, const WallFlow& flow, const GrowthLook& look) const;
  const GrownCells& matrixOf(int item) const;
  /// The item of a matrix; -1 if it is not shown.
  int itemOfMatrix(int matrix) const;
  /// Updates the colours that are needed.
  void recolor();
  /// The top left corner of the content.
  QPointF corner() const;
  /// The cell at a point of an item.
  std::optional<Cell> cellAt(int item, const QPointF& point) const;
  WallMatrices contents() const { return {matrices_, shown_, words_, style().scale()}; }
  QSizeF roomOnScreen() const;
  /// The layout for a zoom, in which the plan keeps its rows and columns.
  WallFlow zoomed(double zoom) const;
  /// The layout for a page of this width.
  WallFlow pageFlow(double width) const;
  /// The rectangle of these items with the titles of their blocks.
  QRectF around(const WallFlow& flow, const std::vector<int>& items) const;
  using ColorsOf = std::function<const CellColors&(std::size_t matrix)>;
  void paintFlow(QPainter& painter, const WallFlow& flow, const ColorsOf& colors_of,
                 const GrowthLook& look, const QRectF& visible) const;

  WallWords words_;
  std::vector<GrownCells> matrices_;
  std::optional<ColorTable> table_;
  std::vector<std::optional<CellColors>> colors_;  ///< of matrices painted so far
  std::vector<int> shown_;
  bool all_ = false;
  std::optional<double> cell_size_;
  double limit_ = 1.0;
  int selection_ = -1;
  WallFlow whole_;  ///< at zoom 1
  WallFlow flow_;
  std::vector<int> zoomed_to_;  ///< by zoomTo(), until the user moves the picture
  QPointF shift_;  ///< of everything, so that a dragged matrix does not move
};

}  // namespace tfm::ui
