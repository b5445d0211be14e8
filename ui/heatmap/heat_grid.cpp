// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/heatmap/heat_grid_painter.h"
#include "ui/heatmap/heat_map_painter.h"
#include "ui/heatmap/walk.h"
#include "ui/style/style.h"

namespace tfm::ui {
HeatGrid::HeatGrid(const Style& style, QWidget* parent)
    : QAbstractScrollArea(parent), style_(style) {
  installCellAccessibility();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setAutoFillBackground(false);
  connect(&style, &Style::changed, this, [this] {
    refreshImages();
    layOut();
    updateGeometry();
  });
}

void HeatGrid::setGroups(std::vector<HeatGroup> groups, const ColorScale& scale,
                         const QString& name) {
  groups_.clear();
  for (HeatGroup& group : groups) groups_.emplace_back(std::move(group));
  scale_ = scale;
  name_ = name;
  refreshImages();
  layOut();
  if (lock_.locked() && !layout_.find(*lock_.locked())) freeLock();
  if (lock_.hovered() && !layout_.find(*lock_.hovered())) hover(std::nullopt);
  updateGeometry();
}

void HeatGrid::setValues(int group, std::span<const float> values) {
  groups_.at(group).setValues(values);
  fillHeatImage(images_[group], 0, groups_[group].allMaps(), ColorTable(scale_, style_.palette()));
  viewport()->update();
}

std::span<const float> HeatGrid::map(const MapId& id) const {
  return groups_.at(id.group).map(id.layer, id.head);
}

QString HeatGrid::mapText(const MapId& id) const {
  QStringList parts;
  const MapStack& group = groups_.at(id.group);
  if (!group.name().isEmpty()) parts << group.name();
  if (id.layer >= 0) parts << tr("layer %1").arg(id.layer + 1);
  if (id.head >= 0) parts << tr("head %1").arg(id.head + 1);
  if (id.layer < 0 && id.head < 0)
    parts << tr("mean of all heads");
  else if (id.layer < 0)
    parts << tr("mean over layers");
  else if (id.head < 0)
    parts << tr("mean over heads");
  return parts.join(QStringLiteral(", "));
}

void HeatGrid::showLock(const std::optional<MapId>& id) {
  if (id == lock_.locked()) return;
  if (id) {
    check(layout_.find(*id) != nullptr, "a map is locked that the grid shows");
    lock_.click(*id);
    scrollTo(*id);
  } else {
    lock_.free();
  }
  viewport()->update();
}

void HeatGrid::setCurrent(const MapId& id) {
  if (current_ == id) return;
  current_ = id;
  keepCurrentInSight();
  viewport()->update();
}

void HeatGrid::keepCurrentInSight() {
  // What the pointer is on must not move away from it.
  if (lock_.hovered() || !current_ || !layout_.find(*current_)) return;
  scrollTo(*current_);
}

const MapPlace* HeatGrid::place() const {
  const auto& shown = lock_.shown() ? lock_.shown() : current_;
  return shown ? layout_.find(*shown) : nullptr;
}

void HeatGrid::refreshImages() {
  const ColorTable colors(scale_, style_.palette());
  images_.resize(groups_.size());
  masked_.assign(groups_.size(), MaskOverlay());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const QSize size(groups_[i].cols(), groups_[i].rows() * groups_[i].slotCount());
    if (images_[i].size() != size) images_[i] = QImage(size, QImage::Format_RGB32);
    fillHeatImage(images_[i], 0, groups_[i].allMaps(), colors);
  }
}

void HeatGrid::layOut() {
  layout_ = layOutHeatGrid(groups_, style_, viewport()->width(), viewport()->height());
  for (MaskOverlay& overlay : masked_) overlay.invalidate();
  const QSize page = viewport()->size();
  verticalScrollBar()->setPageStep(page.height());
  verticalScrollBar()->setSingleStep(style_.px(24));
  verticalScrollBar()->setRange(
      0, std::max(0, static_cast<int>(std::ceil(layout_.size.height())) - page.height()));
  horizontalScrollBar()->setPageStep(page.width());
  horizontalScrollBar()->setSingleStep(style_.px(24));
  horizontalScrollBar()->setRange(
      0, std::max(0, static_cast<int>(std::ceil(layout_.size.width())) - page.width()));
  keepCurrentInSight();
  viewport()->update();
}

QPointF HeatGrid::scrolled() const {
  return {static_cast<double>(horizontalScrollBar()->value()),
          static_cast<double>(verticalScrollBar()->value())};
}

QRectF HeatGrid::mapRect(const MapId& id) const {
  const MapPlace* place = layout_.find(id);
  check(place != nullptr, "a map's place is asked for that the grid shows");
  return smallCells(groups_[id.group], place->box).bounds().translated(-scrolled());
}

QSize HeatGrid::sizeHint() const {
  const double width = naturalHeatGridWidth(groups_, style_);
  const QSizeF size = layOutHeatGrid(groups_, style_, width).size;
  return size.toSize().boundedTo({style_.px(720), style_.px(900)});
}

int HeatGrid::wholeWidth() const {
  return static_cast<int>(leastHeatGridWidth(groups_, style_)) +
         verticalScrollBar()->sizeHint().width();
}

QSize HeatGrid::minimumSizeHint() const { return {style_.px(160), style_.px(120)}; }

