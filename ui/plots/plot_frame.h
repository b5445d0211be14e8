// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

namespace tfm::ui {

/// What an axis shows, low < high.
struct AxisRange {
  double low = 0, high = 1;

  double span() const { return high - low; }
  bool operator==(const AxisRange&) const = default;
};

/// A range around the data with a little air, also when all of it is one value.
AxisRange padded(double low, double high, bool logarithmic = false);

/// The middle of the pixel that a coordinate falls in, where a thin line is sharp.
double crisp(double pixel);

/// Where the axes of a plot lie and what they show: maps data to pixels.
struct PlotFrame {
  QRectF rect;
  AxisRange x, y;

  double xToPixel(double value) const;
  double yToPixel(double value) const;
};

}  // namespace tfm::ui
