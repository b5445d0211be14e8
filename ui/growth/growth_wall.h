// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ui/growth/growth_painter.h"
#include "ui/growth/size_edges.h"
#include "ui/growth/wall_flow.h"
#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// All matrices of a growth at one cell size and one colour scale, in model order, flowing in rows;
/// those that do not change are left out unless asked for. The items are the matrices: a click or
/// the arrow keys select one, Esc none; its edges can be made draggable.
class GrowthWall : public CellGrid {
  Q_OBJECT

 public:
  explicit GrowthWall(const Style& style, QWidget* parent = nullptr);

  /// In model order. The selection stays if there are as many as before.
  void setMatrices(std::vector<GrownCells> matrices);
  void setTitle(const QString& title);
  /// Whether matrices that do not change are shown too.
  void setShowAll(bool all);
  /// Pixels from cell to cell at scale 1; without a value the wall chooses.
  void setCellSize(std::optional<double> pixels);
  /// As GrowthMap::setProgress(), for all matrices together.
  void setProgress(double progress);
  double progress() const { return progress_; }

  /// The selected matrix as an index into the list given; -1 for none.
  int selection() const { return selection_; }
  /// Selects without a signal, and scrolls there.
  void select(int matrix);
  /// The matrices that are shown, in order.
  const std::vector<int>& shown() const { return shown_; }
  /// Where a matrix stands in the viewport; empty if it is not shown.
  QRectF matrixRect(int matrix) const;
  double pitch() const { return flow_.pitch; }
  /// As GrowthMap::setDraggable(), for the selected matrix.
  void setDraggable(Qt::Edges edges);
  /// Where the handle of the selected matrix's edge is in the viewport; empty if it has none.
  QRectF handleRect(Qt::Edge edge) const;
  /// Of the colours, the same for all matrices.
  ColorScale scale() const { return ColorScale::signedTo(limit_); }

  int itemCount() const override { return static_cast<int>(shown_.size()); }
  QString itemText(int item) const override;

  QSize sizeHint() const override { return {style().px(720), style().px(480)}; }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override { return figureSizeIn(0.0); }
  /// The size of the wall's figure where there is so much width.
  QSizeF figureSizeIn(double width) const;
  /// The whole wall, not just what is scrolled into view.
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// One row for each matrix shown: name, shapes, numbers of parameters, factor.
  DataTable figureData() const override;

 signals:
  /// The user selected a matrix; -1 if Esc ended the selection.
  void selected(int matrix);
  /// The pointer is over a cell of a matrix, or over none: all -1.
  void cellHovered(int matrix, int row, int col);
  /// As GrowthMap::sizeDragged(), of the selected matrix. Until it is let go its first cell stays
  /// where it is.
  void sizeDragged(Qt::Orientation along, int new_size);

 protected:
  QRectF itemArea(int item) const override;
  QRectF areaToReveal(int item) const override;
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  QString tipAt(const QPointF& point) const override;
  void layOut() override;
  void restyle() override;
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;
  std::optional<Qt::CursorShape> handleAt(const QPointF& point) const override;
  void takeHandle(const QPointF& point) override { edges_.take(point, *standing()); }
  void dragTo(const QPointF& point) override;
  void letGo() override;
  bool viewportEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  const GrownCells& matrixOf(int item) const;
  /// The item that a matrix is; -1 if it is not shown.
  int itemOfMatrix(int matrix) const;
  /// Makes colours anew where they are needed.
  void recolor();
  /// Where everything begins in the picture.
  QPointF corner() const;
  /// The cell at a point of an item.
  std::optional<Cell> cellAt(int item, const QPointF& point) const;
  /// The wall on a page of this width.
  WallFlow pageFlow(double width) const;
  std::optional<double> pitchOnScreen() const;
  /// Nothing if no matrix is selected that is shown.
  std::optional<SizeEdges::Matrix> standing() const;
  using ColorsOf = std::function<const CellColors&(std::size_t matrix)>;
  void paintFlow(QPainter& painter, const WallFlow& flow, const ColorsOf& colors_of,
                 const GrowthLook& look, const QRectF& visible) const;

  WallWords words_;
  QString title_;
  std::vector<GrownCells> matrices_;
  std::optional<ColorTable> table_;
  std::vector<std::optional<CellColors>> colors_;  ///< of those that were painted
  std::vector<int> shown_;
  bool all_ = false;
  std::optional<double> cell_size_;
  double progress_ = 1.0;
  double limit_ = 1.0;
  int selection_ = -1;
  WallFlow flow_;
  SizeEdges edges_;
  QPointF shift_;  ///< of everything, so that a dragged matrix stays where it is
};

}  // namespace tfm::ui
