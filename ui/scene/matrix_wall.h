// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/expand/grown_matrix.h"
#include "ui/figure/figure.h"
#include "ui/scene/matrix_slab.h"
#include "ui/scene/vtk_pane.h"
#include "ui/scene/wall_framing.h"

namespace tfm::ui {

class WallContents;

/// All matrices of a model in 3-D, each a slab of coloured cells with its name, on one zero-centred
/// colour scale. Hovering shows a cell, a click locks it (Esc or a second click unlocks), a
/// double-click zooms to a slab. Keys: F, I, T the three cameras, R home, N and P or Tab the next
/// and previous slab, Enter into its cells, arrows turn or, with a locked cell, move from cell to
/// cell.
class MatrixWall : public VtkPane, public Figure {
  Q_OBJECT

 public:
  using View = WallView;

  explicit MatrixWall(const Style& style, QWidget* parent = nullptr,
                      std::unique_ptr<GlContext> context = createGlContext());
  ~MatrixWall() override;

  /// Shows these matrices. The camera returns home unless names and shapes are unchanged.
  void setSlabs(std::vector<MatrixSlab> slabs);
  const std::vector<MatrixSlab>& slabs() const;
  /// Sets the values of one matrix. Cheap: colours are updated with the next frame.
  void setValues(int index, SharedNumbers values);

  /// Fades all cells but the first columns (width) and rows (height) of each slab; one size per
  /// slab, or empty: nothing fades, as while a growth is shown. Reset when slabs of other shapes
  /// are set.
  void setInside(std::vector<QSize> inside);

  /// For a difference: which slabs have cells without a counterpart. There NaN is not an error: it
  /// is grey and explained in the legend. Empty: none. Reset when slabs of other shapes are set.
  void setUnpaired(std::vector<bool> unpaired);
  bool isUnpaired(const CellRef& cell) const;

  /// Frames blocks of the slabs, the larger of one slab after the smaller; not while a growth is
  /// shown. Reset when slabs of other shapes are set.
  void setFrames(std::vector<SlabFrame> frames);
  const std::vector<SlabFrame>& frames() const;

  /// Shows how the slabs grow: `after` are the grown ones, with the names, shapes and order of the
  /// parameters after; each must have a growth, from which it takes its values, and an old
  /// parameter that is a slab of this wall by name. The slabs make room, at once if motion is off,
  /// and new parts are outlined; progress is 0. slabs() does not change until the growth is cleared
  /// or slabs are set. Throws std::logic_error if something does not match.
  void setGrowth(std::vector<MatrixSlab> after, std::span<const expand::GrownMatrix> growth);
  /// 0: as before, with outlines of the new parts; 1: grown. In between, old cells slide to their
  /// new places and new ones come in. Cells refer to slabs() at 0 and to grownSlabs() at 1; in
  /// between there are none.
  void setGrowthProgress(double progress);
  double growthProgress() const;
  bool showsGrowth() const;
  /// Empty while no growth is shown.
  std::span<const MatrixSlab> grownSlabs() const;
  /// Shows the slabs without the growth again.
  void clearGrowth();

  /// Colours run from -limit to limit; nullopt: automatic, a round number that 99 % of all |values|
  /// do not exceed.
  void setFixedLimit(std::optional<double> limit);
  double limit() const;

  void showView(View view);
  /// The current saved camera; none if the user turned or moved it.
  std::optional<View> view() const;
  static constexpr View kHome = View::Front;  ///< the initial view
  void goHome() { showView(kHome); }
  /// Lets the saved views zoom in further: slabs may extend beside the colour legend, but not
  /// beneath it.
  void setClose(bool close);
  /// Highlights a slab and shows its axes; nullopt removes the highlight.
  void setFocusedSlab(std::optional<int> slab);
  std::optional<int> focusedSlab() const;
  /// Zooms to a slab, seen from the front.
  void approachSlab(int slab);

  /// The cell at a position in the widget.
  std::optional<CellRef> cellAt(const QPointF& position) const;
  void setPickedCell(std::optional<CellRef> cell);
  std::optional<CellRef> pickedCell() const;
  /// The picked cell, else the one under the pointer.
  std::optional<CellRef> shownCell() const;
  /// Name, place (counted from 1) and value as a text.
  QString describe(const CellRef& cell) const;

  void setFigureTitle(const QString& title);
  QString figureTitle() const override;
  QSizeF figureSize() const override { return size(); }
  /// Paints the slabs as an image of at least 300 dpi on paper, everything else as vectors.
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 signals:
  void cellHovered(int slab, int row, int col);
  void hoverEnded();
  void cellPicked(int slab, int row, int col);
  void pickCleared();
  /// view() changed.
  void viewChanged();

 protected:
  void prepareScene() override;
  void paintOverlay(QPainter& painter) const override;
  void cameraMoved() override;
  void pointerAt(const QPointF& position) override;
  void clicked(const QPointF& position) override;
  void doubleClicked(const QPointF& position) override;
  void resizeEvent(QResizeEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  WallFraming framing() const;
  /// Whether the wall has to be laid out again.
  bool chooseShape();
  void layOutAgain();
  /// Before a growth ends or another replaces it.
  void leaveGrowth();
  void forgetCells();
  void makeRoom();
  void setRoom(float room);
  void setView(std::optional<View> view);
  Camera seenFrom(View view) const;
  void lookFrom(View view);
  void setHovered(std::optional<CellRef> cell);
  bool stepFocus(int step);
  bool walkCells(int key);
  void paintOverlayIn(QPainter& painter, const QSizeF& size, const Palette& palette) const;

  std::unique_ptr<WallContents> wall_;
  WallShape shape_;                   ///< what the wall is laid out for
  std::optional<View> view_ = kHome;  ///< the current saved camera; none if the user turned it
  bool close_ = false;                ///< saved cameras let slabs be beside the legend
  std::optional<int> focused_;
  std::optional<CellRef> picked_, hovered_;
  QString title_;
  Motion make_room_;
  float room_before_ = 0;  ///< where it began
};

}  // namespace tfm::ui
