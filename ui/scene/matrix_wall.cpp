// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/matrix_wall.h"

#include <QKeyEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "ui/figure/tips.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/scene/wall_contents.h"
#include "ui/scene/wall_overlay.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kRoomMilliseconds = 450;  // as long as the camera moves

constexpr double kVectorScale = 3.5;  // image pixels per figure pixel on paper: over 300 dpi
constexpr double kMaxScale = 8;

double imageScale(const QPainter& painter) {
  const auto engine = painter.paintEngine()->type();
  const QTransform to_device = painter.deviceTransform();
  const double scale = std::hypot(to_device.m11(), to_device.m12());
  const double wanted = engine == QPaintEngine::Raster ? scale : kVectorScale;
  return std::clamp(wanted, 1.0, kMaxScale);
}

/// The share of all values within the automatic limit. A projector washes out pale colours, so
/// there more values get the full colour.
double shareInside(const Style& style) { return isProjected(style) ? 0.9 : 0.99; }

}  // namespace

MatrixWall::MatrixWall(const Style& style, QWidget* parent, std::unique_ptr<GlContext> context)
    : VtkPane(style, std::move(context), parent),
      wall_(std::make_unique<WallContents>(renderer())),
      make_room_(style, [this](double share) {
        if (wall_->showsGrowth()) setRoom(std::lerp(room_before_, 1.0F, float(share)));
      }) {
  make_room_.setDuration(kRoomMilliseconds);
  setAccessibleName(tr("All matrices"));
  wall_->setPalette(style.palette());
  connect(&style, &Style::changed, this, [this] {
    wall_->setPalette(this->style().palette());
    wall_->forgetLimit();
    layOutAgain();
  });
}

MatrixWall::~MatrixWall() = default;

void MatrixWall::setSlabs(std::vector<MatrixSlab> slabs) {
  leaveGrowth();
  // After a complete growth everything stays in place.
  const bool other = wall_->setSlabs(std::move(slabs));
  setHovered(std::nullopt);
  if (other) {
    focused_.reset();
    setPickedCell(std::nullopt);
    setView(kHome);
  }
  layOutAgain();
}

const std::vector<MatrixSlab>& MatrixWall::slabs() const { return wall_->slabs(); }

WallFraming MatrixWall::framing() const { return {style(), size(), wall_->hasLegend(), close_}; }

bool MatrixWall::chooseShape() {
  const WallShape shape = framing().shapeFor(wall_->slabs().size());
  return std::exchange(shape_, shape) != shape;
}

void MatrixWall::layOutAgain() {
  chooseShape();
  wall_->layOut(shape_, style().palette());
  if (view_) lookFrom(*view_);
  scheduleRender();
}

Camera MatrixWall::seenFrom(View view) const {
  return framing().camera(view, wall_->layout(), shape_);
}

void MatrixWall::setClose(bool close) {
  close_ = close;
  if (view_) lookFrom(*view_);
}

void MatrixWall::lookFrom(View view) { setCamera(seenFrom(view)); }

void MatrixWall::setValues(int index, SharedNumbers values) {
  wall_->setValues(index, std::move(values));
  scheduleRender();
}

void MatrixWall::setInside(std::vector<QSize> inside) {
  if (wall_->setInside(std::move(inside))) scheduleRender();
}

void MatrixWall::setUnpaired(std::vector<bool> unpaired) {
  if (wall_->setUnpaired(std::move(unpaired))) scheduleRender();
}

bool MatrixWall::isUnpaired(const CellRef& cell) const { return wall_->isUnpaired(cell); }

void MatrixWall::setFrames(std::vector<SlabFrame> frames) {
  if (wall_->setFrames(std::move(frames))) update();
}

const std::vector<SlabFrame>& MatrixWall::frames() const { return wall_->frames(); }

void MatrixWall::setFixedLimit(std::optional<double> limit) {
  if (wall_->setFixedLimit(limit)) scheduleRender();
}

double MatrixWall::limit() const { return wall_->scale(shareInside(style())).high; }

std::optional<MatrixWall::View> MatrixWall::view() const { return view_; }

void MatrixWall::setView(std::optional<View> view) {
  if (view_ == view) return;
  view_ = view;
  emit viewChanged();
}

void MatrixWall::showView(View view) {
  setView(view);
  if (chooseShape()) return layOutAgain();
  moveTo(seenFrom(view));
}

void MatrixWall::approachSlab(int slab) {
  setFocusedSlab(slab);
  setView(std::nullopt);
  const auto corners = wall_->layout().slabs[std::size_t(slab)].frontCorners();
  const QMarginsF room(style().px(120), style().px(60), style().px(60), style().px(110));
  moveTo(Camera{}.fitted(corners, size(), room));
}

