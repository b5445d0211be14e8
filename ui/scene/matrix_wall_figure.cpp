// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/scene/matrix_wall.h"
#include "ui/scene/matrix_wall_state.h"
#include "ui/scene/wall_overlay.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kVectorScale = 3.5;  // image pixels per figure pixel on paper: over 300 dpi
constexpr double kMostScale = 8;

double imageScale(const QPainter& painter) {
  const auto engine = painter.paintEngine()->type();
  const QTransform to_device = painter.deviceTransform();
  const double scale = std::hypot(to_device.m11(), to_device.m12());
  const double wanted = engine == QPaintEngine::Raster ? scale : kVectorScale;
  return std::clamp(wanted, 1.0, kMostScale);
}

}  // namespace

void MatrixWall::setFigureTitle(const QString& title) { wall_->title = title; }

QString MatrixWall::figureTitle() const {
  return wall_->title.isEmpty() ? tr("All matrices") : wall_->title;
}

void MatrixWall::paintOverlayIn(QPainter& painter, const QSizeF& size,
                                const Palette& palette) const {
  const bool coming = wall_->growth && !wall_->grown();
  const std::vector<Ghost> ghosts =
      coming ? wall_->growth->wall.ghosts(wall_->growth->room) : std::vector<Ghost>();
  const bool stands = wall_->grown() && !wall_->moving();
  const std::vector<FreshBlock> fresh =
      stands ? freshBlocks(wall_->growth->wall.slabs(), wall_->growth->after)
             : std::vector<FreshBlock>();
  const bool unpaired = std::ranges::find(wall_->unpaired, true) != wall_->unpaired.end();
  std::vector<MarkWords> marks;
  if (wall_->growth)
    marks = wall_->growth->marks;
  else if (unpaired)
    marks.push_back({.words = unpairedName(), .unpaired = true});
  paintWallOverlay(
      painter,
      {.slabs = wall_->shown(),
       .layout = wall_->layout,
       .camera = camera(),
       .size = size,
       .palette = palette,
       .style = style(),
       .limit = wall_->limit(shareInside(style())),
       .inside_share = wall_->fixed_limit ? std::nullopt : std::optional(shareInside(style())),
       .focused = wall_->focused,
       .picked = wall_->picked,
       .hovered = wall_->hovered,
       .frames = wall_->growth ? std::span<const SlabFrame>() : wall_->frames,
       .ghosts = ghosts,
       .grown = grownSlabs(),
       .fresh = fresh,
       .marks = marks});
}

void MatrixWall::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.save();
  painter.translate(area.topLeft());
  if (available()) {
    // The scene is borrowed for a picture in other colours; the next frame on screen makes its own
    // again.
    wall_->scene.setPalette(palette);
    wall_->stale.assign(wall_->stale.size(), true);
    wall_->recolour(ColourScale(palette, wall_->limit(shareInside(style()))), palette);
    const QImage image = drawSmoothly(area.size(), imageScale(painter));
    wall_->scene.setPalette(style().palette());
    wall_->stale.assign(wall_->stale.size(), true);
    painter.setRenderHints(QPainter::LosslessImageRendering | QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(QPointF(), area.size()), image);
  }
  paintOverlayIn(painter, area.size(), palette);
  painter.restore();
}

DataTable MatrixWall::figureData() const {
  DataTable table{{tr("name"), tr("row"), tr("column"), tr("value")}, {}};
  for (const MatrixSlab& slab : wall_->shown())
    for (int row = 0; row < slab.rows; ++row)
      for (int col = 0; col < slab.cols; ++col)
        table.rows.push_back({slab.name, QString::number(row), QString::number(col),
                              fullPrecision(static_cast<double>(slab.value(row, col)))});
  return table;
}

}  // namespace tfm::ui
