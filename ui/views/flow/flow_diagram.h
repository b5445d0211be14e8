// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/growth/motion.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/views/flow/flow_layout.h"
#include "ui/views/flow/flow_painter.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// The diagram of a running model. The items are the titles of parts that can be opened, then the
/// numbers, picture by picture.
class FlowDiagram : public CellGrid {
  Q_OBJECT

 public:
  explicit FlowDiagram(const Style& style, QWidget* parent = nullptr);

  /// Shows a run, or nothing. What is locked stays locked if the new run has it.
  void setRun(std::shared_ptr<FlowRun> run);
  void setSide(FlowSide side);
  void setOpen(const FlowOpen& open);
  const FlowOpen& open() const { return open_; }
  const FlowLayout& flowLayout() const { return layout_; }

  /// The colours of a tensor's numbers.
  const ColorScale& scaleOf(TensorId tensor) const { return scales_.of(tensor); }

  /// The number that an item shows; none for titles.
  std::optional<observe::NumberPlace> numberOf(int item) const;
  /// The part that a title opens; kNoNode for numbers.
  std::size_t partOf(int item) const;
  /// Locks a number, or none, without a signal, and scrolls to it; it must be shown, see
  /// FlowLayout::tileOf().
  void showNumber(const std::optional<observe::NumberPlace>& place);
  /// Scrolls to a number, or to a part with all of it that fits.
  void reveal(const observe::NumberPlace& place);
  void revealPart(std::size_t node);
  /// Frames the numbers that the shown one is computed from.
  void light(std::vector<observe::NumberPlace> places);
  /// Marks what a step makes, and scrolls to it; kNoNode for none. What it reads moves there along
  /// the edges, or the gradients back along them, in less than a second.
  void showStep(std::size_t step, bool backward = false);

  /// Whether the motion of a step is under way.
  bool isMoving() const { return motion_.isRunning(); }

  int itemCount() const override;
  QString itemText(int item) const override;
  QString figureTitle() const override;
  QSizeF figureSize() const override { return layout_.size; }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  /// Where the numbers of figureData() come from; nothing for gradients and differences of texts.
  report::Source source() const;
  QSize minimumSizeHint() const override { return {style().px(240), style().px(160)}; }

 signals:
  /// The title of a part was chosen: it should open or close.
  void toggled(std::size_t node);
  /// The keyboard asks for the part around the current one.
  void upRequested();

 protected:
  using CellGrid::reveal;
  QRectF itemArea(int item) const override;
  QRectF areaToReveal(int item) const override;
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  void layOut() override;
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;
  double fittingZoom() override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Those of the tensor that is locked, else all that are drawn.
  std::vector<const FlowTile*> figureTiles() const;
  void revealStep();
  int titles() const { return int(layout_.cards.size()); }
  std::size_t tileIndex(int item) const;
  int itemOfNumber(const observe::NumberPlace& place) const;
  QRectF titleArea(const FlowCard& card) const;
  FlowPainter painterFor(const FlowLayout& layout, const Palette& palette, const QRectF& visible,
                         CellDetail detail) const;
  FlowLayout layoutFor(double width, double unit) const;
  bool fitsAt(double scale) const;
  double largestFit() const;

  std::shared_ptr<FlowRun> run_;
  FlowSide side_ = FlowSide::Values;
  mutable FlowScales scales_;
  FlowOpen open_;
  FlowLayout layout_;
  std::vector<int> first_;  ///< the item of each tile's first cell, and one behind the last
  double fit_ = 1.0;        ///< found while nothing is opened, so that opening moves nothing else
  using Room = std::pair<QSize, double>;  ///< of the viewport, and the scale of the style
  Room fitted_;                           ///< for which fit_ was found
  std::vector<observe::NumberPlace> lit_;
  std::size_t step_ = observe::kNoNode;
  bool backward_ = false;  ///< the step's gradients
  double moved_ = 1.0;     ///< the way along the edges, from 0 to 1
  Motion motion_;
};

}  // namespace tfm::ui
