// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_map_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/figure/glossary.h"
#include "ui/heatmap/walk.h"
#include "ui/style/style.h"

namespace tfm::ui {

HeatMapView::HeatMapView(const Style& style, QWidget* parent)
    : CellWidget(parent), style_(style), colors_(map_.scale, style.palette()) {
  connect(&style, &Style::changed, this, [this] {
    refreshColors();
    layOut();
    updateGeometry();
  });
}

void HeatMapView::setMap(HeatMap map) {
  map.verify();
  const bool same_size = map.rows == map_.rows && map.cols == map_.cols;
  const bool same_labels = map.row_labels == map_.row_labels && map.col_labels == map_.col_labels;
  map_ = std::move(map);
  legend_ = Legend::of(map_);
  if (!same_size) {
    freeAll();
    hover(std::nullopt);
  }
  if (!same_size || !same_labels) updateGeometry();
  refreshColors();
  layOut();
}

void HeatMapView::setValues(std::span<const float> values) {
  check(values.size() == map_.values.size(), "new values fit the map that is shown");
  std::copy(values.begin(), values.end(), map_.values.begin());
  legend_ = Legend::of(map_);
  update();
}

void HeatMapView::refreshColors() { colors_ = ColorTable(map_.scale, style_.palette()); }

void HeatMapView::layOut() {
  layout_ = layOutHeatMap(map_, legend_, style_, rect());
  masked_.invalidate();
  update();
}

QSize HeatMapView::sizeHint() const { return figureSize().toSize(); }

QSize HeatMapView::minimumSizeHint() const {
  const QSize least(style_.px(200), style_.px(160));
  if (map_.row_labels.isEmpty() && map_.col_labels.isEmpty()) return least;
  const QSizeF labelled = leastHeatMapSize(map_, legend_, style_);
  return least.expandedTo({static_cast<int>(std::ceil(labelled.width())),
                           static_cast<int>(std::ceil(labelled.height()))});
}

QSizeF HeatMapView::figureSize() const { return naturalHeatMapSize(map_, legend_, style_); }

void HeatMapView::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const HeatMapLayout layout = layOutHeatMap(map_, legend_, style_, area);
  const ColorTable colors(map_.scale, palette);
  const HeatMapMarks marks{std::nullopt, lock().locked(), selected_rows_};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (accessibleCount() > kMostPaperRects) {
    QImage image(map_.cols, map_.rows, QImage::Format_RGB32);
    fillHeatImage(image, 0, map_.values, colors);
    painter.drawImage(layout.grid.bounds(), image);
  } else {
    paintHeatMapCells(painter, map_, layout, colors);
  }
  if (!map_.masked.empty()) paintMasked(painter, layout.grid, map_.masked, palette, layout.unit);
  paintHeatMapNumbers(painter, map_, layout, colors);
  paintHeatMapAxes(painter, map_, layout, palette, marks);
  paintHeatMapFrames(painter, layout, palette, marks);
  paintLegend(painter, layout.legend, legend_, map_.scale, style_, palette);
  painter.restore();
}

void HeatMapView::paintCells(QPainter& painter) {
  if (accessibleCount() > kMostScreenRects) {
    if (image_.size() != QSize(map_.cols, map_.rows))
      image_ = QImage(map_.cols, map_.rows, QImage::Format_RGB32);
    fillHeatImage(image_, 0, map_.values, colors_);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, layout_.grid.cell_width < 1.0);
    painter.drawImage(layout_.grid.bounds(), image_);
  } else {
    painter.setRenderHint(QPainter::Antialiasing, layout_.radius > 0.0);
    paintHeatMapCells(painter, map_, layout_, colors_);
  }
  masked_.paint(painter, layout_.grid, map_.masked, style_.palette(), layout_.unit);
}

void HeatMapView::paintEvent(QPaintEvent*) {
  if (accessibleCount() == 0) return;
  const Palette& palette = style_.palette();
  const HeatMapMarks marks{lock().hovered(), lock().locked(), selected_rows_};
  QPainter painter(this);
  paintCells(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  paintHeatMapNumbers(painter, map_, layout_, colors_);
  paintHeatMapAxes(painter, map_, layout_, palette, marks);
  paintHeatMapFrames(painter, layout_, palette, marks);
  paintLegend(painter, layout_.legend, legend_, map_.scale, style_, palette);
}

void HeatMapView::resizeEvent(QResizeEvent*) { layOut(); }

bool HeatMapView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return CellWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto cell = layout_.grid.at(help->pos());
  if (cell)
    QToolTip::showText(help->globalPos(), toolTipOf(*cell), this,
                       cellRect(cell->row, cell->col).toAlignedRect());
  else
    QToolTip::hideText();
  return true;
}

QString HeatMapView::toolTipOf(const Cell& cell) const {
  QString tip = map_.cellText(cell.row, cell.col);
  QStringList labels{map_.row_labels.value(cell.row), map_.col_labels.value(cell.col)};
  labels.removeDuplicates();
  for (const QString& label : labels)
    if (const QString meaning = tokenMeaning(label); !meaning.isEmpty())
      tip += QStringLiteral("\n%1: %2").arg(label, meaning);
  return tip;
}

void HeatMapView::toggleRow(int row) {
  const auto place = std::lower_bound(selected_rows_.begin(), selected_rows_.end(), row);
  if (place != selected_rows_.end() && *place == row)
    selected_rows_.erase(place);
  else
    selected_rows_.insert(place, row);
  emit rowsSelected(QList<int>(selected_rows_.begin(), selected_rows_.end()));
  update();
}

bool HeatMapView::freeAll() {
  const bool had_rows = !selected_rows_.empty();
  selected_rows_.clear();
  const bool had_lock = freeLock();
  if (had_rows) emit rowsSelected({});
  update();
  return had_lock || had_rows;
}

void HeatMapView::mouseMoveEvent(QMouseEvent* event) { hover(layout_.grid.at(event->position())); }

void HeatMapView::mousePressEvent(QMouseEvent* event) {
  const auto cell = layout_.grid.at(event->position());
  if (event->button() != Qt::LeftButton || !cell) {
    event->ignore();
    return;
  }
  hover(cell);
  if (event->modifiers().testFlag(Qt::ShiftModifier))
    toggleRow(cell->row);
  else
    click(*cell);
}

void HeatMapView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && freeAll()) return;
  CellWidget::keyPressEvent(event);
}

}  // namespace tfm::ui
