// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_map.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_marks.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLargestCell = 40.0;
constexpr double kHead = 26.0;
constexpr double kMapMargin = 14.0;  // at the right and bottom, for the handles

}  // namespace

void GrowthMap::setMatrix(GrownCells cells) {
  const bool same_size = cells.rows() == cells_.rows() && cells.cols() == cells_.cols();
  cells_ = std::move(cells);
  setAccessibleName(tr("%1, %2").arg(cells_.name(), cells_.shapeText()));
  limit_.reset();
  colors_.reset();
  forgetOutside();
  arrange();
  if (!same_size) updateGeometry();
}

ColorScale GrowthMap::scale() const {
  if (!limit_) limit_ = cells_.limit();
  return ColorScale::signedTo(*limit_);
}

QString GrowthMap::itemText(int item) const {
  const Cell cell = cellOf(item);
  return cells_.describe(cell.row, cell.col);
}

QRectF GrowthMap::itemArea(int item) const {
  const Cell cell = cellOf(item);
  return places_.cell(cell.row, cell.col);
}

int GrowthMap::itemAt(const QPointF& point) const {
  const auto cell = progress() < 1.0 ? std::nullopt : places_.at(point);
  return cell ? itemOf(*cell) : -1;
}

void GrowthMap::releaseHandle() {
  GrowthGrid::releaseHandle();
  arrange();
}

QPointF GrowthMap::gridOrigin() const {
  const double unit = style().scale();
  const double room = std::ceil(braceRoom(style()));
  const double left = cells_.rowAxis().name.isEmpty() ? 4.0 * unit : room + 2.0 * unit;
  return {left, kHead * unit + room};
}

double GrowthMap::pitchIn(const QRectF& area) const {
  const double unit = style().scale();
  const QPointF used = gridOrigin();
  const QSizeF room(area.width() - used.x() - kMapMargin * unit,
                    area.height() - used.y() - kMapMargin * unit);
  return pitchFor(cells_, room.expandedTo({1.0, 1.0}), kLargestCell * unit, unit);
}

void GrowthMap::layOut() {
  // While an edge is dragged, a pixel must keep standing for the same number of cells.
  if (!holdsEdge()) pitch_ = pitchIn(viewport()->rect());
  places_ =
      GrowthPlaces::of(cells_, gridOrigin(), pitch_, style().scale(), GrowthMoment::at(progress()));
}

QSizeF GrowthMap::figureSize() const {
  const double unit = style().scale();
  // Large matrices get smaller cells, so that a figure fits on a page.
  const double pitch = pitchFor(cells_, QSizeF(960.0, 720.0) * unit, kLargestCell * unit, unit);
  const QSizeF grid = grownSize(cells_, pitch, unit);
  const QPointF used = gridOrigin();
  const double least = QFontMetricsF(style().numberFont(12)).horizontalAdvance(cells_.shapeText()) +
                       (cells_.factorText().isEmpty() ? 8.0 : 96.0) * unit;
  return {std::max(grid.width() + used.x() + kMapMargin * unit, least),
          grid.height() + used.y() + kMapMargin * unit};
}

void GrowthMap::paintHead(QPainter& painter, const QRectF& area, const Palette& palette,
                          const QString& title) const {
  const double unit = style().scale();
  const QRectF head(area.left() + 4.0 * unit, area.top(), area.width() - 8.0 * unit, kHead * unit);
  const QFont strong = style().textFont(13, QFont::DemiBold), digits = style().numberFont(12);
  const QFontMetricsF names(strong), numbers(digits);
  const QString shape = cells_.shapeText(), factor = cells_.factorText();
  const QFont badge = style().numberFont(12, QFont::DemiBold);
  const double badge_width =
      factor.isEmpty() ? 0.0 : paintBadge(nullptr, {}, factor, badge, palette, unit) + 10.0 * unit;
  const double shape_width = numbers.horizontalAdvance(shape) + 10.0 * unit;
  const double room = std::max(0.0, head.width() - shape_width - badge_width);
  const QString shown = names.elidedText(title, Qt::ElideMiddle, room);
  double x = head.left();
  painter.setFont(strong);
  painter.setPen(palette.text);
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, shown);
  if (!shown.isEmpty()) x += names.horizontalAdvance(shown) + 10.0 * unit;
  painter.setFont(digits);
  painter.setPen(palette.muted);
  painter.drawText(QRectF(x, head.top(), shape_width + badge_width, head.height()),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, shape);
  if (!factor.isEmpty())
    paintBadge(&painter, {x + shape_width, head.center().y()}, factor, badge, palette, unit);
}

void GrowthMap::paintMatrix(QPainter& painter, const GrowthPlaces& places, const CellColors& colors,
                            const GrowthLook& look, const QRectF& area) const {
  paintGrowthCells(painter, cells_, colors, places, look);
  paintGrowthMarks(painter, cells_, colors, places, look);
  paintGrowthNumbers(painter, cells_, colors, places, look);
  paintGhost(painter, cells_, places, look);
  paintBrace(painter, cells_.colAxis(), places, Qt::Horizontal, area.right() - places.origin.x(),
             look);
  paintBrace(painter, cells_.rowAxis(), places, Qt::Vertical,
             std::max(places.rows.extent, area.bottom() - places.origin.y()), look);
}

void GrowthMap::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  if (cells_.isEmpty()) return;
  const GrowthMoment moment = GrowthMoment::at(progress());
  const GrowthPlaces places = GrowthPlaces::of(cells_, area.topLeft() + gridOrigin(), pitchIn(area),
                                               style().scale(), moment);
  const CellColors colors(cells_, ColorTable(scale(), palette), palette);
  paintHead(painter, area, palette, {});
  paintMatrix(painter, places, colors, {style(), palette, scale(), moment, true}, area);
}

void GrowthMap::paintItems(QPainter& painter) {
  const Palette& palette = style().palette();
  if (!colors_) colors_.emplace(cells_, ColorTable(scale(), palette), palette);
  painter.setRenderHint(QPainter::Antialiasing);
  paintHead(painter, viewport()->rect(), palette, figureTitle());
  paintMatrix(painter, places_, *colors_,
              {style(), palette, scale(), GrowthMoment::at(progress()), false}, viewport()->rect());
}

}  // namespace tfm::ui
