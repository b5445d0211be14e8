// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <vector>

#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_wall.h"

namespace tfm::ui {

/// Writes the title of a film at the top of its frame; gives the area below it.
QRectF paintFilmTitle(QPainter& painter, const QSizeF& frame, const QString& title,
                      const Palette& palette);

/// The frames of a film of a growth: its title, the matrices as large as the frame lets them be,
/// and what the marks mean.
class GrowthFilm {
 public:
  /// The style must outlive the film. `title` names the growth, e.g. "Heads 7 → 8".
  GrowthFilm(const Style& style, const QString& title, const std::vector<GrownCells>& matrices,
             const QSize& frame);

  /// Fills a frame at progress `t` in [0, 1]; paints on the palette's ground, which is the
  /// caller's.
  void paint(QPainter& painter, double t, const Palette& palette);

 private:
  void fit();

  const double unit_;
  const QString title_;
  const QSizeF frame_;
  GrowthWall wall_;
  GrowthLegend legend_;
  double zoom_ = 1.0;   ///< frame pixels for one of the wall's
  double width_ = 0.0;  ///< in which the wall flows, in its own pixels
  QSizeF page_;         ///< what it takes of that
};

}  // namespace tfm::ui
