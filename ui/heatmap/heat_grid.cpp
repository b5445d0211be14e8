// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_grid.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "core/base/check.h"
#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/cell_painter.h"
#include "ui/heatmap/legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLegendSpace = 24.0;
constexpr double kFrameRoom = 4.0;

bool speaksOf(const MapCaption& caption, const std::optional<MapId>& id) {
  if (!id || caption.id.group != id->group) return false;
  using enum MapCaption::Of;
  return (caption.of == Layer && caption.id.layer == id->layer) ||
         (caption.of == Head && caption.id.head == id->head) ||
         (caption.of == Map && caption.id == *id);
}

/// Paints the captions in `visible`; gold for the locked map, bright for the previewed one.
void paintCaptions(QPainter& painter, const HeatGridLayout& layout, const QRectF& visible,
                   const std::optional<MapId>& previewed, const std::optional<MapId>& locked,
                   const Style& style, const Palette& palette) {
  const QFont group_font = style.labelFont();
  const QFont font = style.textFont(10.5);
  for (const MapCaption& caption : layout.captions) {
    if (!caption.place.intersects(visible)) continue;
    const Emphasis emphasis = speaksOf(caption, locked)      ? Emphasis::Locked
                              : speaksOf(caption, previewed) ? Emphasis::Hovered
                                                             : Emphasis::None;
    painter.setFont(caption.of == MapCaption::Of::Group ? group_font : font);
    painter.setPen(labelColor(palette, emphasis));
    painter.drawText(caption.place, int(caption.alignment) | Qt::TextDontClip, caption.text);
  }
}

}  // namespace

HeatGrid::HeatGrid(const Style& style, QWidget* parent) : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatGrid::setGroups(std::vector<HeatGroup> groups, const ColorScale& scale,
                         const QString& name) {
  const std::optional<MapId> locked = lockedMap();
  groups_.clear();
  for (HeatGroup& group : groups) groups_.emplace_back(std::move(group));
  masked_.assign(groups_.size(), MaskOverlay());
  scale_ = scale;
  setTitle(name);
  arrange();
  const int still = locked ? layout_.find(*locked) : -1;
  if (still >= 0)
    CellGrid::showLock(cellOf(still));
  else
    free();
  forgetOutside();
  updateGeometry();
}

void HeatGrid::setValues(int group, std::span<const float> values) {
  groups_.at(group).setValues(values);
  repaintItems();
}

std::span<const float> HeatGrid::map(const MapId& id) const {
  return groups_.at(id.group).map(id.layer, id.head);
}

QString HeatGrid::mapText(const MapId& id) const {
  QStringList parts;
  const MapStack& group = groups_.at(id.group);
  if (!group.name().isEmpty()) parts << group.name();
  if (id.layer >= 0) parts << tr("layer %1").arg(group.layerNumber(id.layer));
  if (id.head >= 0) parts << tr("head %1").arg(id.head + 1);
  if (id.layer < 0 && id.head < 0)
    parts << tr("mean of all heads");
  else if (id.layer < 0)
    parts << tr("mean over layers");
  else if (id.head < 0)
    parts << tr("mean over heads");
  return parts.join(QStringLiteral(", "));
}

std::optional<MapId> HeatGrid::mapOf(int item) const {
  return item < 0 ? std::nullopt : std::optional(layout_.places[item].id);
}

void HeatGrid::showLock(const std::optional<MapId>& id) {
  const int item = id ? layout_.find(*id) : -1;
  check(!id || item >= 0, "the grid shows the map to lock");
  if (item == lockedItem()) return;
  CellGrid::showLock(id ? std::optional(cellOf(item)) : std::nullopt);
  if (id) reveal(item);
}

void HeatGrid::setCurrent(const MapId& id) {
  if (current_ == id) return;
  current_ = id;
  keepCurrentInSight();
  viewport()->update();
}

void HeatGrid::keepCurrentInSight() {
  // The item under the pointer must not move.
  if (!hoveredCell() && restItem() >= 0) reveal(restItem());
}

void HeatGrid::layOut() {
  layout_ = layOutHeatGrid(groups_, style(), viewport()->width(), viewport()->height());
  for (MaskOverlay& overlay : masked_) overlay.invalidate();
  setContentSize(layout_.size);
  keepCurrentInSight();
}

CellPlaces HeatGrid::cellsOf(const MapPlace& place) const {
  return smallCells(groups_[place.id.group], place.box);
}

QRectF HeatGrid::framed(const HeatGridLayout& layout, int item) const {
  const double room = kFrameRoom * style().scale();
  return cellsOf(layout.places[item]).bounds().adjusted(-room, -room, room, room);
}

QRectF HeatGrid::mapRect(const MapId& id) const {
  const int item = layout_.find(id);
  check(item >= 0, "the grid shows the map");
  return cellsOf(layout_.places[item]).bounds().translated(-scrolled());
}

int HeatGrid::itemAt(const QPointF& point) const {
  const auto found = std::ranges::find_if(
      layout_.places, [&](const MapPlace& place) { return place.box.contains(point); });
  return found == layout_.places.end() ? -1 : int(found - layout_.places.begin());
}

int HeatGrid::stepFrom(int item, const Cell& step) const {
  if (item < 0) return 0;
  const MapPlace& from = layout_.places[item];
  int to = -1;
  // The nearest map in that line; none beyond the ends of lines and grid.
  for (int i = 0; i < itemCount(); ++i)
    if (const MapPlace& place = layout_.places[i];
        place.line == from.line + step.row && place.column <= from.column + step.col)
      to = i;
  return to;
}

