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

/// A range around the data with a small margin, even if all values are equal.
AxisRange padded(double low, double high, bool logarithmic = false);

/// The centre of the pixel at a coordinate, where a thin line is sharp.
double crisp(double pixel);

/// The rectangle and ranges of a plot's axes; maps data to pixels.
struct PlotFrame {
  QRectF rect;
  AxisRange x, y;

  double xToPixel(double value) const;
  double yToPixel(double value) const;
};

}  // namespace tfm::ui
