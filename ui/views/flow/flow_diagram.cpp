// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_diagram.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/figure/token_text.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_words.h"

namespace tfm::ui {
namespace {

constexpr double kLeastZoom = 0.4;
constexpr double kAround = 40.0;  // of a number that is gone to
// How much larger a small model is drawn in a large window, or smaller so that all is seen.
constexpr double kFits[] = {2.5, 2.0, 1.6, 1.25, 1.0, 0.85};
constexpr double kSmaller = 0.92;    // from one zoom to the next that is tried
constexpr int kStepMotion = 700;     // milliseconds
constexpr double kMostLabel = 64.0;  // width of a token beside a map, at scale 1

/// Whether two programs have the same tensors, so that what is drawn of one fits the other.
bool alike(const Program& a, const Program& b) {
  return std::ranges::equal(a.tensors, b.tensors, [](const TensorInfo& x, const TensorInfo& y) {
    return x.name == y.name && x.rows == y.rows && x.cols == y.cols;
  });
}

}  // namespace

FlowDiagram::FlowDiagram(const Style& style, QWidget* parent)
    : CellGrid(style, parent), motion_(style, [this](double moved) {
        moved_ = moved;
        viewport()->update();
      }) {
  motion_.setDuration(kStepMotion);
  setZooms(kLeastZoom);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("The running model"));
}

void FlowDiagram::setRun(std::shared_ptr<FlowRun> run) {
  std::optional<observe::NumberPlace> locked;
  std::string name;
  if (lockedItem() >= 0 && run_) {
    locked = numberOf(lockedItem());
    if (locked) name = run_->info(locked->tensor).name;
  }
  const bool same = run_ && run && alike(run_->program(), run->program());
  run_ = std::move(run);
  scales_.reset(run_.get(), side_);
  if (same) return repaintItems();
  hover(std::nullopt);
  showLock(std::nullopt);
  lit_.clear();
  step_ = observe::kNoNode;
  fitted_ = {};
  arrange();
  if (!locked || !run_) return;
  locked->tensor = run_->program().find(name);
  if (locked->tensor == kNoTensor) return;
  const int item = itemOfNumber(*locked);
  if (item >= 0) showLock(cellOf(item));
}

void FlowDiagram::setSide(FlowSide side) {
  if (side == side_) return;
  side_ = side;
  scales_.reset(run_.get(), side_);
  repaintItems();
}

void FlowDiagram::setOpen(const FlowOpen& open) {
  if (open == open_) return;
  const auto locked = lockedItem() >= 0 ? numberOf(lockedItem()) : std::nullopt;
  open_ = open;
  hover(std::nullopt);  // before the lock goes, so that nothing else is explained meanwhile
  showLock(std::nullopt);
  arrange();
  if (!locked) return;
  const int item = itemOfNumber(*locked);
  if (item >= 0) showLock(cellOf(item));
}

std::optional<observe::NumberPlace> FlowDiagram::numberOf(int item) const {
  if (!run_ || item < titles() || item >= itemCount()) return std::nullopt;
  const std::size_t index = tileIndex(item);
  const FlowTile& tile = layout_.tiles[index];
  const int cell = item - first_[index];
  const Cell at = tile.numberAt({cell / tile.places.cols, cell % tile.places.cols});
  return observe::NumberPlace{tile.tensor, at.row, at.col, side_ == FlowSide::Gradients};
}

std::size_t FlowDiagram::partOf(int item) const {
  return item < 0 || item >= titles() ? observe::kNoNode : layout_.cards[std::size_t(item)].node;
}

std::size_t FlowDiagram::tileIndex(int item) const {
  return std::size_t(std::ranges::upper_bound(first_, item) - first_.begin()) - 1;
}

int FlowDiagram::itemOfNumber(const observe::NumberPlace& place) const {
  const int tile = layout_.tileOf(place.tensor, place.row, place.col);
  if (tile < 0) return -1;
  const FlowTile& found = layout_.tiles[std::size_t(tile)];
  const Cell cell = *found.cellOf(place.row, place.col);
  return first_[std::size_t(tile)] + cell.row * found.places.cols + cell.col;
}

void FlowDiagram::showNumber(const std::optional<observe::NumberPlace>& place) {
  const int item = place && run_ ? itemOfNumber(*place) : -1;
  showLockedItem(item);
  if (item >= 0) reveal(*place);
}

