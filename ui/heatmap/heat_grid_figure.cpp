// SPDX-License-Identifier: GPL-3.0-or-later
// The grid as a figure: on paper and as a table.
#include <QPainter>
#include <algorithm>

#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_grid_painter.h"
#include "ui/heatmap/heat_map_painter.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLegendSpace = 24.0;

}  // namespace

Legend HeatGrid::legend() const {
  ValueRange range = valueRange({}, {});
  bool masked = false;
  for (const MapStack& group : groups_) {
    for (int slot = 0; slot < group.slotCount(); ++slot) {
      const std::size_t cells = static_cast<std::size_t>(group.rows()) * group.cols();
      const ValueRange own =
          valueRange(group.allMaps().subspan(slot * cells, cells), group.masked());
      if (!(range.smallest <= own.smallest)) range.smallest = own.smallest;
      if (!(range.largest >= own.largest)) range.largest = own.largest;
    }
    masked = masked || std::any_of(group.masked().begin(), group.masked().end(),
                                   [](std::uint8_t flag) { return flag != 0; });
  }
  Legend legend = Legend::of(scale_, range);
  legend.masked = masked;
  return legend;
}

QSizeF HeatGrid::figureSize() const {
  const QSizeF grid = layOutHeatGrid(groups_, style_, naturalHeatGridWidth(groups_, style_)).size;
  const QSizeF key = legendSize(legend(), style_, grid.height());
  return {grid.width() + kLegendSpace * style_.scale() + key.width(),
          std::max(grid.height(), key.height())};
}

void HeatGrid::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const Legend legend = this->legend();
  const QSizeF key = legendSize(legend, style_, area.height());
  const double space = kLegendSpace * style_.scale();
  const HeatGridLayout layout = layOutHeatGrid(groups_, style_, area.width() - space - key.width());
  const ColorTable colors(scale_, palette);
  std::size_t cells = 0;
  for (const MapStack& group : groups_) cells += group.allMaps().size();
  painter.save();
  painter.translate(area.topLeft());
  for (const MapPlace& place : layout.places) {
    const MapStack& group = groups_[place.id.group];
    const CellGrid grid = smallCells(group, place.box);
    const auto values = group.map(place.id.layer, place.id.head);
    if (cells <= kMostPaperRects) {
      paintSmallCells(painter, group, values, grid, colors);
    } else {
      QImage image(group.cols(), group.rows(), QImage::Format_RGB32);
      fillHeatImage(image, 0, values, colors);
      painter.drawImage(grid.bounds(), image);
    }
    if (!group.masked().empty())
      paintMasked(painter, grid, group.masked(), palette, style_.scale());
  }
  painter.setRenderHint(QPainter::Antialiasing);
  paintGridCaptions(painter, layout, QRectF(QPointF(), area.size()), std::nullopt, lock_.locked(),
                    style_, palette);
  if (lock_.locked())
    if (const MapPlace* place = layout.find(*lock_.locked()))
      paintMapFrame(painter, smallCells(groups_[place->id.group], place->box).bounds(),
                    palette.mark, style_.scale());
  paintLegend(painter, {QPointF(layout.size.width() + space, 0.0), key}, legend, scale_, style_,
              palette);
  painter.restore();
}

DataTable HeatGrid::figureData() const {
  DataTable table;
  table.columns = {QStringLiteral("group"), QStringLiteral("layer"),  QStringLiteral("head"),
                   QStringLiteral("row"),   QStringLiteral("column"), QStringLiteral("value"),
                   QStringLiteral("masked")};
  const auto indexText = [](int index) {
    return index < 0 ? QStringLiteral("mean") : QString::number(index + 1);
  };
  for (const MapPlace& place : layout_.places) {
    const MapStack& group = groups_[place.id.group];
    const auto values = map(place.id);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool hidden = !group.masked().empty() && group.masked()[i];
      table.rows.push_back({group.name(), indexText(place.id.layer), indexText(place.id.head),
                            QString::number(i / group.cols()), QString::number(i % group.cols()),
                            hidden ? QString() : fullPrecision(values[i]),
                            QString::number(hidden ? 1 : 0)});
    }
  }
  return table;
}

}  // namespace tfm::ui
