// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/matrix_wall.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPaintEngine>
#include <QPainter>
#include <QToolTip>
#include <QVariantAnimation>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "ui/growth/growth_marks.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/color_scale.h"
#include "ui/scene/slab_scene.h"
#include "ui/scene/wall_framing.h"
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

/// The state of a MatrixWall.
struct MatrixWall::Wall {
  /// A growth shown on the wall.
  struct ShownGrowth {
    std::vector<MatrixSlab> after;
    GrowingWall wall;
    std::vector<GrowthMark> marks;
    float room = 0;      ///< how far the slabs have moved apart
    float progress = 0;  ///< how far the cells have grown
  };

  std::vector<MatrixSlab> slabs;
  WallLayout layout;  ///< of what is shown
  WallShape shape;    ///< what the layout is for
  SlabScene scene;
  std::vector<QSize> inside;  ///< columns and rows of each slab that do not fade; empty: all
  std::vector<SlabFrame> frames;
  std::vector<bool> unpaired;  ///< slabs with cells without a counterpart; empty: none
  std::vector<bool> stale;     ///< slabs whose colours are out of date
  ColorScale coloured;         ///< the scale of the current colours
  std::optional<double> fixed_limit;
  std::optional<double> known_limit;  ///< the automatic limit, while valid
  std::optional<View> view = kHome;   ///< the current saved camera; none if the user turned it
  bool close = false;                 ///< saved cameras let slabs be beside the legend
  std::optional<int> focused;
  std::optional<CellRef> picked, hovered;
  QString title;
  std::optional<ShownGrowth> growth;
  QVariantAnimation make_room;

  explicit Wall(vtkRenderer& renderer) : scene(renderer) {}

  /// Whether the slabs shown are the grown ones.
  bool grown() const { return growth && growth->progress > 0; }
  const std::vector<MatrixSlab>& shown() const { return grown() ? growth->after : slabs; }
  /// Whether cells are moving, so that none can be identified.
  bool moving() const { return growth && growth->progress > 0 && growth->progress < 1; }

  ColorScale scale(double share) {
    if (fixed_limit) return ColorScale::signedTo(*fixed_limit);
    if (!known_limit) {
      MagnitudeHistogram histogram;
      // One scale for the whole growth: colours change only if numbers do.
      for (const MatrixSlab& slab : growth ? growth->after : slabs) histogram.add(slab.values);
      known_limit = niceLimit(histogram.quantile(share));
    }
    return ColorScale::signedTo(*known_limit);
  }

  void forgetColours() { stale.assign(stale.size(), true); }

  /// Updates the stale slabs.
  void recolour(const ColorScale& scale, const Palette& palette) {
    const ColorTable colors = ColorTable(scale, palette).inGlOrder();
    for (std::size_t i = 0; i < stale.size(); ++i)
      if (stale[i]) recolour(i, colors, palette);
    stale.assign(stale.size(), false);
  }

  void recolour(std::size_t i, const ColorTable& colors, const Palette& palette) {
    const int index = static_cast<int>(i);
    const auto kept = inside.empty() ? std::nullopt : std::optional(inside[i]);
    if (!growth) {
      const bool pairs = unpaired.empty() || !unpaired[i];
      const ColorTable own =
          pairs ? colors : colors.withBad(glPixel(unpairedGround(palette).rgb()));
      return scene.recolour(index, {slabs[i].values, own, palette, nullptr, kept});
    }
    const MatrixSlab& after = growth->after[i];
    const GrowingSlab& slab = growth->wall.slabs()[i];
    if (!hasNewValues(i, growth->progress) && slab.before() >= 0) {
      const auto values = slab.valuesBefore(slabs[static_cast<std::size_t>(slab.before())], after);
      return scene.recolour(index, {values, colors, palette, &slab});
    }
    scene.recolour(index, {after.values, colors, palette, &slab});
  }