void FlowDiagram::reveal(const observe::NumberPlace& place) {
  const int item = run_ ? itemOfNumber(place) : -1;
  if (item < 0) return;
  // Numbers far from here come to the middle, with what is around them.
  const double around = kAround * style().scale();
  const QRectF area = itemArea(item);
  if (visibleArea().adjusted(around, around, -around, -around).contains(area)) return;
  const double width = viewport()->width();
  QPointF corner = area.center() - QPointF(width / 2.0, viewport()->height() / 2.0);
  // Behind the end of their row is nothing to see.
  const auto row = std::ranges::find_if(layout_.rows, [&](const QRectF& one) {
    return one.top() <= area.center().y() && area.center().y() <= one.bottom();
  });
  double end = 0.0;
  for (const FlowTile& tile : layout_.tiles)
    if (row != layout_.rows.end() && row->contains(tile.area.center()))
      end = std::max(end, tile.area.right());
  if (end > 0.0) corner.setX(std::min(corner.x(), end + around - width));
  scrollTo(corner);
}

void FlowDiagram::revealPart(std::size_t node) {
  const int card = layout_.cardOf(node);
  if (card >= 0) reveal(card);
}

void FlowDiagram::light(std::vector<observe::NumberPlace> places) {
  lit_ = std::move(places);
  viewport()->update();
}

void FlowDiagram::showStep(std::size_t step, bool backward) {
  step_ = step;
  backward_ = backward;
  viewport()->update();
  if (step == observe::kNoNode || !run_) return motion_.finish();
  motion_.start();
  revealStep();
}

void FlowDiagram::revealStep() {
  const std::size_t leaf = run_->map().leaves[step_];
  // A closed part hides it.
  revealPart(layout_.cardOf(leaf) >= 0 ? leaf : shownFor(run_->map(), open_, step_));
}

void FlowDiagram::resizeEvent(QResizeEvent* event) {
  CellGrid::resizeEvent(event);
  if (!run_) return;
  if (step_ != observe::kNoNode) return revealStep();  // its words may take more room
  if (const auto locked = numberOf(lockedItem())) reveal(*locked);
}

int FlowDiagram::itemCount() const { return run_ && !first_.empty() ? first_.back() : 0; }

QString FlowDiagram::itemText(int item) const {
  if (!run_ || item < 0 || item >= itemCount()) return {};
  if (item < titles()) {
    const FlowCard& card = layout_.cards[std::size_t(item)];
    const QString way = FlowWords::breadcrumb(run_->map(), card.node);
    if (!card.opens) return way;
    return card.open ? tr("%1, open: click to close it").arg(way)
                     : tr("%1: click to open it").arg(way);
  }
  const observe::NumberPlace place = *numberOf(item);
  return FlowWords::sentence(*run_, place,
                             double(run_->number(place.tensor, place.row, place.col, side_)));
}

QRectF FlowDiagram::titleArea(const FlowCard& card) const {
  return card.open || card.frame.isEmpty() ? card.head : card.frame;
}

QRectF FlowDiagram::itemArea(int item) const {
  if (item < titles()) return titleArea(layout_.cards[std::size_t(item)]);
  const std::size_t index = tileIndex(item);
  const CellPlaces& places = layout_.tiles[index].places;
  const int cell = item - first_[index];
  return places.cell(cell / places.cols, cell % places.cols);
}

/// The title of a part comes into sight with the part.
QRectF FlowDiagram::areaToReveal(int item) const {
  if (item >= titles()) return itemArea(item);
  const FlowCard& card = layout_.cards[std::size_t(item)];
  QRectF area = card.frame.united(card.head);
  for (const FlowTile& tile : layout_.tiles)
    if (tile.node == card.node) area = area.united(tile.area);
  return area;
}

int FlowDiagram::itemAt(const QPointF& point) const {
  for (std::size_t i = 0; i < layout_.tiles.size(); ++i)
    if (const auto cell = layout_.tiles[i].places.at(point))
      return first_[i] + cell->row * layout_.tiles[i].places.cols + cell->col;
  for (std::size_t i = 0; i < layout_.cards.size(); ++i)
    if (layout_.cards[i].opens && titleArea(layout_.cards[i]).contains(point)) return int(i);
  return -1;
}

