// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/matrix_wall.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "ui/scene/colour_scale.h"
#include "ui/scene/matrix_wall_state.h"
#include "ui/scene/scale_bar.h"
#include "ui/scene/wall_overlay.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// `value` in steps of a quarter: a window's edge that is dragged does not rebuild the wall at
/// every pixel.
float coarse(double value, double least, double most) {
  constexpr double kStep = 1.25;
  const double step = std::round(std::log(std::clamp(value, least, most)) / std::log(kStep));
  return static_cast<float>(std::pow(kStep, step));
}

Camera directionOf(MatrixWall::View view) {
  switch (view) {
    case MatrixWall::View::Front:
      return {.azimuth = 0, .elevation = 0};
    case MatrixWall::View::Iso:
      return {.azimuth = -14, .elevation = 10};
    case MatrixWall::View::Top:
      return {.azimuth = 0, .elevation = 50};
  }
  return {};
}

}  // namespace

MatrixWall::MatrixWall(const Style& style, QWidget* parent, std::unique_ptr<GlContext> context)
    : VtkPane(style, std::move(context), parent), wall_(std::make_unique<Wall>(renderer())) {
  setAccessibleName(tr("All matrices"));
  wall_->scene.setPalette(style.palette());
  connect(&style, &Style::changed, this, [this] {
    wall_->scene.setPalette(this->style().palette());
    wall_->known_limit.reset();
    layOutAgain();
  });
}

MatrixWall::~MatrixWall() = default;

void MatrixWall::setSlabs(std::vector<MatrixSlab> slabs) {
  for (const MatrixSlab& slab : slabs)
    check(slab.rows > 0 && slab.cols > 0 &&
              slab.values.size() ==
                  static_cast<std::size_t>(slab.rows) * static_cast<std::size_t>(slab.cols),
          "a slab has rows x cols values");
  // A growth that was played to its end leaves everything where it stands.
  const bool same = sameShapes(slabs, wall_->shown());
  dropGrowth();
  wall_->slabs = std::move(slabs);
  wall_->known_limit.reset();
  setHovered(std::nullopt);
  if (!same) {
    wall_->inside.clear();
    wall_->frames.clear();
    wall_->unpaired.clear();
    wall_->focused.reset();
    setPickedCell(std::nullopt);
    setView(kHome);
  }
  layOutAgain();
}

const std::vector<MatrixSlab>& MatrixWall::slabs() const { return wall_->slabs; }

bool MatrixWall::chooseShape() {
  constexpr double kUsualSide = 900;   // of the widget, for which layOut() leaves room for labels
  constexpr double kObliquely = 1.05;  // seen from the side a wall is narrower than it is
  const double wide = std::max(1, width()), high = std::max(1, height());
  // At a desk there is room for all captions; on a projector the slabs get what is free.
  const QSizeF free = style().scale() >= kProjector ? freeSize() : QSizeF(wide, high);
  const float aspect = coarse(kObliquely * free.width() / free.height(), 0.7, 3);
  // Large matrices matter more than all names: those that find no place are left out. A few can
  // all keep theirs.
  constexpr std::size_t kFew = 12;
  const bool few = wall_->slabs.size() <= kFew;
  const double crowded = std::min(kUsualSide / std::sqrt(wide * high), few ? 2.5 : 1.2);
  // From afar it is the slabs that have to be seen.
  const double most = few ? 2.5 : style().scale() >= kProjector ? 0.7 : 1;
  const float text = coarse(style().scale() * crowded, 0.7, most);
  const bool changed = aspect != wall_->aspect || text != wall_->text;
  wall_->aspect = aspect;
  wall_->text = text;
  return changed;
}

void MatrixWall::layOutAgain() {
  chooseShape();
  wall_->layout = layOut(wall_->slabs, wall_->aspect, wall_->text);
  std::vector<SlabFace> faces;
  if (wall_->growth) {
    ShownGrowth& growth = *wall_->growth;
    growth.wall = GrowingWall(wall_->layout, layOut(growth.after, wall_->aspect, wall_->text),
                              growth.wall.slabs());
    faces = growth.wall.faces(growth.room, growth.progress);
  } else {
    for (const SlabPlace& place : wall_->layout.slabs) faces.push_back(faceOf(place));
  }
  wall_->scene.build(faces, style().palette());
  wall_->stale.assign(faces.size(), true);
  if (wall_->growth) placeGrowth();
  if (wall_->view) lookFrom(*wall_->view);
  scheduleRender();
}

