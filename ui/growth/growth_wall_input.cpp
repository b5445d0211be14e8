// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_wall.h"
#include "ui/heatmap/walk.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// The item that a step from `from` leads to: the neighbour in reading order, or the nearest in the
/// next row above or below; -1 if there is none.
int stepTo(const std::vector<WallItem>& items, int from, const Cell& step) {
  const int count = static_cast<int>(items.size());
  if (step.col != 0) {
    const int next = from + step.col;
    return next < 0 || next >= count ? -1 : next;
  }
  const QPointF centre = items[static_cast<std::size_t>(from)].frame.center();
  const double top = items[static_cast<std::size_t>(from)].frame.top();
  int best = -1;
  double best_far = 0.0;
  for (int i = 0; i < count; ++i) {
    const QRectF& frame = items[static_cast<std::size_t>(i)].frame;
    if (step.row > 0 ? frame.top() <= top : frame.top() >= top) continue;
    // Rows weigh more than columns, so that the next row wins.
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

GrowthWall::Hit GrowthWall::at(const QPointF& viewport_point) const {
  const QPointF point = viewport_point - offset();
  for (const WallItem& item : flow_.items) {
    if (!item.frame.contains(point)) continue;
    if (progress_ < 1.0) return {item.matrix};
    const GrowthPlaces places =
        GrowthPlaces::of(matrices_[static_cast<std::size_t>(item.matrix)], item.origin, flow_.pitch,
                         style_.scale(), GrowthMoment::at(1.0));
    return {item.matrix, places.at(point)};
  }
  return {};
}

const WallItem* GrowthWall::selectedItem() const {
  const auto item = std::ranges::find(flow_.items, selection_, &WallItem::matrix);
  return item == flow_.items.end() ? nullptr : &*item;
}

std::optional<SizeEdges::Matrix> GrowthWall::standing() const {
  const WallItem* item = selectedItem();
  if (item == nullptr) return std::nullopt;
  const GrownCells& cells = matrices_[static_cast<std::size_t>(selection_)];
  const QSizeF size = grownSize(cells, flow_.pitch, style_.scale());
  return SizeEdges::Matrix{cells, QRectF(item->origin + offset(), size), flow_.pitch,
                           style_.scale(), progress_ >= 1.0};
}

std::optional<Qt::Edge> GrowthWall::edgeAt(const QPointF& viewport_point) const {
  const auto matrix = standing();
  return matrix ? edges_.at(viewport_point, *matrix) : std::nullopt;
}

void GrowthWall::setDraggable(Qt::Edges edges) {
  edges_.allow(edges);
  viewport()->update();
}

QRectF GrowthWall::handleRect(Qt::Edge edge) const {
  const auto matrix = standing();
  return matrix ? edges_.handle(edge, *matrix) : QRectF();
}

void GrowthWall::choose(int matrix) {
  if (matrix == selection_) return;
  select(matrix);
  announceCurrent(*this);
  emit selected(matrix);
}

bool GrowthWall::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Hit hit = at(help->pos());
    if (edgeAt(help->pos()))
      QToolTip::showText(help->globalPos(), tr("Drag to choose the new size"), viewport());
    else if (hit.cell)
      QToolTip::showText(
          help->globalPos(),
          matrices_[static_cast<std::size_t>(hit.matrix)].describe(hit.cell->row, hit.cell->col),
          viewport());
    else if (hit.matrix >= 0)
      QToolTip::showText(help->globalPos(), matrices_[static_cast<std::size_t>(hit.matrix)].name(),
                         viewport());
    else
      QToolTip::hideText();
    return true;
  }
  if (event->type() == QEvent::Leave && hovered_ >= 0) {
    hovered_ = -1;
    viewport()->update();
    emit cellHovered(-1, -1, -1);
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void GrowthWall::resizeEvent(QResizeEvent*) { layOut(); }

void GrowthWall::scrollContentsBy(int, int) {
  picture_ = QPixmap();
  viewport()->update();
}

void GrowthWall::mousePressEvent(QMouseEvent* event) {
  if (const auto edge = edgeAt(event->position()); edge && event->button() == Qt::LeftButton) {
    edges_.hold(*edge, event->position(), *standing());
    return viewport()->update();
  }
  const Hit hit = at(event->position());
  if (event->button() != Qt::LeftButton || hit.matrix < 0) return event->ignore();
  choose(hit.matrix);
}

void GrowthWall::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !edges_.isHeld()) return event->ignore();
  edges_.letGo();
  shift_ = {};
  layOut();
  select(selection_);
}

void GrowthWall::mouseMoveEvent(QMouseEvent* event) {
  const auto matrix = standing();
  if (edges_.isHeld() && matrix) {
    if (const auto dragged = edges_.dragTo(event->position(), *matrix)) {
      viewport()->update();
      emit sizeDragged(dragged->along, dragged->size);
    }
    return;
  }
  if (const auto edge = edgeAt(event->position()))
    viewport()->setCursor(SizeEdges::cursor(*edge));
  else
    viewport()->unsetCursor();
  const Hit hit = at(event->position());
  if (hit.matrix != hovered_) {
    hovered_ = hit.matrix;
    viewport()->update();
  }
  const Cell cell = hit.cell.value_or(Cell{});
  emit cellHovered(hit.matrix, cell.row, cell.col);
}

void GrowthWall::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && selection_ >= 0) return choose(-1);
  const std::optional<Cell> step = stepFor(event->key());
  if (!step || flow_.items.empty()) return QAbstractScrollArea::keyPressEvent(event);
  const int current = accessibleCurrent();
  const int next = current < 0 ? 0 : stepTo(flow_.items, current, *step);
  if (next >= 0) choose(flow_.items[static_cast<std::size_t>(next)].matrix);
}

QString GrowthWall::accessibleText(int index) const {
  const GrownCells& cells =
      matrices_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(index)])];
  return tr("%1, %2, %3 parameters").arg(cells.name(), cells.shapeText(), cells.countText());
}

QRect GrowthWall::accessibleArea(int index) const {
  return matrixRect(shown_[static_cast<std::size_t>(index)]).toAlignedRect();
}

int GrowthWall::accessibleCurrent() const {
  const auto place = std::find(shown_.begin(), shown_.end(), selection_);
  return place == shown_.end() ? -1 : static_cast<int>(place - shown_.begin());
}

bool GrowthWall::accessibleSelected(int index) const { return accessibleCurrent() == index; }

}  // namespace tfm::ui
