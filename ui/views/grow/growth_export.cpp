// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_export.h"

#include <QFileDialog>
#include <QPainter>
#include <QProgressDialog>

#include "ui/growth/animation_export.h"
#include "ui/growth/growth_wall.h"
#include "ui/style/style.h"

namespace tfm::ui {

void exportGrowth(QWidget& owner, const Style& style, const QString& title,
                  const std::vector<GrownCells>& matrices) {
  const QString path = QFileDialog::getSaveFileName(
      &owner, GrowthWall::tr("Export the growth"), GrowthWall::tr("growth.mp4"),
      GrowthWall::tr("Films (*.mp4);;Moving pictures (*.gif);;Folder of pictures (*)"));
  if (path.isEmpty()) return;
  GrowthWall wall(style);
  wall.setTitle(title);
  wall.setMatrices(matrices);
  const QSizeF page = wall.figureSize();
  const auto frame = [&](QPainter& painter, QSize size, double t) {
    wall.setProgress(t);
    const double scale = std::min(size.width() / page.width(), size.height() / page.height());
    painter.save();
    painter.translate((size.width() - scale * page.width()) / 2.0,
                      (size.height() - scale * page.height()) / 2.0);
    painter.scale(scale, scale);
    wall.paintFigure(painter, QRectF(QPointF(), page), paperPalette());
    painter.restore();
  };
  QProgressDialog progress(GrowthWall::tr("Painting the growth"), GrowthWall::tr("Cancel"), 0, 0,
                           &owner);
  progress.setWindowModality(Qt::WindowModal);
  AnimationOptions options;
  options.ground = paperPalette().ground;
  exportFrames(frame, path, options, [&](int done, int all) {
    progress.setMaximum(all);
    progress.setValue(done);  // also lets the window breathe
    return !progress.wasCanceled();
  });
}

}  // namespace tfm::ui
