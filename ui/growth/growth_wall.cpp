// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_wall.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kWallMargin = 6.0;
constexpr double kPageWidth = 1100.0;
constexpr double kPageHeight = 800.0;
constexpr double kUnchanged = 0.55;   // opacity of what a growth does not change
constexpr double kMostPitch = 44.0;   // of cells zoomed to
constexpr double kClosePitch = 36.0;  // cells need not be larger to be seen in all detail
constexpr double kSeenPitch = 7.0;    // cells of this size are seen well enough
constexpr double kZoomStep = 0.94;    // from one zoom to the next that is tried
constexpr double kShapesFrom = 1.25;  // zoom from which shapes are shown in any case

/// The item one step from `from`: the neighbour in reading order, or the nearest in the next row
/// above or below; -1 if there is none.
int stepTo(const std::vector<QRectF>& frames, int from, const Cell& step) {
  const int count = int(frames.size());
  if (step.col != 0) {
    const int next = from + step.col;
    return next < 0 || next >= count ? -1 : next;
  }
  const QPointF centre = frames[std::size_t(from)].center();
  const double top = frames[std::size_t(from)].top();
  int best = -1;
  double best_far = 0.0;
  for (int i = 0; i < count; ++i) {
    const QRectF& frame = frames[std::size_t(i)];
    if (step.row > 0 ? frame.top() <= top : frame.top() >= top) continue;
    // Rows weigh more than columns, so that the next row is preferred.
    const double far =
        std::abs(frame.center().x() - centre.x()) + 1e4 * std::abs(frame.top() - top);
    if (best < 0 || far < best_far) {
      best = i;
      best_far = far;
    }
  }
  return best;
}

}  // namespace

GrowthWall::GrowthWall(const Style& style, QWidget* parent)
    : GrowthGrid(style, parent, Lock::Stays), words_(style) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(this, &CellGrid::locked, this, [this](int item) {
    selection_ = shown_[std::size_t(item)];
    reveal(item);
    emit selected(selection_);
  });
  connect(this, &CellGrid::moved, this, [this] { zoomed_to_.clear(); });
  connect(this, &CellGrid::unlocked, this, [this] {
    selection_ = -1;
    emit selected(-1);
  });
}

void GrowthWall::setMatrices(std::vector<GrownCells> matrices) {
  if (matrices.size() != matrices_.size()) selection_ = -1;
  matrices_ = std::move(matrices);
  // Unchanged matrices are usually hidden and must not affect the scale of the others.
  std::vector<const GrownCells*> counted;
  for (const GrownCells& cells : matrices_)
    if (cells.changes()) counted.push_back(&cells);
  if (counted.empty())
    for (const GrownCells& cells : matrices_) counted.push_back(&cells);
  limit_ = GrownCells::commonLimit(counted);
  recolor();
  arrange();
}

void GrowthWall::setShowAll(bool all) {
  if (all == all_) return;
  all_ = all;
  arrange();
}

void GrowthWall::setCellSize(std::optional<double> pixels) { cell_size_ = pixels; }

const GrownCells& GrowthWall::matrixOf(int item) const {
  return matrices_[std::size_t(shown_[std::size_t(item)])];
}

int GrowthWall::itemOfMatrix(int matrix) const {
  const auto place = std::ranges::find(shown_, matrix);
  return place == shown_.end() ? -1 : int(place - shown_.begin());
}

void GrowthWall::select(int matrix) {
  if (holdsEdge() && matrix == selection_) return;
  GrowthGrid::releaseHandle();
  selection_ = matrix;
  const int item = itemOfMatrix(matrix);
  showLockedItem(item);
  if (item >= 0) reveal(item);
}

QRectF GrowthWall::matrixRect(int matrix) const {
  const int item = itemOfMatrix(matrix);
  return item < 0 ? QRectF() : itemRect(item);
}

QRectF GrowthWall::itemArea(int item) const {
  return flow_.items[std::size_t(item)].frame.translated(corner());
}

QRectF GrowthWall::areaToReveal(int item) const {
  QRectF area = itemArea(item);
  // A matrix without the title of its block could be that of any layer.
  const PlanBlock& block = flow_.plan.blockOf(flow_.items[std::size_t(item)].piece);
  const double top = flow_.titleArea(block).top() + corner().y();
  if (area.bottom() - top < 0.9 * viewport()->height()) area.setTop(std::min(top, area.top()));
  return area;
}

