// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tfm::ui {

struct AxisRange;
struct PlotFrame;

/// A line ready to draw. A point that is not a number lifts the pen.
struct Polyline {
  std::vector<double> x, y;
  /// Points inside the range that cannot be drawn: not finite, or not positive on a logarithmic
  /// axis.
  std::size_t not_finite = 0, not_positive = 0;

  std::size_t size() const { return x.size(); }
};

/// The part of the curve (x increasing) in `range` with at most four points in each of `columns`
/// equal columns: first, smallest, largest and last, so that no extreme is lost. One point beyond
/// each end is kept for the line to reach the border. `logarithmic` leaves out values below or at
/// 0.
Polyline decimate(std::span<const double> x, std::span<const double> y, const AxisRange& range,
                  int columns, bool logarithmic);

/// Like decimate() with the mean of each of `columns` columns instead of its extremes: one clear
/// line through a curve that is finer than the screen.
Polyline averaged(std::span<const double> x, std::span<const double> y, const AxisRange& range,
                  int columns, bool logarithmic);

/// The parts of `line` inside the frame. SVG files cannot rely on a clip region, so lines end here.
Polyline clipped(const Polyline& line, const PlotFrame& frame);

}  // namespace tfm::ui
