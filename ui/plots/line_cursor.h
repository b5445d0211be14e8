// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/plots/line_layout.h"

class QPainter;

namespace tfm::ui {

/// A curve read at a step: the last point at or before it.
struct LineReading {
  int curve;
  double step, value, smoothed;
};

/// One reading for every curve that has a point at or before `step`.
std::vector<LineReading> readLines(const LineScene& scene, double step);
/// The readings in words, for those who listen instead of look.
QString spokenReadings(const LineScene& scene, const std::vector<LineReading>& readings);
/// The line at the step that the other views show, with its name above the lower axis.
void paintMoment(QPainter& painter, const LineLayout& layout, const PlotLook& look, double step);
/// The vertical line at `step`, a dot on each curve and a box with the values.
void paintCursor(QPainter& painter, const LineScene& scene, const LineLayout& layout,
                 const PlotLook& look, double step);

}  // namespace tfm::ui
