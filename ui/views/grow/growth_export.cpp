// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_export.h"

#include <QFileDialog>
#include <QPainter>
#include <QProgressDialog>

#include "ui/growth/animation_export.h"
#include "ui/growth/growth_film.h"
#include "ui/style/style.h"

namespace tfm::ui {

void exportGrowth(QWidget& owner, const Style& style, const QString& title,
                  const std::vector<GrownCells>& matrices) {
  const QString path = QFileDialog::getSaveFileName(
      &owner, GrowthWall::tr("Export the growth"), GrowthWall::tr("growth.mp4"),
      GrowthWall::tr("Films (*.mp4);;Moving pictures (*.gif);;Folder of pictures (*)"));
  if (path.isEmpty()) return;
  AnimationOptions options;
  options.size = {1600, 900};
  options.ground = paperPalette().ground;
  GrowthFilm film(style, title, matrices, options.size);
  const auto frame = [&](QPainter& painter, QSize, double t) {
    film.paint(painter, t, paperPalette());
  };
  QProgressDialog progress(GrowthWall::tr("Painting the growth"), GrowthWall::tr("Cancel"), 0, 0,
                           &owner);
  progress.setWindowModality(Qt::WindowModal);
  exportFrames(frame, path, options, [&](int done, int all) {
    progress.setMaximum(all);
    progress.setValue(done);  // also lets the window breathe
    return !progress.wasCanceled();
  });
}

}  // namespace tfm::ui
