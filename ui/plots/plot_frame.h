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

/// The range magnified by `factor` (> 1 shows less) around `centre`, which keeps its place.
AxisRange zoomed(const AxisRange& range, double centre, double factor, bool logarithmic = false);
/// The range moved by `share` of what it shows.
AxisRange panned(const AxisRange& range, double share, bool logarithmic = false);
/// A range around the data with a little air, also when all of it is one value.
AxisRange padded(double low, double high, bool logarithmic = false);

/// The middle of the pixel that a coordinate falls in, where a thin line is sharp.
double crisp(double pixel);

/// Where the axes of a plot lie and what they show: maps data to pixels and back.
struct PlotFrame {
  QRectF rect;
  AxisRange x, y;
  bool logarithmic = false;  ///< the y axis; then y.low > 0

  double xToPixel(double value) const;
  /// Not finite for values that a logarithmic axis cannot show.
  double yToPixel(double value) const;
  double pixelToX(double pixel) const;
  double pixelToY(double pixel) const;
};

}  // namespace tfm::ui
