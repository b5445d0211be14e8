// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_map_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/figure/glossary.h"
#include "ui/heatmap/cell_painter.h"
#include "ui/style/style.h"

namespace tfm::ui {

HeatMapView::HeatMapView(const Style& style, QWidget* parent)
    : CellGrid(style, parent), colors_(map_.scale, style.palette()) {}

void HeatMapView::setMap(HeatMap map) {
  map.verify();
  const bool same_size = map.rows == map_.rows && map.cols == map_.cols;
  const bool same_labels = map.row_labels == map_.row_labels && map.col_labels == map_.col_labels;
  map_ = std::move(map);
  legend_ = Legend::of(map_);
  if (!same_size) {
    free();
    hover(std::nullopt);
  }
  if (!same_size || !same_labels) updateGeometry();
  restyle();
  arrange();
}

void HeatMapView::setValues(std::span<const float> values) {
  check(values.size() == map_.values.size(), "new values fit the map that is shown");
  std::copy(values.begin(), values.end(), map_.values.begin());
  legend_ = Legend::of(map_);
  repaintItems();
}

void HeatMapView::restyle() { colors_ = ColorTable(map_.scale, style().palette()); }

void HeatMapView::layOut() {
  layout_ = layOutHeatMap(map_, legend_, style(), viewport()->rect());
  masked_.invalidate();
}

QString HeatMapView::itemText(int item) const {
  const Cell cell = cellOf(item);
  return map_.cellText(cell.row, cell.col);
}

QRectF HeatMapView::itemArea(int item) const {
  const Cell cell = cellOf(item);
  return layout_.grid.cell(cell.row, cell.col);
}

int HeatMapView::itemAt(const QPointF& point) const {
  const auto cell = layout_.grid.at(point);
  return cell ? itemOf(*cell) : -1;
}

QSize HeatMapView::minimumSizeHint() const {
  const QSize least(style().px(200), style().px(160));
  if (map_.row_labels.isEmpty() && map_.col_labels.isEmpty()) return least;
  const QSizeF labelled = leastHeatMapSize(map_, legend_, style());
  return least.expandedTo({int(std::ceil(labelled.width())), int(std::ceil(labelled.height()))});
}

QSizeF HeatMapView::figureSize() const { return naturalHeatMapSize(map_, legend_, style()); }

void HeatMapView::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const HeatMapLayout layout = layOutHeatMap(map_, legend_, style(), area);
  const ColorTable colors(map_.scale, palette);
  paintCells(painter, layout.grid, {map_.values, map_.masked, colors, layout.radius},
             paperDetail(map_.values.size()));
  if (!map_.masked.empty()) paintMasked(painter, layout.grid, map_.masked, palette, layout.unit);
  paintHeatMapNumbers(painter, map_, layout, colors);
  paintHeatMapAxes(painter, map_, layout, palette, {std::nullopt, lockedCell(), selected_rows_});
  if (const auto& cell = lockedCell())
    paintItemFrame(painter, layout.grid.cell(cell->row, cell->col), palette.mark, 2.5, palette,
                   layout.unit);
  paintLegend(painter, layout.legend, legend_, map_.scale, style(), palette);
}

void HeatMapView::paintItems(QPainter& painter) {
  const Palette& palette = style().palette();
  paintCells(painter, layout_.grid, {map_.values, map_.masked, colors_, layout_.radius},
             CellDetail::Screen);
  masked_.paint(painter, layout_.grid, map_.masked, palette, layout_.unit);
  painter.setRenderHint(QPainter::Antialiasing);
  paintHeatMapNumbers(painter, map_, layout_, colors_);
  paintLegend(painter, layout_.legend, legend_, map_.scale, style(), palette);
}

void HeatMapView::paintOver(QPainter& painter) {
  paintHeatMapAxes(painter, map_, layout_, style().palette(),
                   {hoveredCell(), lockedCell(), selected_rows_});
  CellGrid::paintOver(painter);
}

QString HeatMapView::tipAt(const QPointF& point) const {
  const auto cell = layout_.grid.at(point);
  if (!cell) return {};
  QString tip = map_.cellText(cell->row, cell->col);
  QStringList labels{map_.row_labels.value(cell->row), map_.col_labels.value(cell->col)};
  labels.removeDuplicates();
  for (const QString& label : labels)
    if (const QString meaning = tokenMeaning(label); !meaning.isEmpty())
      tip += QStringLiteral("\n%1: %2").arg(label, meaning);
  return tip;
}

void HeatMapView::toggleRow(int row) {
  if (!selected_rows_.removeOne(row))
    selected_rows_.insert(std::lower_bound(selected_rows_.begin(), selected_rows_.end(), row), row);
  emit rowsSelected(selected_rows_);
  viewport()->update();
}

bool HeatMapView::free() {
  const bool had_rows = !selected_rows_.empty();
  selected_rows_.clear();
  const bool had_lock = CellGrid::free();
  if (had_rows) emit rowsSelected({});
  viewport()->update();
  return had_lock || had_rows;
}

void HeatMapView::mousePressEvent(QMouseEvent* event) {
  const auto cell = layout_.grid.at(event->position());
  const bool choose = event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->button() != Qt::LeftButton || !cell || !choose)
    return CellGrid::mousePressEvent(event);
  hover(cell);
  toggleRow(cell->row);
}

}  // namespace tfm::ui
