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

constexpr double kWallMargin = 12.0;
constexpr double kPageWidth = 1100.0;
constexpr double kPageHeight = 800.0;
constexpr double kMinHeight = 480.0;
constexpr double kUnchanged = 0.55;  // opacity of what a growth does not change
constexpr double kArrowGap = 6.0;    // before and behind an arrow along the data

void paintWords(QPainter& painter, const GrownCells& cells, const WallWords& words,
                const QRectF& room, const GrowthLook& look) {
  struct Line {
    WallWords::Line line;
    QFont font;
    QColor colour;
    QString text;
  };
  const ParameterCaption caption = cells.caption();
  const Palette& palette = look.palette;
  double top = room.top();
  // A truncated number would be wrong: without room for the counts, only the shape is shown.
  const QString full = wallShapeText(cells);
  const QFont font = wallShapeFont(look.style);
  const bool fits = words.fitted(WallWords::Shape, full, font, room.width()) == full;
  for (const Line& line :
       {Line{WallWords::Name, wallNameFont(look.style), palette.text, caption.name},
        Line{WallWords::Shape, font, palette.muted, fits ? full : cells.shapeText()}}) {
    const QFontMetricsF metrics(line.font);
    painter.setFont(line.font);
    painter.setPen(line.colour);
    painter.drawText(QPointF(room.left(), top + metrics.ascent()),
                     words.fitted(line.line, line.text, line.font, room.width()));
    top += metrics.height();
  }
}

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

void GrowthWall::setCellSize(std::optional<double> pixels) {
  cell_size_ = pixels;
  arrange();
}

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
  return flow_.plan.pieces[std::size_t(item)].translated(corner());
}

QRectF GrowthWall::areaToReveal(int item) const {
  QRectF area = itemArea(item);
  // A matrix without the title of its block could be that of any layer.
  const PlanBlock& block = flow_.plan.blockOf(std::size_t(item));
  const double top = flow_.titleArea(block).top() + corner().y();
  if (area.bottom() - top < 0.9 * viewport()->height()) area.setTop(std::min(top, area.top()));
  return area;
}

int GrowthWall::itemAt(const QPointF& point) const {
  const auto& frames = flow_.plan.pieces;
  const auto found = std::ranges::find_if(
      frames, [&](const QRectF& frame) { return frame.contains(point - corner()); });
  return found == frames.end() ? -1 : int(found - frames.begin());
}