QSize HeatGrid::sizeHint() const {
  const double width = naturalHeatGridWidth(groups_, style());
  const QSizeF size = layOutHeatGrid(groups_, style(), width).size;
  return size.toSize().boundedTo({style().px(720), style().px(900)});
}

int HeatGrid::wholeWidth() const {
  return int(leastHeatGridWidth(groups_, style())) + verticalScrollBar()->sizeHint().width();
}

void HeatGrid::paintItems(QPainter& painter) {
  const Palette& palette = style().palette();
  const ColorTable colors(scale_, palette);
  const QRectF visible = visibleArea();
  for (const MapPlace& place : layout_.places) {
    if (!place.box.intersects(visible)) continue;
    const MapStack& group = groups_[place.id.group];
    const CellPlaces cells = cellsOf(place);
    paintCells(painter, cells, {map(place.id), group.masked(), colors}, CellDetail::Screen);
    masked_[place.id.group].paint(painter, cells, group.masked(), palette, style().scale());
  }
}

void HeatGrid::setOff(std::vector<MapId> maps) {
  if (maps == off_) return;
  off_ = std::move(maps);
  viewport()->update();
}

void HeatGrid::paintOff(QPainter& painter, const HeatGridLayout& layout,
                        const Palette& palette) const {
  for (const MapId& id : off_) {
    const int item = layout.find(id);
    if (item < 0) continue;
    // Pale: what it looks at has no effect.
    const QRectF frame = framed(layout, item);
    QColor ground = palette.ground;
    ground.setAlphaF(0.7F);
    painter.fillRect(frame, ground);
    paintChangeMark(painter, frame.topRight(), 5.0 * style().scale(), true, palette);
  }
}

void HeatGrid::paintOver(QPainter& painter) {
  const auto previewed = lockedCell() && hoveredCell() ? mapOf(hoveredCell()->row)
                         : lockedCell()                ? std::nullopt
                                                       : mapOf(currentItem());
  paintCaptions(painter, layout_, visibleArea(), previewed, lockedMap(), style(),
                style().palette());
  paintOff(painter, layout_, style().palette());
  CellGrid::paintOver(painter);
}

Legend HeatGrid::legend() const {
  ValueRange range = valueRange({}, {});
  bool masked = false;
  for (const MapStack& group : groups_) {
    for (int slot = 0; slot < group.slotCount(); ++slot) {
      const std::size_t cells = std::size_t(group.rows()) * group.cols();
      const ValueRange own =
          valueRange(group.allMaps().subspan(slot * cells, cells), group.masked());
      if (!(range.smallest <= own.smallest)) range.smallest = own.smallest;
      if (!(range.largest >= own.largest)) range.largest = own.largest;
    }
    masked = masked || std::ranges::any_of(group.masked(), [](auto flag) { return flag != 0; });
  }
  Legend legend = Legend::of(scale_, range);
  legend.masked = masked;
  return legend;
}

QSizeF HeatGrid::figureSize() const {
  const QSizeF grid = layOutHeatGrid(groups_, style(), naturalHeatGridWidth(groups_, style())).size;
  const QSizeF key = legendSize(legend(), style(), grid.height());
  return {grid.width() + kLegendSpace * style().scale() + key.width(),
          std::max(grid.height(), key.height())};
}

void HeatGrid::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const Legend legend = this->legend();
  const QSizeF key = legendSize(legend, style(), area.height());
  const double unit = style().scale(), space = kLegendSpace * unit;
  const HeatGridLayout layout =
      layOutHeatGrid(groups_, style(), area.width() - space - key.width());
  const ColorTable colors(scale_, palette);
  std::size_t cells = 0;
  for (const MapStack& group : groups_) cells += group.allMaps().size();
  painter.translate(area.topLeft());
  for (const MapPlace& place : layout.places) {
    const MapStack& group = groups_[place.id.group];
    paintCells(painter, cellsOf(place), {map(place.id), group.masked(), colors},
               paperDetail(cells));
    if (!group.masked().empty())
      paintMasked(painter, cellsOf(place), group.masked(), palette, unit);
  }
  paintCaptions(painter, layout, QRectF(QPointF(), area.size()), std::nullopt, lockedMap(), style(),
                palette);
  paintOff(painter, layout, palette);
  if (lockedItem() >= 0)
    paintItemFrame(painter, framed(layout, lockedItem()), palette.mark, 2.5, palette, unit);
  paintLegend(painter, {QPointF(layout.size.width() + space, 0.0), key}, legend, scale_, style(),
              palette);
}

DataTable HeatGrid::figureData() const {
  DataTable table{{"group", "layer", "head", "row", "column", "value", "masked"}, {}};
  const auto numberText = [](int index, int number) {
    return index < 0 ? QStringLiteral("mean") : QString::number(number);
  };
  for (const MapPlace& place : layout_.places) {
    const MapStack& group = groups_[place.id.group];
    const auto values = map(place.id);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool hidden = !group.masked().empty() && group.masked()[i];
      table.rows.push_back(
          {group.name(), numberText(place.id.layer, group.layerNumber(place.id.layer)),
           numberText(place.id.head, place.id.head + 1), QString::number(i / group.cols()),
           QString::number(i % group.cols()), hidden ? QString() : fullPrecision(values[i]),
           QString::number(hidden ? 1 : 0)});
    }
  }
  return table;
}

}  // namespace tfm::ui