void MatrixWall::setFocusedSlab(std::optional<int> slab) {
  check(!slab || (*slab >= 0 && *slab < int(wall_->shown().size())), "the slab exists");
  if (focused_ == slab) return;
  focused_ = slab;
  update();
  if (!slab) return;
  const MatrixSlab& matrix = wall_->shown()[std::size_t(*slab)];
  setAccessibleDescription(
      tr("%1, %2 by %3").arg(matrix.name).arg(matrix.rows).arg(matrix.fullCols()));
}

std::optional<int> MatrixWall::focusedSlab() const { return focused_; }

std::optional<CellRef> MatrixWall::cellAt(const QPointF& position) const {
  if (wall_->moving()) return std::nullopt;
  return cellOn(camera().rayThrough(position, size()), wall_->layout().slabs);
}

void MatrixWall::setPickedCell(std::optional<CellRef> cell) {
  if (picked_ == cell) return;
  picked_ = cell;
  update();
  if (!cell) {
    emit pickCleared();
    return;
  }
  setFocusedSlab(cell->slab);
  setAccessibleDescription(describe(*cell));
  emit cellPicked(cell->slab, cell->row, cell->col);
}

std::optional<CellRef> MatrixWall::pickedCell() const { return picked_; }

std::optional<CellRef> MatrixWall::shownCell() const { return picked_ ? picked_ : hovered_; }

void MatrixWall::prepareScene() {
  wall_->recolour(wall_->scale(shareInside(style())), style().palette());
}

void MatrixWall::paintOverlay(QPainter& painter) const {
  paintOverlayIn(painter, size(), style().palette());
}

void MatrixWall::cameraMoved() { setView(std::nullopt); }

void MatrixWall::setHovered(std::optional<CellRef> cell) {
  if (hovered_ == cell) return;
  hovered_ = cell;
  update();
  if (cell)
    emit cellHovered(cell->slab, cell->row, cell->col);
  else
    emit hoverEnded();
}

void MatrixWall::pointerAt(const QPointF& position) {
  const auto cell = cellAt(position);
  if (cell && cell != hovered_) showTip(mapToGlobal(position.toPoint()), describe(*cell), this);
  if (!cell) QToolTip::hideText();
  setHovered(cell);
}

void MatrixWall::leaveEvent(QEvent*) { setHovered(std::nullopt); }

void MatrixWall::clicked(const QPointF& position) {
  const auto cell = cellAt(position);
  if (cell) setPickedCell(cell == picked_ ? std::nullopt : cell);
}

void MatrixWall::doubleClicked(const QPointF& position) {
  if (const auto cell = cellAt(position)) {
    finishMove();
    approachSlab(cell->slab);
  }
}

void MatrixWall::resizeEvent(QResizeEvent* event) {
  VtkPane::resizeEvent(event);
  // If the user turned the wall, its camera stays.
  if (!view_) return;
  if (chooseShape())
    layOutAgain();
  else
    lookFrom(*view_);
}

void MatrixWall::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  switch (key) {
    case Qt::Key_R:
      return goHome();
    case Qt::Key_F:
      return showView(View::Front);
    case Qt::Key_I:
      return showView(View::Iso);
    case Qt::Key_T:
      return showView(View::Top);
    case Qt::Key_N:
      stepFocus(1);
      return;
    case Qt::Key_P:
      stepFocus(-1);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!focused_) break;
      approachSlab(*focused_);
      if (!picked_ || picked_->slab != *focused_) setPickedCell(CellRef{*focused_, 0, 0});
      return;
    case Qt::Key_Escape:
      if (!picked_ && !focused_) break;
      if (picked_)
        setPickedCell(std::nullopt);
      else
        setFocusedSlab(std::nullopt);
      return;
    default:
      if (walkCells(key)) return;
  }
  VtkPane::keyPressEvent(event);
}

bool MatrixWall::walkCells(int key) {
  const auto step = stepOf(key);
  if (!picked_ || !step) return false;
  CellRef cell = *picked_;
  const MatrixSlab& slab = wall_->shown()[std::size_t(cell.slab)];
  cell.row = std::clamp(cell.row + step->row, 0, slab.rows - 1);
  cell.col = std::clamp(cell.col + step->col, 0, slab.cols - 1);
  setPickedCell(cell);
  return true;
}

bool MatrixWall::stepFocus(int step) {
  const int count = int(wall_->shown().size());
  const int next = focused_ ? *focused_ + step : (step > 0 ? 0 : count - 1);
  if (next < 0 || next >= count) return false;
  setPickedCell(std::nullopt);
  setFocusedSlab(next);
  return true;
}

