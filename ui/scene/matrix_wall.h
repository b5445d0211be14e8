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

/// All matrices of a model in space, each a slab of coloured cells with its name, on one
/// zero-centred colour scale. Hover shows a cell, a click locks it (Esc or a second click unlocks),
/// a double-click comes close to a slab. Keys: F, I, T the three cameras, R home, N and P or Tab
/// the next and previous slab, Enter into its cells, arrows turn or, with a locked cell, go from
/// cell to cell.
class MatrixWall : public VtkPane, public Figure {
  Q_OBJECT

 public:
  using View = WallView;

  explicit MatrixWall(const Style& style, QWidget* parent = nullptr,
                      std::unique_ptr<GlContext> context = createGlContext());
  ~MatrixWall() override;

  /// Shows these matrices. The camera goes home unless names and shapes are those shown before.
  void setSlabs(std::vector<MatrixSlab> slabs);
  const std::vector<MatrixSlab>& slabs() const;
  /// New numbers for one matrix, as many as it has cells. Cheap: colours are made at the next
  /// frame, if there is one.
  void setValues(int index, std::span<const float> values);

  /// Lets all cells but the first columns (width) and rows (height) of each slab fade; one size for
  /// each slab, or none: nothing fades. While a growth is shown nothing fades either. Forgotten
  /// when slabs of other shapes are set.
  void setInside(std::vector<QSize> inside);

  /// Of a difference: which of the slabs have cells without a partner. There NaN is no bad number:
  /// it is grey and named in the legend. Empty: none. Forgotten when slabs of other shapes are set.
  void setUnpaired(std::vector<bool> unpaired);
  bool isUnpaired(const CellRef& cell) const;

  /// Frames blocks of the slabs, the larger of one slab after the smaller; not while a growth is
  /// shown. Forgotten when slabs of other shapes are set.
  void setFrames(std::vector<SlabFrame> frames);
  const std::vector<SlabFrame>& frames() const;

  /// Shows how the slabs grow: `after` are the grown ones, with the names, shapes and order of the
  /// parameters after; each has its growth, takes its values from there, and its parameter before
  /// is a slab of this wall by its name. The slabs make room, at once if motion is off, and what
  /// comes is outlined; progress is 0. Until the growth is cleared or slabs are set, slabs() stay
  /// as they are. Throws std::logic_error if something does not match.
  void setGrowth(std::vector<MatrixSlab> after, std::span<const expand::GrownMatrix> growth);
  /// 0: as before, with outlines of what comes; 1: grown. In between old cells slide to their new
  /// places and new ones come down. A cell that is asked for, picked or named is one of slabs() at
  /// 0, of grownSlabs() at 1; in between there is none.
  void setGrowthProgress(double progress);
  double growthProgress() const;
  bool showsGrowth() const;
  /// Empty while no growth is shown.
  std::span<const MatrixSlab> grownSlabs() const;
  /// Shows the slabs again as they are without the growth.
  void clearGrowth();

  /// Colours run from -limit to limit; nothing means automatic: a round number that 99 % of all
  /// |values| do not exceed.
  void setFixedLimit(std::optional<double> limit);
  double limit() const;

  void showView(View view);
  /// The saved camera that is looked through; none if the user turned or moved it.
  std::optional<View> view() const;
  static constexpr View kHome = View::Iso;  ///< what the wall opens with
  void goHome() { showView(kHome); }
  /// From now on the saved cameras come as close as they can: slabs stand beside the legend of the
  /// colours and not only above it, where none comes to lie under it.
  void setClose(bool close);
  /// Marks a slab and shows its axes; nothing unmarks.
  void setFocusedSlab(std::optional<int> slab);
  std::optional<int> focusedSlab() const;
  /// Comes close to a slab and looks straight at it.
  void approachSlab(int slab);

  /// The cell seen at a place of the widget.
  std::optional<CellRef> cellAt(const QPointF& position) const;
  void setPickedCell(std::optional<CellRef> cell);
  std::optional<CellRef> pickedCell() const;
  /// The picked cell, else the one under the pointer.
  std::optional<CellRef> shownCell() const;
  /// Name, place, counted from 1, and value, for people.
  QString describe(const CellRef& cell) const;

  void setFigureTitle(const QString& title);
  QString figureTitle() const override;
  QSizeF figureSize() const override { return size(); }
  /// The slabs as an image of at least 300 dpi on paper, everything else as vectors.
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 signals:
  void cellHovered(int slab, int row, int col);
  void hoverEnded();
  void cellPicked(int slab, int row, int col);
  void pickCleared();
  /// view() is another.
  void viewChanged();

 protected:
  void prepareScene() override;
  void paintOverlay(QPainter& painter) const override;
  void cameraTaken() override;
  void pointerAt(const QPointF& position) override;
  void clicked(const QPointF& position) override;
  void doubleClicked(const QPointF& position) override;
  void resizeEvent(QResizeEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  struct Wall;

  WallFraming framing() const;
  /// Whether the wall has to be laid out again.
  bool chooseShape();
  void layOutAgain();
  void placeGrowth();
  void dropGrowth();
  void forgetCells();
  void makeRoom();
  void setView(std::optional<View> view);
  Camera seenFrom(View view) const;
  void lookFrom(View view);
  void setHovered(std::optional<CellRef> cell);
  bool stepFocus(int step);
  bool walkCells(int key);
  void paintOverlayIn(QPainter& painter, const QSizeF& size, const Palette& palette) const;

  std::unique_ptr<Wall> wall_;
};

}  // namespace tfm::ui