int GrowthWall::itemAt(const QPointF& point) const {
  int found = -1;
  for (int i = 0; i < int(flow_.items.size()); ++i) {
    const WallItem& item = flow_.items[std::size_t(i)];
    // A bias lies in the frame of its matrix.
    if (item.frame.contains(point - corner()) && (found < 0 || item.words.isEmpty())) found = i;
  }
  return found;
}

int GrowthWall::stepFrom(int item, const Cell& step) const {
  if (item < 0) return 0;
  std::vector<QRectF> frames;
  for (const WallItem& one : flow_.items) frames.push_back(flow_.plan.pieces[one.piece]);
  return stepTo(frames, item, step);
}

std::optional<Cell> GrowthWall::cellAt(int item, const QPointF& point) const {
  if (item < 0 || progress() < 1.0) return std::nullopt;
  const QPointF origin = flow_.items[std::size_t(item)].origin + corner();
  return GrowthPlaces::of(matrixOf(item), origin, flow_.pitch, style().scale(),
                          GrowthMoment::at(1.0))
      .at(point);
}

QString GrowthWall::itemText(int item) const {
  const GrownCells& cells = matrixOf(item);
  return tr("%1, %2, %3 parameters").arg(cells.name(), cells.shapeText(), cells.countText());
}

QString GrowthWall::tipAt(const QPointF& point) const {
  if (handleAt(point)) return GrowthGrid::tipAt(point);
  const int item = itemAt(point);
  if (const auto cell = cellAt(item, point)) return matrixOf(item).describe(cell->row, cell->col);
  return item < 0 ? QString() : matrixOf(item).name();
}

void GrowthWall::restyle() {
  words_.forget();
  recolor();
}

void GrowthWall::recolor() {
  table_.emplace(scale(), style().palette());
  colors_.assign(matrices_.size(), std::nullopt);
}

QSizeF GrowthWall::roomOnScreen() const {
  const double margin = 2 * kWallMargin * style().scale();
  return QSizeF(viewport()->size()) - QSizeF(margin, margin);
}

WallFlow GrowthWall::zoomed(double zoom) const {
  if (zoom <= 1.0) return whole_;
  // Now there is room for words.
  WallText text = whole_.text;
  text.size = std::min(1.0, text.size * zoom);
  text.names = text.names || zoom >= kShapesFrom;
  text.shapes = text.shapes || zoom >= kShapesFrom;
  return wallAt(whole_.pitch * zoom, text, contents(), roomOnScreen().width() * zoom, &whole_);
}

void GrowthWall::layOut() {
  const std::vector<int> shown_before = std::exchange(shown_, {});
  for (int i = 0; i < int(matrices_.size()); ++i)
    if (all_ || matrices_[std::size_t(i)].changes()) shown_.push_back(i);
  const bool kept = holdsEdge() && shown_ == shown_before;
  const int held = holdsEdge() ? lockedItem() : -1;
  const QPointF held_at = held < 0 ? QPointF() : itemRect(held).topLeft();
  if (kept) {
    // While an edge is dragged, a pixel must keep standing for the same number of cells.
    const WallFlow before = std::exchange(flow_, {});
    flow_ = wallAt(before.pitch, before.text, contents(), before.plan.size.width(), &before);
  } else {
    whole_ = wholeWall(contents(), roomOnScreen());
    setZooms(1.0, kMostPitch * style().scale() / whole_.pitch);
    flow_ = zoomed(zoom());
  }
  const int item = itemOfMatrix(selection_);
  showLockedItem(item);
  forgetOutside();
  const double margin = 2 * kWallMargin * style().scale();
  setContentSize(flow_.plan.size + QSizeF(margin, margin));
  if (held >= 0 && item >= 0) shift_ += held_at - itemRect(item).topLeft();
}

QRectF GrowthWall::around(const WallFlow& flow, const std::vector<int>& items) const {
  QRectF area;
  for (const int item : items) {
    const std::size_t piece = flow.items[std::size_t(item)].piece;
    QRectF one = flow.plan.pieces[piece];
    one.setTop(flow.plan.blockOf(piece).frame.top());  // with its title
    area = area.united(one);
  }
  return area;
}