void HeatGrid::paintEvent(QPaintEvent* event) {
  const Palette& palette = style_.palette();
  const ColorTable colors(scale_, palette);
  QPainter painter(viewport());
  painter.translate(-scrolled());
  const QRectF visible = QRectF(event->rect()).translated(scrolled());
  for (const MapPlace& place : layout_.places) {
    if (!place.box.intersects(visible)) continue;
    const MapStack& group = groups_[place.id.group];
    const CellGrid grid = smallCells(group, place.box);
    if (grid.gap > 0.0) {
      paintSmallCells(painter, group, group.map(place.id.layer, place.id.head), grid, colors);
    } else {
      const QImage& all = images_[place.id.group];
      const int top = group.slot(place.id.layer, place.id.head) * group.rows();
      // A view into the group's image: neighbouring maps must not bleed in when pixels are
      // averaged.
      const QImage one(all.constScanLine(top), group.cols(), group.rows(), all.bytesPerLine(),
                       all.format());
      const QSize size = grid.bounds().size().toSize();
      if (2 * size.width() < group.cols() || 2 * size.height() < group.rows()) {
        painter.drawImage(grid.origin,
                          one.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
      } else {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, grid.cell_width < 1.0);
        painter.drawImage(grid.bounds(), one);
      }
    }
    masked_[place.id.group].paint(painter, grid, group.masked(), palette, style_.scale());
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const auto& hovered = lock_.hovered();
  const auto& locked = lock_.locked();
  const auto& previewed = hovered || locked ? hovered : current_;
  paintGridCaptions(painter, layout_, visible, previewed, locked, style_, palette);
  const auto frame = [&](const MapId& id, const QColor& color) {
    if (const MapPlace* place = layout_.find(id))
      paintMapFrame(painter, smallCells(groups_[id.group], place->box).bounds(), color,
                    style_.scale());
  };
  if (previewed && previewed != locked) frame(*previewed, palette.text);
  if (locked) frame(*locked, palette.mark);
}

void HeatGrid::resizeEvent(QResizeEvent*) { layOut(); }

bool HeatGrid::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) hover(std::nullopt);
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const MapPlace* place = layout_.at(help->pos() + scrolled()))
    QToolTip::showText(help->globalPos(), mapText(place->id), viewport(),
                       mapRect(place->id).toAlignedRect());
  else
    QToolTip::hideText();
  return true;
}

void HeatGrid::hover(const std::optional<MapId>& id) {
  const bool changed = lock_.hovered() != id;
  if (lock_.hover(id)) emit mapHovered(id.value_or(MapId{}));
  if (changed) viewport()->update();
}

void HeatGrid::click(const MapId& id) {
  if (lock_.click(id))
    emit mapLocked(id);
  else
    emit mapFreed();
  viewport()->update();
}

bool HeatGrid::freeLock() {
  const bool had = lock_.free();
  if (had) emit mapFreed();
  viewport()->update();
  return had;
}

void HeatGrid::mouseMoveEvent(QMouseEvent* event) {
  const MapPlace* place = layout_.at(event->position() + scrolled());
  hover(place ? std::optional(place->id) : std::nullopt);
}

void HeatGrid::mousePressEvent(QMouseEvent* event) {
  const MapPlace* place = layout_.at(event->position() + scrolled());
  if (event->button() != Qt::LeftButton || !place) {
    event->ignore();
    return;
  }
  const MapId id = place->id;
  hover(id);
  click(id);
}

void HeatGrid::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && freeLock()) return;
  if (isLockKey(event->key()) && lock_.shown()) {
    click(MapId(*lock_.shown()));
    return;
  }
  if (const auto step = stepFor(event->key()); step && !layout_.places.empty())
    walk(*step);
  else
    QAbstractScrollArea::keyPressEvent(event);
}

void HeatGrid::walk(const Cell& step) {
  const auto& places = layout_.places;
  const MapPlace* from = place();
  const MapPlace* to = from ? nullptr : &places.front();
  if (from) {
    // The nearest map in the wanted line, none beyond the ends of lines and grid.
    for (const MapPlace& place : places)
      if (place.line == from->line + step.row && place.column <= from->column + step.col)
        to = &place;
  }
  if (!to || to == from) return;
  const MapId id = to->id;
  if (lock_.locked())
    click(id);
  else
    hover(id);
  scrollTo(id);
  announceCurrent(*this);
}

void HeatGrid::scrollTo(const MapId& id) {
  const double margin = 8.0 * style_.scale();
  const double caption = 20.0 * style_.scale();
  const QRectF map = mapRect(id).adjusted(-margin, -margin, margin, margin + caption);
  const auto follow = [](QScrollBar* bar, double from, double to, int page) {
    if (from < 0.0) bar->setValue(bar->value() + static_cast<int>(std::floor(from)));
    if (to > page) bar->setValue(bar->value() + static_cast<int>(std::ceil(to - page)));
  };
  follow(horizontalScrollBar(), map.left(), map.right(), viewport()->width());
  follow(verticalScrollBar(), map.top(), map.bottom(), viewport()->height());
}

QRect HeatGrid::accessibleArea(int index) const {
  return mapRect(layout_.places[index].id).toAlignedRect().translated(viewport()->pos());
}

int HeatGrid::accessibleCurrent() const {
  const MapPlace* shown = place();
  return shown ? static_cast<int>(shown - layout_.places.data()) : -1;
}

bool HeatGrid::accessibleSelected(int index) const {
  return lock_.locked() == layout_.places[index].id;
}

}  // namespace tfm::ui