QMarginsF MatrixWall::margins() const {
  // Where a window is wide and low, the scale stands beside the wall instead of below it.
  const QMarginsF below = wallMargins(style(), false);
  if (wall_->growth || !wall_->unpaired.empty()) return below;  // the legend stands there
  const QMarginsF beside = wallMargins(style(), true);
  const auto free = [this](const QMarginsF& m) {
    return QSizeF(width() - m.left() - m.right(), height() - m.top() - m.bottom());
  };
  const double shape = wall_->aspect;
  const auto side = [shape](const QSizeF& size) {
    return std::min(size.width() / shape, size.height());
  };
  return side(free(beside)) > side(free(below)) ? beside : below;
}

QSizeF MatrixWall::freeSize() const {
  // The shape of the wall follows from the room and the place of the scale from the shape: the
  // larger of the two rooms decides.
  QSizeF largest(1, 1);
  for (const QMarginsF& m : {wallMargins(style(), false), wallMargins(style(), true)}) {
    const QSizeF size(std::max(1.0, width() - m.left() - m.right()),
                      std::max(1.0, height() - m.top() - m.bottom()));
    if (size.width() * size.height() > largest.width() * largest.height()) largest = size;
  }
  return largest;
}

Camera MatrixWall::seenFrom(View view) const {
  constexpr double kNames = 44;  // below the lowest shelf
  const auto fitted = [&](const QMarginsF& margins) {
    return directionOf(view).fitted(wall_->layout.outline, size(), margins);
  };
  if (wall_->close) {
    const QMarginsF margins = wallMargins(style(), false);
    const Camera camera =
        fitted({margins.left(), margins.top(), margins.right(), double(style().px(kNames))});
    if (!coversLegend(camera)) return camera;
  }
  return fitted(margins());
}

bool MatrixWall::coversLegend(const Camera& camera) const {
  const double name = style().px(36);  // under a slab, and around the legend
  const QSizeF room = scaleBarSize(style()) + QSizeF(name, name);
  const QRectF legend(QPointF(width() - room.width(), height() - room.height() - name),
                      QSizeF(room.width(), room.height() + name));
  return std::ranges::any_of(wall_->layout.slabs, [&](const SlabPlace& place) {
    QPolygonF seen;
    for (const QVector3D& corner : place.frontCorners())
      if (const auto at = camera.project(corner, size())) seen << *at;
    return seen.boundingRect().intersects(legend);
  });
}

void MatrixWall::setClose(bool close) {
  wall_->close = close;
  if (wall_->view) lookFrom(*wall_->view);
}

void MatrixWall::lookFrom(View view) { setCamera(seenFrom(view)); }

void MatrixWall::setValues(int index, std::span<const float> values) {
  check(index >= 0 && index < static_cast<int>(wall_->slabs.size()), "the slab exists");
  const auto at = static_cast<std::size_t>(index);
  check(values.size() == wall_->slabs[at].values.size(), "a slab keeps its shape");
  std::ranges::copy(values, wall_->slabs[at].values.begin());
  if (wall_->growth) {
    const auto& growing = wall_->growth->wall.slabs();
    for (std::size_t i = 0; i < growing.size(); ++i)
      if (growing[i].before() == index) wall_->stale[i] = true;
  } else {
    wall_->stale[at] = true;
    wall_->known_limit.reset();
  }
  scheduleRender();
}

void MatrixWall::setInside(std::vector<QSize> inside) {
  check(inside.empty() || inside.size() == wall_->slabs.size(), "every slab has a size");
  if (inside == wall_->inside) return;
  const std::vector<QSize> before = std::exchange(wall_->inside, std::move(inside));
  if (wall_->growth) return;
  const bool all = before.empty() || wall_->inside.empty();
  for (std::size_t i = 0; i < wall_->stale.size(); ++i)
    if (all || before[i] != wall_->inside[i]) wall_->stale[i] = true;
  scheduleRender();
}