int GrowthWall::stepFrom(int item, const Cell& step) const {
  return item < 0 ? 0 : stepTo(flow_.plan.pieces, item, step);
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

std::optional<double> GrowthWall::pitchOnScreen() const {
  if (!cell_size_) return std::nullopt;
  return *cell_size_ * style().scale();
}

void GrowthWall::layOut() {
  const std::vector<int> shown_before = std::exchange(shown_, {});
  for (int i = 0; i < int(matrices_.size()); ++i)
    if (all_ || matrices_[std::size_t(i)].changes()) shown_.push_back(i);
  shown_ = readingOrder(matrices_, std::move(shown_));
  const double margin = kWallMargin * style().scale();
  const QSize view = viewport()->size();
  // A low view scrolls instead of shrinking its cells to dots.
  const double height = std::max(view.height() - 2 * margin, kMinHeight * style().scale());
  const bool kept = holdsEdge() && shown_ == shown_before;
  const int held = holdsEdge() ? lockedItem() : -1;
  const QPointF held_at = held < 0 ? QPointF() : itemRect(held).topLeft();
  // While an edge is dragged, a pixel must keep standing for the same number of cells.
  const WallFlow before = std::exchange(flow_, {});
  flow_ = WallFlow::of(matrices_, shown_, view.width() - 2 * margin, height, pitchOnScreen(),
                       words_, style().scale(), kept ? &before : nullptr);
  const int item = itemOfMatrix(selection_);
  showLockedItem(item);
  forgetOutside();
  setContentSize(flow_.plan.size + QSizeF(2 * margin, 2 * margin));
  if (held >= 0 && item >= 0) shift_ += held_at - itemRect(item).topLeft();
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

void GrowthWall::paintFlow(QPainter& painter, const WallFlow& flow, const ColorsOf& colors_of,
                           const GrowthLook& look, const QRectF& visible) const {
  const double unit = look.unit();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const PlanBlock& block : flow.plan.blocks) {
    const QRectF& frame = block.frame;
    if (!frame.intersects(visible)) continue;
    painter.setPen(QPen(look.palette.line, 1));
    painter.setBrush(look.palette.panel);
    painter.drawRoundedRect(frame, 8 * unit, 8 * unit);
    const QRectF words = flow.titleArea(block);
    const QFont font = wallPlaceFont(look.style);
    const QFontMetricsF metrics(font);
    const QString title = words_.fitted(WallWords::Place, block.place.title, font, words.width());
    painter.setFont(font);
    painter.setPen(look.palette.muted);
    painter.drawText(QPointF(words.left(), words.top() + metrics.ascent()), title);
    const double y = words.top() + metrics.height() / 2, gap = kArrowGap * unit;
    const double from = words.left() + metrics.horizontalAdvance(title) + gap;
    painter.setPen(QPen(look.palette.line, unit));
    if (block.leads)
      paintPlanArrow(painter, {{{from, y}, {std::max(from, frame.right() - gap), y}}}, unit);
  }
  paintMemory(painter, flow, look);
  const bool any_changes = std::ranges::any_of(matrices_, &GrownCells::changes);
  for (std::size_t i = 0; i < flow.items.size(); ++i) {
    const WallItem& item = flow.items[i];
    if (!flow.plan.pieces[i].intersects(visible)) continue;
    const auto at = std::size_t(item.matrix);
    const GrownCells& cells = matrices_[at];
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(any_changes && !cells.changes() ? kUnchanged : 1.0);
    paintWords(painter, cells, words_, item.words, look);
    const GrowthPlaces places = GrowthPlaces::of(cells, item.origin, flow.pitch, unit, look.moment);
    const CellColors& colors = colors_of(at);
    paintGrowthCells(painter, cells, colors, places, look);
    paintGrowthMarks(painter, cells, colors, places, look);
    paintGhost(painter, cells, places, look);
  }
  painter.setOpacity(1.0);
}

void GrowthWall::paintMemory(QPainter& painter, const WallFlow& flow,
                             const GrowthLook& look) const {
  const double unit = look.unit(), gap = kArrowGap * unit;
  const QFont font = wallPlaceFont(look.style);
  const QFontMetricsF metrics(font);
  const auto behindTitle = [&](const PlanBlock& block) {
    const QRectF words = flow.titleArea(block);
    const QString title = words_.fitted(WallWords::Place, block.place.title, font, words.width());
    return words.topLeft() + QPointF(metrics.horizontalAdvance(title) + gap, metrics.height() / 2);
  };
  painter.setPen(QPen(look.palette.muted, unit));
  for (const PlanBlock& block : flow.plan.blocks) {
    if (!block.memory) continue;
    const QPointF from = behindTitle(flow.plan.blocks[*block.memory]), to = behindTitle(block);
    // Between the rows, as far from them as the lane is from its end.
    const double lane = flow.plan.lane, above = block.frame.top() - (flow.plan.size.width() - lane);
    paintPlanArrow(painter, {{from, {lane, from.y()}, {lane, above}, {to.x(), above}, to}}, unit);
  }
}

QSizeF GrowthWall::figureSizeIn(double width) const {
  return pageFlow(width).plan.size.expandedTo({1, 1});
}

WallFlow GrowthWall::pageFlow(double width) const {
  const double unit = style().scale();
  return WallFlow::of(matrices_, shown_, std::max(width, kPageWidth * unit), kPageHeight * unit,
                      pitchOnScreen(), words_, unit);
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