  /// Whether the old cells of a slab show their new values: slabs change one after another, so that
  /// no frame has to update all.
  bool hasNewValues(std::size_t index, float progress) const {
    constexpr float kFirst = 0.6f, kLast = 0.8f;
    const auto share = static_cast<float>(index) / static_cast<float>(growth->after.size());
    return progress >= kFirst + (kLast - kFirst) * share;
  }
};

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
  // After a complete growth everything stays in place.
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

WallFraming MatrixWall::framing() const {
  const bool legend = wall_->growth || !wall_->unpaired.empty();
  return {style(), size(), legend, wall_->close};
}

bool MatrixWall::chooseShape() {
  const WallShape shape = framing().shapeFor(wall_->slabs.size());
  return std::exchange(wall_->shape, shape) != shape;
}

void MatrixWall::layOutAgain() {
  chooseShape();
  wall_->layout = layOut(wall_->slabs, wall_->shape.aspect, wall_->shape.text);
  std::vector<SlabFace> faces;
  if (wall_->growth) {
    Wall::ShownGrowth& growth = *wall_->growth;
    growth.wall =
        GrowingWall(wall_->layout, layOut(growth.after, wall_->shape.aspect, wall_->shape.text),
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

Camera MatrixWall::seenFrom(View view) const {
  return framing().camera(view, wall_->layout, wall_->shape);
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
  check(unpaired.empty() || unpaired.size() == wall_->slabs.size(), "one flag per slab");
  if (unpaired == wall_->unpaired) return;
  wall_->unpaired = std::move(unpaired);
  wall_->forgetColours();
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

double MatrixWall::limit() const { return wall_->scale(shareInside(style())).high; }

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
  setAccessibleDescription(
      tr("%1, %2 by %3").arg(matrix.name).arg(matrix.rows).arg(matrix.fullCols()));
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
  const ColorScale scale = wall_->scale(shareInside(style()));
  if (scale != wall_->coloured) wall_->forgetColours();
  wall_->coloured = scale;
  wall_->recolour(scale, style().palette());
}

void MatrixWall::paintOverlay(QPainter& painter) const {
  paintOverlayIn(painter, size(), style().palette());
}

void MatrixWall::cameraMoved() { setView(std::nullopt); }

void MatrixWall::setHovered(std::optional<CellRef> cell) {
  if (wall_->hovered == cell) return;
  wall_->hovered = cell;
  update();
  if (cell)
    emit cellHovered(cell->slab, cell->row, cell->col);
  else
    emit hoverEnded();
}

void MatrixWall::pointerAt(const QPointF& position) {
  const auto cell = cellAt(position);
  if (cell && cell != wall_->hovered)
    QToolTip::showText(mapToGlobal(position.toPoint()), describe(*cell), this);
  if (!cell) QToolTip::hideText();
  setHovered(cell);
}

void MatrixWall::leaveEvent(QEvent*) { setHovered(std::nullopt); }

void MatrixWall::clicked(const QPointF& position) {
  const auto cell = cellAt(position);
  if (cell) setPickedCell(cell == wall_->picked ? std::nullopt : cell);
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
  if (!wall_->view) return;
  if (chooseShape())
    layOutAgain();
  else
    lookFrom(*wall_->view);
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
      if (!wall_->focused) break;
      approachSlab(*wall_->focused);
      if (!wall_->picked || wall_->picked->slab != *wall_->focused)
        setPickedCell(CellRef{*wall_->focused, 0, 0});
      return;
    case Qt::Key_Escape:
      if (!wall_->picked && !wall_->focused) break;
      if (wall_->picked)
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
  if (!wall_->picked || !step) return false;
  CellRef cell = *wall_->picked;
  const MatrixSlab& slab = wall_->shown()[static_cast<std::size_t>(cell.slab)];
  cell.row = std::clamp(cell.row + step->row, 0, slab.rows - 1);
  cell.col = std::clamp(cell.col + step->col, 0, slab.cols - 1);
  setPickedCell(cell);
  return true;
}

bool MatrixWall::stepFocus(int step) {
  const int count = static_cast<int>(wall_->shown().size());
  const int next = wall_->focused ? *wall_->focused + step : (step > 0 ? 0 : count - 1);
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
  auto slabs = matchGrowth(wall_->slabs, after, growth);
  std::vector<GrownCells> cells;  // the numbers are not copied
  for (const expand::GrownMatrix& matrix : growth)
    cells.emplace_back(
        std::shared_ptr<const expand::GrownMatrix>(std::shared_ptr<void>(), &matrix));
  const float room = wall_->growth ? wall_->growth->room : 0;
  dropGrowth();
  wall_->known_limit.reset();
  wall_->growth =
      Wall::ShownGrowth{.after = std::move(after), .wall = {}, .marks = growthMarks(cells)};
  wall_->growth->wall = GrowingWall({}, {}, std::move(slabs));
  // Slabs that have made room keep it while a size is dragged.
  wall_->growth->room = room;
  const Camera camera = this->camera();
  layOutAgain();
  setCamera(camera);
  makeRoom();
}

void MatrixWall::makeRoom() {
  QVariantAnimation& move = wall_->make_room;
  if (wall_->view) moveTo(seenFrom(*wall_->view));
  if (!style().motion() || !isVisible() || wall_->growth->room >= 1) {
    wall_->growth->room = 1;
    return placeGrowth();
  }
  move.setDuration(kRoomMilliseconds);
  move.setEasingCurve(QEasingCurve::InOutCubic);
  move.setStartValue(wall_->growth->room);
  move.setEndValue(1.0F);
  move.disconnect(this);
  connect(&move, &QVariantAnimation::valueChanged, this, [this](const QVariant& room) {
    if (!wall_->growth) return;
    wall_->growth->room = room.toFloat();
    placeGrowth();
  });
  move.start();
}

void MatrixWall::placeGrowth() {
  Wall::ShownGrowth& growth = *wall_->growth;
  wall_->layout = wall_->grown() ? growth.wall.after(growth.room) : growth.wall.before(growth.room);
  wall_->scene.move(growth.wall.faces(growth.room, growth.progress),
                    GrowingWall::appearance(growth.progress));
  scheduleRender();
}

void MatrixWall::setGrowthProgress(double progress) {
  check(wall_->growth.has_value(), "a growth is shown");
  Wall::ShownGrowth& growth = *wall_->growth;
  const float now = static_cast<float>(std::clamp(progress, 0.0, 1.0));
  if (now == growth.progress) return;
  // Starting the growth skips the animation that makes room.
  if (wall_->make_room.state() == QAbstractAnimation::Running) {
    wall_->make_room.stop();
    growth.room = 1;
  }
  const bool was_grown = wall_->grown();
  const float last = std::exchange(growth.progress, now);
  if (was_grown != wall_->grown() || wall_->moving()) forgetCells();
  for (std::size_t i = 0; i < growth.after.size(); ++i)
    if (wall_->hasNewValues(i, last) != wall_->hasNewValues(i, now) &&
        growth.wall.slabs()[i].changesOldValues())
      wall_->stale[i] = true;
  placeGrowth();
}

double MatrixWall::growthProgress() const {
  return wall_->growth ? static_cast<double>(wall_->growth->progress) : 0.0;
}

bool MatrixWall::showsGrowth() const { return wall_->growth.has_value(); }

std::span<const MatrixSlab> MatrixWall::grownSlabs() const {
  return wall_->growth ? std::span<const MatrixSlab>(wall_->growth->after)
                       : std::span<const MatrixSlab>();
}

void MatrixWall::clearGrowth() {
  if (!wall_->growth) return;
  dropGrowth();
  const Camera camera = this->camera();
  layOutAgain();
  if (!wall_->view) return;
  setCamera(camera);
  moveTo(seenFrom(*wall_->view));
}

// Indices before and after a growth differ.
void MatrixWall::forgetCells() {
  setHovered(std::nullopt);
  setPickedCell(std::nullopt);
  setFocusedSlab(std::nullopt);
}

void MatrixWall::dropGrowth() {
  if (!wall_->growth) return;
  if (wall_->growth->progress > 0) forgetCells();
  wall_->make_room.stop();
  wall_->growth.reset();
  wall_->known_limit.reset();
}

QString MatrixWall::describe(const CellRef& cell) const {
  const MatrixSlab& slab = wall_->shown()[static_cast<std::size_t>(cell.slab)];
  const auto index = [](const QString& axis, const QString& otherwise, int number) {
    return QStringLiteral("%1 %2").arg(axis.isEmpty() ? otherwise : axis).arg(number + 1);
  };
  QString text =
      QStringLiteral("%1\n%2, %3\n%4")
          .arg(slab.name, index(slab.row_axis, tr("row"), cell.row),
               index(slab.col_axis, tr("column"), slab.firstCol(cell.row) + cell.col),
               isUnpaired(cell) ? unpairedReason()
                                : QLocale().toString(slab.value(cell.row, cell.col), 'g', 6));
  if (!wall_->grown()) return text;
  const GrowingSlab& grown = wall_->growth->wall.slabs()[static_cast<std::size_t>(cell.slab)];
  const expand::Entry entry = grown.entry(cell.row, cell.col);
  text += '\n' + markName(entry);
  const double factor = grown.scale(cell.row, cell.col);
  return entry == expand::Entry::Scaled ? text + ' ' + factorText(factor, factor) : text;
}

void MatrixWall::setFigureTitle(const QString& title) { wall_->title = title; }

QString MatrixWall::figureTitle() const {
  return wall_->title.isEmpty() ? tr("All matrices") : wall_->title;
}

void MatrixWall::paintOverlayIn(QPainter& painter, const QSizeF& size,
                                const Palette& palette) const {
  const bool coming = wall_->growth && !wall_->grown();
  const std::vector<Ghost> ghosts =
      coming ? wall_->growth->wall.ghosts(wall_->growth->room) : std::vector<Ghost>();
  const bool stands = wall_->grown() && !wall_->moving();
  const std::vector<FreshBlock> fresh =
      stands ? freshBlocks(wall_->growth->wall.slabs(), wall_->growth->after)
             : std::vector<FreshBlock>();
  const bool unpaired = std::ranges::find(wall_->unpaired, true) != wall_->unpaired.end();
  std::vector<GrowthMark> marks;
  if (wall_->growth)
    marks = wall_->growth->marks;
  else if (unpaired)
    marks.push_back({.words = unpairedName(), .unpaired = true});
  paintWallOverlay(
      painter,
      {.slabs = wall_->shown(),
       .layout = wall_->layout,
       .camera = camera(),
       .size = size,
       .palette = palette,
       .style = style(),
       .scale = wall_->scale(shareInside(style())),
       .inside_share = wall_->fixed_limit ? std::nullopt : std::optional(shareInside(style())),
       .focused = wall_->focused,
       .picked = wall_->picked,
       .hovered = wall_->hovered,
       .frames = wall_->growth ? std::span<const SlabFrame>() : wall_->frames,
       .ghosts = ghosts,
       .grown = grownSlabs(),
       .fresh = fresh,
       .marks = marks});
}

void MatrixWall::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.save();
  painter.translate(area.topLeft());
  if (available()) {
    // The scene is temporarily recoloured; the next frame on screen restores it.
    wall_->scene.setPalette(palette);
    wall_->forgetColours();
    wall_->recolour(wall_->scale(shareInside(style())), palette);
    const QImage image = drawSmoothly(area.size(), imageScale(painter));
    wall_->scene.setPalette(style().palette());
    wall_->forgetColours();
    painter.setRenderHints(QPainter::LosslessImageRendering | QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(QPointF(), area.size()), image);
  }
  paintOverlayIn(painter, area.size(), palette);
  painter.restore();
}

DataTable MatrixWall::figureData() const {
  DataTable table{{tr("name"), tr("row"), tr("column"), tr("value")}, {}};
  for (const MatrixSlab& slab : wall_->shown())
    for (int row = 0; row < slab.rows; ++row)
      for (int col = 0; col < slab.cols; ++col)
        table.rows.push_back({slab.name, QString::number(row),
                              QString::number(slab.firstCol(row) + col),
                              fullPrecision(static_cast<double>(slab.value(row, col)))});
  return table;
}

}  // namespace tfm::ui