// Tab goes through the slabs and leaves the wall after the last one.
bool MatrixWall::focusNextPrevChild(bool next) {
  if (stepFocus(next ? 1 : -1)) return true;
  return VtkPane::focusNextPrevChild(next);
}

void MatrixWall::setGrowth(std::vector<MatrixSlab> after,
                           std::span<const expand::GrownMatrix> growth) {
  leaveGrowth();
  wall_->setGrowth(std::move(after), growth);
  const Camera camera = this->camera();
  layOutAgain();
  setCamera(camera);
  makeRoom();
}

void MatrixWall::makeRoom() {
  if (view_) moveTo(seenFrom(*view_));
  room_before_ = wall_->room();
  if (!isVisible() || room_before_ >= 1) return setRoom(1);
  make_room_.start();
}

void MatrixWall::setRoom(float room) {
  wall_->setRoom(room);
  scheduleRender();
}

void MatrixWall::setGrowthProgress(double progress) {
  check(wall_->showsGrowth(), "a growth is shown");
  const float now = float(std::clamp(progress, 0.0, 1.0));
  if (now == wall_->progress()) return;
  // Starting the growth skips the animation that makes room.
  make_room_.finish();
  const bool was_grown = wall_->grown();
  wall_->setProgress(now);
  if (was_grown != wall_->grown() || wall_->moving()) forgetCells();
  scheduleRender();
}

double MatrixWall::growthProgress() const { return double(wall_->progress()); }

bool MatrixWall::showsGrowth() const { return wall_->showsGrowth(); }

std::span<const MatrixSlab> MatrixWall::grownSlabs() const { return wall_->grownSlabs(); }

void MatrixWall::clearGrowth() {
  if (!wall_->showsGrowth()) return;
  leaveGrowth();
  wall_->clearGrowth();
  const Camera camera = this->camera();
  layOutAgain();
  if (!view_) return;
  setCamera(camera);
  moveTo(seenFrom(*view_));
}

// Indices before and after a growth differ.
void MatrixWall::forgetCells() {
  setHovered(std::nullopt);
  setPickedCell(std::nullopt);
  setFocusedSlab(std::nullopt);
}

void MatrixWall::leaveGrowth() {
  if (wall_->grown()) forgetCells();
  make_room_.stop();
}

QString MatrixWall::describe(const CellRef& cell) const { return wall_->describe(cell); }

void MatrixWall::setFigureTitle(const QString& title) { title_ = title; }

QString MatrixWall::figureTitle() const { return title_.isEmpty() ? tr("All matrices") : title_; }

void MatrixWall::paintOverlayIn(QPainter& painter, const QSizeF& size,
                                const Palette& palette) const {
  const std::vector<Ghost> ghosts = wall_->ghosts();
  const std::vector<FreshBlock> fresh = wall_->fresh();
  const std::vector<GrowthMark> marks = wall_->marks();
  const double inside = shareInside(style());
  paintWallOverlay(painter,
                   {.slabs = wall_->shown(),
                    .layout = wall_->layout(),
                    .camera = camera(),
                    .size = size,
                    .palette = palette,
                    .style = style(),
                    .scale = wall_->scale(inside),
                    .inside_share = wall_->hasFixedLimit() ? std::nullopt : std::optional(inside),
                    .focused = focused_,
                    .picked = picked_,
                    .hovered = hovered_,
                    .frames = showsGrowth() ? std::span<const SlabFrame>() : wall_->frames(),
                    .ghosts = ghosts,
                    .grown = grownSlabs(),
                    .fresh = fresh,
                    .marks = marks});
}

void MatrixWall::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.translate(area.topLeft());
  if (available()) {
    // The scene is temporarily recoloured; the next frame on screen restores it.
    wall_->setPalette(palette);
    wall_->recolour(wall_->scale(shareInside(style())), palette);
    const QImage image = drawSmoothly(area.size(), imageScale(painter));
    wall_->setPalette(style().palette());
    painter.setRenderHints(QPainter::LosslessImageRendering | QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(QPointF(), area.size()), image);
  }
  paintOverlayIn(painter, area.size(), palette);
}

DataTable MatrixWall::figureData() const {
  DataTable table{{tr("name"), tr("row"), tr("column"), tr("value")}, {}};
  for (const MatrixSlab& slab : wall_->shown())
    for (int row = 0; row < slab.rows; ++row)
      for (int col = 0; col < slab.cols; ++col)
        table.rows.push_back({slab.name, QString::number(row),
                              QString::number(slab.firstCol(row) + col),
                              fullPrecision(double(slab.value(row, col)))});
  return table;
}

}  // namespace tfm::ui