void MatrixWall::setUnpaired(std::vector<bool> unpaired) {
  check(unpaired.empty() || unpaired.size() == wall_->slabs.size(), "every slab is told of");
  if (unpaired == wall_->unpaired) return;
  wall_->unpaired = std::move(unpaired);
  wall_->stale.assign(wall_->stale.size(), true);
  scheduleRender();
}

bool MatrixWall::isUnpaired(const CellRef& cell) const {
  const auto slab = static_cast<std::size_t>(cell.slab);
  return !wall_->growth && slab < wall_->unpaired.size() && wall_->unpaired[slab] &&
         std::isnan(wall_->slabs[slab].value(cell.row, cell.col));
}

void MatrixWall::setFrames(std::vector<SlabFrame> frames) {
  for (const SlabFrame& frame : frames) {
    check(frame.slab >= 0 && frame.slab < static_cast<int>(wall_->slabs.size()),
          "the framed slab exists");
    const MatrixSlab& slab = wall_->slabs[static_cast<std::size_t>(frame.slab)];
    check(frame.rows > 0 && frame.rows <= slab.rows && frame.cols > 0 && frame.cols <= slab.cols,
          "a frame lies on its slab");
  }
  if (frames == wall_->frames) return;
  wall_->frames = std::move(frames);
  update();
}

const std::vector<SlabFrame>& MatrixWall::frames() const { return wall_->frames; }

void MatrixWall::setFixedLimit(std::optional<double> limit) {
  check(!limit || *limit > 0, "a colour limit is positive");
  if (wall_->fixed_limit == limit) return;
  wall_->fixed_limit = limit;
  scheduleRender();
}

double MatrixWall::limit() const { return wall_->limit(shareInside(style())); }

bool MatrixWall::hasFixedLimit() const { return wall_->fixed_limit.has_value(); }

std::optional<MatrixWall::View> MatrixWall::view() const { return wall_->view; }

void MatrixWall::setView(std::optional<View> view) {
  if (wall_->view == view) return;
  wall_->view = view;
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
  const auto corners = wall_->layout.slabs[static_cast<std::size_t>(slab)].frontCorners();
  const QMarginsF room(style().px(120), style().px(60), style().px(60), style().px(110));
  moveTo(Camera{}.fitted(corners, size(), room));
}

void MatrixWall::setFocusedSlab(std::optional<int> slab) {
  check(!slab || (*slab >= 0 && *slab < static_cast<int>(wall_->shown().size())),
        "the slab exists");
  if (wall_->focused == slab) return;
  wall_->focused = slab;
  update();
  if (!slab) return;
  const MatrixSlab& matrix = wall_->shown()[static_cast<std::size_t>(*slab)];
  setAccessibleDescription(tr("%1, %2 by %3").arg(matrix.name).arg(matrix.rows).arg(matrix.cols));
  emit slabFocused(*slab);
}

std::optional<int> MatrixWall::focusedSlab() const { return wall_->focused; }

std::optional<CellRef> MatrixWall::cellAt(const QPointF& position) const {
  if (wall_->moving()) return std::nullopt;
  return cellOn(camera().rayThrough(position, size()), wall_->layout.slabs);
}

void MatrixWall::setPickedCell(std::optional<CellRef> cell) {
  if (wall_->picked == cell) return;
  wall_->picked = cell;
  update();
  if (!cell) {
    emit pickCleared();
    return;
  }
  setFocusedSlab(cell->slab);
  setAccessibleDescription(describe(*cell));
  emit cellPicked(cell->slab, cell->row, cell->col);
}

std::optional<CellRef> MatrixWall::pickedCell() const { return wall_->picked; }

std::optional<CellRef> MatrixWall::shownCell() const {
  return wall_->picked ? wall_->picked : wall_->hovered;
}

void MatrixWall::prepareScene() {
  const double limit = wall_->limit(shareInside(style()));
  if (limit != wall_->coloured_limit) wall_->stale.assign(wall_->stale.size(), true);
  wall_->coloured_limit = limit;
  wall_->recolour(ColourScale(style().palette(), limit), style().palette());
}

void MatrixWall::paintOverlay(QPainter& painter) const {
  paintOverlayIn(painter, size(), style().palette());
}

}  // namespace tfm::ui
