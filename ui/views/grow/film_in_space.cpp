// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/film_in_space.h"

#include <QPainter>
#include <algorithm>
#include <memory>

#include "ui/document/growth_planner.h"
#include "ui/growth/growth_film.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"
#include "ui/style/palette.h"

namespace tfm::ui {

FramePainter filmInSpace(const Style& style, const MatrixWall& seen, const QString& title,
                         const GrowthPreview& growth, const QSize& frame) {
  // A wall of its own, so that the one on screen does not change.
  const auto wall = std::make_shared<MatrixWall>(style);
  wall->resize(seen.size());
  const ModelState &before = *growth.before, &after = growth.after();
  wall->setSlabs(parameterSlabs(before.config, before.layout));
  setParameters(*wall, before);
  wall->setGrowth(parameterSlabs(after.config, after.layout), growth.matrices);
  wall->setCamera(seen.camera());
  return [wall, title, frame](QPainter& painter, QSize, double t) {
    wall->setGrowthProgress(t);
    const QRectF room = paintFilmTitle(painter, frame, title, paperPalette());
    const QSizeF page = wall->figureSize();
    const double zoom = std::min(room.width() / page.width(), room.height() / page.height());
    painter.save();
    painter.translate(room.center().x() - zoom * page.width() / 2, room.top());
    painter.scale(zoom, zoom);
    wall->paintFigure(painter, QRectF(QPointF(), page), paperPalette());
    painter.restore();
  };
}

}  // namespace tfm::ui