void GrowthWall::zoomTo(const std::vector<int>& matrices) {
  std::vector<int> items;
  for (const int matrix : matrices)
    if (const int item = itemOfMatrix(matrix); item >= 0) items.push_back(item);
  if (items.empty()) return fit();
  zoomed_to_ = matrices;
  const auto site = [&](int item) { return matrixOf(item).tag().site; };
  const Site first = site(items.front());
  std::vector<int> layer, block;
  for (const int item : items) {
    if (site(item).stack != first.stack || site(item).layer != first.layer) continue;
    layer.push_back(item);
    if (site(item) == first) block.push_back(item);
  }
  const double unit = style().scale();
  const QSizeF room = roomOnScreen();
  for (const std::vector<int>* chosen : {&items, &layer, &block}) {
    double zoom = std::max(1.0, kClosePitch * unit / whole_.pitch);
    for (; zoom > 1.0; zoom = std::max(1.0, zoom * kZoomStep)) {
      const QSizeF size = around(zoomed(zoom), *chosen).size();
      if (size.width() <= room.width() && size.height() <= room.height()) break;
    }
    if (zoom * whole_.pitch < kSeenPitch * unit && chosen != &block) continue;
    setZoom(zoom, {});
    // In the middle; what is larger than the view is seen from its beginning.
    const QRectF area = around(flow_, *chosen).translated(corner());
    const QSizeF spare = (room - area.size()).expandedTo({0.0, 0.0}) / 2;
    const double margin = kWallMargin * unit;
    return scrollTo(area.topLeft() - QPointF(margin + spare.width(), margin + spare.height()));
  }
}

QPointF GrowthWall::corner() const {
  const double margin = kWallMargin * style().scale();
  return QPointF(margin, margin) + shift_;
}

std::optional<GrowthGrid::Standing> GrowthWall::standing() const {
  const int item = lockedItem();
  if (item < 0) return std::nullopt;
  const QSizeF size = grownSize(matrixOf(item), flow_.pitch, style().scale());
  const QPointF origin = flow_.items[std::size_t(item)].origin + corner();
  return Standing{matrixOf(item), QRectF(origin, size), flow_.pitch};
}

void GrowthWall::releaseHandle() {
  GrowthGrid::releaseHandle();
  shift_ = {};
  arrange();
  if (lockedItem() >= 0) reveal(lockedItem());
}

void GrowthWall::resizeEvent(QResizeEvent* event) {
  CellGrid::resizeEvent(event);
  if (!zoomed_to_.empty()) zoomTo(std::vector(zoomed_to_));
}

bool GrowthWall::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) emit cellHovered(-1, -1, -1);
  return CellGrid::viewportEvent(event);
}

void GrowthWall::mouseMoveEvent(QMouseEvent* event) {
  CellGrid::mouseMoveEvent(event);
  if (isDragging()) return;
  const QPointF point = event->position() + scrolled();
  const int item = itemAt(point);
  const Cell cell = cellAt(item, point).value_or(Cell{});
  emit cellHovered(item < 0 ? -1 : shown_[std::size_t(item)], cell.row, cell.col);
}

void GrowthWall::paintBlock(QPainter& painter, const WallFlow& flow, const PlanBlock& block,
                            const GrowthLook& look) const {
  const double unit = look.unit();
  painter.setPen(QPen(look.palette.line, 1));
  painter.setBrush(look.palette.panel);
  painter.drawRoundedRect(block.frame, 6 * unit, 6 * unit);
  const QRectF area = flow.titleArea(block);
  const QFont font = words_.font(WallWords::Place, flow.text);
  painter.setFont(font);
  painter.setPen(look.palette.muted);
  painter.drawText(
      QPointF(area.left(), area.top() + QFontMetricsF(font).ascent()),
      words_.fitted(WallWords::Place, block.place.title.toUpper(), flow.text, area.width()));
}

void GrowthWall::paintWords(QPainter& painter, const WallFlow& flow, const WallItem& item,
                            const GrowthLook& look) const {
  if (!flow.text.names || item.words.isEmpty()) return;
  const GrownCells& cells = matrices_[std::size_t(item.matrix)];
  const Palette& palette = look.palette;
  const double room = item.words.width();
  double top = item.words.top();
  const auto line = [&](WallWords::Line kind, const QColor& colour, const QString& text) {
    const QFont font = words_.font(kind, flow.text);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QPointF(item.words.left(), top + metrics.ascent()),
                     words_.fitted(kind, text, flow.text, room));
    top += metrics.height();
  };
  line(WallWords::Name, palette.text, wallNameText(cells));
  if (!flow.text.shapes) return;
  // A truncated number would be wrong: without room for the counts, only the shape is shown.
  const QString full = wallShapeText(cells);
  const bool fits = words_.widthOf(WallWords::Shape, full, flow.text) <= room;
  line(WallWords::Shape, palette.muted, fits ? full : cells.shapeText());
}

