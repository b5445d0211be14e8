// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <vector>

#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_wall.h"

namespace tfm::ui {

/// Draws the title of a film at the top of its frame; returns the area below it.
QRectF paintFilmTitle(QPainter& painter, const QSizeF& frame, const QString& title,
                      const Palette& palette);

/// Paints the frames of a growth film: title, matrices as large as possible, and the legend of the
/// marks.
class GrowthFilm {
 public:
  /// The style must outlive the film. `title` names the growth, e.g. "Heads 7 → 8".
  GrowthFilm(const Style& style, const QString& title, const std::vector<GrownCells>& matrices,
             const QSize& frame);

  /// Paints the frame at progress `t` in [0, 1] on a background that the caller has filled.
  void paint(QPainter& painter, double t, const Palette& palette);

 private:
  void fit();

  const double unit_;
  const QString title_;
  const QSizeF frame_;
  GrowthWall wall_;
  GrowthLegend legend_;
  double zoom_ = 1.0;   ///< frame pixels per wall pixel
  double width_ = 0.0;  ///< of the wall, in its own pixels
  QSizeF page_;         ///< size that the wall takes
};

}  // namespace tfm::ui