/// Within a picture to the next number, at its edge to the nearest thing on that side.
int FlowDiagram::stepFrom(int item, const Cell& step) const {
  if (item < 0) return 0;
  if (item >= titles()) {
    const std::size_t index = tileIndex(item);
    const CellPlaces& places = layout_.tiles[index].places;
    const int cell = item - first_[index];
    const Cell to{cell / places.cols + step.row, cell % places.cols + step.col};
    if (to.row >= 0 && to.row < places.rows && to.col >= 0 && to.col < places.cols)
      return first_[index] + to.row * places.cols + to.col;
  }
  const QRectF own =
      item < titles() ? itemArea(item) : layout_.tiles[tileIndex(item)].places.bounds();
  const QPointF from = itemArea(item).center();
  double nearest = std::numeric_limits<double>::max();
  int found = -1;
  const auto consider = [&](const QRectF& area, int first, const CellPlaces* places) {
    const QPointF to(std::clamp(from.x(), area.left(), area.right()),
                     std::clamp(from.y(), area.top(), area.bottom()));
    const double along = step.col != 0 ? (area.center().x() - own.center().x()) * step.col
                                       : (area.center().y() - own.center().y()) * step.row;
    if (along <= 0.0 || area == own) return;
    const double across = step.col != 0 ? std::abs(to.y() - from.y()) : std::abs(to.x() - from.x());
    const double distance = along + 2.0 * across;
    if (distance >= nearest) return;
    nearest = distance;
    found = first;
    if (places == nullptr) return;
    const int row =
        std::clamp(int((to.y() - area.top()) / places->cell_height), 0, places->rows - 1);
    const int col =
        std::clamp(int((to.x() - area.left()) / places->cell_width), 0, places->cols - 1);
    found = first + row * places->cols + col;
  };
  for (std::size_t i = 0; i < layout_.cards.size(); ++i)
    if (layout_.cards[i].opens) consider(titleArea(layout_.cards[i]), int(i), nullptr);
  for (std::size_t i = 0; i < layout_.tiles.size(); ++i)
    consider(layout_.tiles[i].places.bounds(), first_[i], &layout_.tiles[i].places);
  return found;
}

FlowLayout FlowDiagram::layoutFor(double width, double unit) const {
  FlowRoom room;
  room.width = width;
  room.unit = unit;
  const QFontMetricsF title(Style::textFace(12, QFont::DemiBold));
  const QFontMetricsF label(Style::numberFace(11));
  room.title = [&](std::size_t node) {
    return title.horizontalAdvance(FlowWords::title(run_->map(), node));
  };
  room.tokens = [&](TensorId id, bool columns) {
    return !(columns ? run_->columnLabels(id) : run_->rowLabels(id)).empty();
  };
  const auto& input = run_->explained().input();
  for (const auto* labels : {&input.source_labels, &input.decoder_labels})
    for (const std::string& token : *labels)
      room.labels = std::max(
          room.labels, label.horizontalAdvance(visibleToken(QString::fromStdString(token))) + 8.0);
  room.labels = std::min(room.labels, kMostLabel);
  return layOutFlow(run_->program(), run_->map(), open_, room);
}

bool FlowDiagram::fitsAt(double scale) const {
  const QSizeF room = viewport()->size();
  const QSizeF size = layoutFor(room.width(), style().scale() * scale).size;
  return size.width() <= room.width() && size.height() <= room.height();
}

double FlowDiagram::largestFit() const {
  const auto fit = std::ranges::find_if(kFits, [this](double scale) { return fitsAt(scale); });
  return fit == std::end(kFits) ? 1.0 : *fit;
}

double FlowDiagram::fittingZoom() {
  double zoom = 1.0;
  while (run_ && zoom > kLeastZoom && !fitsAt(zoom * fit_)) zoom *= kSmaller;
  return zoom;
}

void FlowDiagram::layOut() {
  first_.clear();
  layout_ = {};
  if (run_) {
    const Room room{viewport()->size(), style().scale()};
    if (room != fitted_ && open_ == openAtFirst(run_->map())) {
      fit_ = largestFit();
      fitted_ = room;
    }
    const double width = viewport()->width() * std::max(1.0, zoom());
    layout_ = layoutFor(width, style().scale() * zoom() * fit_);
    int next = int(layout_.cards.size());
    for (const FlowTile& tile : layout_.tiles) {
      first_.push_back(next);
      next += tile.places.rows * tile.places.cols;
    }
    first_.push_back(next);
  }
  setContentSize(layout_.size);
}

