// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QSize>
#include <memory>

#include "ui/plots/line_layout.h"

class QCustomPlot;

namespace tfm::ui {

/// Draws the axes, grid and curves of a layout with QCustomPlot, which stays invisible as a widget.
class LineCanvas {
 public:
  LineCanvas();
  ~LineCanvas();

  /// For the screen: `size` in logical pixels, on the panel's colour.
  QPixmap pixmap(const LineScene& scene, const LineLayout& layout, const PlotLook& look,
                 const QSize& size, double pixel_ratio);
  /// With vector operations and without background, from `painter`'s origin.
  void paint(QPainter& painter, const LineScene& scene, const LineLayout& layout,
             const PlotLook& look, const QSize& size);

 private:
  void prepare(const LineScene& scene, const LineLayout& layout, const PlotLook& look,
               const QSize& size);

  std::unique_ptr<QCustomPlot> plot_;
};

}  // namespace tfm::ui