void GrowthWall::paintArrows(QPainter& painter, const WallFlow& flow,
                             const GrowthLook& look) const {
  const double unit = look.unit();
  painter.setPen(QPen(look.palette.muted, 1.25 * unit));
  const auto& blocks = flow.plan.blocks;
  const auto right = [](const QRectF& frame) { return QPointF(frame.right(), frame.center().y()); };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const QRectF& frame = blocks[i].frame;
    if (blocks[i].leads && i + 1 < blocks.size() && blocks[i + 1].row == blocks[i].row) {
      const QRectF& next = blocks[i + 1].frame;
      paintPlanArrow(painter, {{right(frame), {next.left(), next.center().y()}}}, unit);
    }
    if (!blocks[i].memory) continue;
    // Through the lane beside the rows and the gap above a row.
    const QPointF from = right(blocks[*blocks[i].memory].frame);
    const double lane = flow.plan.lane, middle = frame.center().x();
    const double above = frame.top() - (flow.plan.size.width() - lane);
    paintPlanArrow(
        painter, {{from, {lane, from.y()}, {lane, above}, {middle, above}, {middle, frame.top()}}},
        unit);
  }
}

void GrowthWall::paintFlow(QPainter& painter, const WallFlow& flow, const ColorsOf& colors_of,
                           const GrowthLook& look, const QRectF& visible) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const PlanBlock& block : flow.plan.blocks)
    if (block.frame.intersects(visible)) paintBlock(painter, flow, block, look);
  paintArrows(painter, flow, look);
  const bool any_changes = std::ranges::any_of(matrices_, &GrownCells::changes);
  for (const WallItem& item : flow.items) {
    if (!item.frame.intersects(visible)) continue;
    const auto at = std::size_t(item.matrix);
    const GrownCells& cells = matrices_[at];
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(any_changes && !cells.changes() ? kUnchanged : 1.0);
    paintWords(painter, flow, item, look);
    const GrowthPlaces places =
        GrowthPlaces::of(cells, item.origin, flow.pitch, look.unit(), look.moment);
    const CellColors& colors = colors_of(at);
    paintGrowthCells(painter, cells, colors, places, look);
    paintGrowthMarks(painter, cells, colors, places, look);
    paintGrowthNumbers(painter, cells, colors, places, look);
    paintGhost(painter, cells, places, look);
  }
  painter.setOpacity(1.0);
}

QSizeF GrowthWall::figureSizeIn(double width) const {
  return pageFlow(width).plan.size.expandedTo({1, 1});
}

WallFlow GrowthWall::pageFlow(double width) const {
  const double unit = style().scale();
  const QSizeF page(std::max(width, kPageWidth * unit), kPageHeight * unit);
  if (cell_size_) return wallAt(*cell_size_ * unit, {}, contents(), page.width());
  return wallOnPages(contents(), page);
}

void GrowthWall::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const WallFlow flow = pageFlow(area.width());
  const ColorTable table(scale(), palette);
  CellColors colors;
  const auto colors_of = [&](std::size_t matrix) -> const CellColors& {
    return colors = CellColors(matrices_[matrix], table, palette);
  };
  painter.translate(area.topLeft());
  paintFlow(painter, flow, colors_of,
            {style(), palette, scale(), GrowthMoment::at(progress()), true},
            QRectF(QPointF(), flow.plan.size));
}

void GrowthWall::paintItems(QPainter& painter) {
  painter.translate(corner());
  const auto colors_of = [this](std::size_t matrix) -> const CellColors& {
    auto& colors = colors_[matrix];
    if (!colors) colors.emplace(matrices_[matrix], *table_, style().palette());
    return *colors;
  };
  paintFlow(painter, flow_, colors_of,
            {style(), style().palette(), scale(), GrowthMoment::at(progress()), false},
            visibleArea().translated(-corner()));
}

DataTable GrowthWall::figureData() const {
  DataTable table{{"name", "rows_before", "columns_before", "rows_after", "columns_after",
                   "parameters_before", "parameters_after"},
                  {}};
  for (int item = 0; item < itemCount(); ++item) {
    const GrownCells& cells = matrixOf(item);
    const auto number = [](std::int64_t value) { return QString::number(value); };
    const GrownAxis &rows = cells.rowAxis(), &cols = cells.colAxis();
    table.rows.push_back({cells.name(), number(rows.before), number(cols.before),
                          number(rows.after), number(cols.after),
                          number(std::int64_t{rows.before} * cols.before),
                          number(std::int64_t{rows.after} * cols.after)});
  }
  return table;
}

}  // namespace tfm::ui