FlowPainter FlowDiagram::painterFor(const FlowLayout& layout, const Palette& palette,
                                    const QRectF& visible, CellDetail detail) const {
  return {*run_, layout, side_, scales_, {style(), palette, visible, detail}};
}

void FlowDiagram::paintItems(QPainter& painter) {
  if (run_)
    painterFor(layout_, style().palette(), visibleArea(), CellDetail::Screen).paint(painter);
}

void FlowDiagram::paintOver(QPainter& painter) {
  const Palette& palette = style().palette();
  if (run_) {
    const FlowPainter over = painterFor(layout_, palette, visibleArea(), CellDetail::Screen);
    if (step_ != observe::kNoNode) {
      over.paintEdges(painter, step_, backward_ ? 1.0 - moved_ : moved_, palette.accent);
      over.paintStep(painter, step_, palette.accent);
    }
    over.paintChanged(painter);
    over.paintLit(painter, lit_, lockedItem() >= 0 ? palette.mark : palette.text);
  }
  CellGrid::paintOver(painter);
}

QString FlowDiagram::figureTitle() const { return FlowWords::figureTitle(run_.get()); }

void FlowDiagram::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  if (!run_) return;
  painter.save();
  painter.translate(area.topLeft());
  const double fit = std::min(area.width() / std::max(1.0, layout_.size.width()),
                              area.height() / std::max(1.0, layout_.size.height()));
  painter.scale(fit, fit);
  std::size_t cells = 0;
  for (const FlowTile& tile : layout_.tiles)
    cells += std::size_t(tile.places.rows) * std::size_t(tile.places.cols);
  FlowPainter own = painterFor(layout_, palette, QRectF({0, 0}, layout_.size), paperDetail(cells));
  own.paint(painter);
  own.paintChanged(painter);
  if (step_ != observe::kNoNode) own.paintStep(painter, step_, palette.accent);
  if (const auto place = numberOf(lockedItem())) {
    own.paintLit(painter, lit_, palette.mark);
    own.paintLit(painter, {{*place}}, palette.mark);
  }
  painter.restore();
}

std::vector<const FlowTile*> FlowDiagram::figureTiles() const {
  const auto locked = numberOf(lockedItem());
  std::vector<const FlowTile*> tiles;
  for (const FlowTile& tile : layout_.tiles)
    if (run_ && (!locked || locked->tensor == tile.tensor)) tiles.push_back(&tile);
  return tiles;
}

report::Source FlowDiagram::source() const {
  if (!run_ || side_ != FlowSide::Values) return {};
  std::vector<TensorId> tensors;
  for (const FlowTile* tile : figureTiles()) tensors.push_back(tile->tensor);
  return tensorSource(*run_, tensors);
}

DataTable FlowDiagram::figureData() const {
  DataTable table{{"tensor", "row", "column", side_ == FlowSide::Values ? "value" : "gradient"},
                  {}};
  for (const FlowTile* drawn : figureTiles())
    for (int row = 0; row < drawn->places.rows; ++row)
      for (int col = 0; col < drawn->places.cols; ++col) {
        const FlowTile& tile = *drawn;
        const Cell at = tile.numberAt({row, col});
        table.rows.push_back(
            {QString::fromStdString(run_->info(tile.tensor).name), QString::number(at.row),
             QString::number(at.col),
             fullPrecision(double(run_->number(tile.tensor, at.row, at.col, side_)))});
      }
  return table;
}

void FlowDiagram::mousePressEvent(QMouseEvent* event) {
  const int item = itemUnder(event->position());
  if (event->button() == Qt::LeftButton && item >= 0 && item < titles())
    return emit toggled(layout_.cards[std::size_t(item)].node);
  CellGrid::mousePressEvent(event);
}

void FlowDiagram::keyPressEvent(QKeyEvent* event) {
  const int item = currentItem();
  const bool title = item >= 0 && item < titles();
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (title) return emit toggled(layout_.cards[std::size_t(item)].node);
      break;
    case Qt::Key_Backspace:
      return emit upRequested();
    default:
      break;
  }
  CellGrid::keyPressEvent(event);
}

}  // namespace tfm::ui
