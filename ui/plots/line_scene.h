// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "ui/plots/line_series.h"
#include "ui/plots/plot_flag.h"
#include "ui/plots/plot_frame.h"

namespace tfm::ui {

struct LineCurve {
  QString name;
  LineSeries data;
  bool smoothed = true;                 ///< whether the plot's smoothing applies
  std::optional<AxisRange> interval{};  ///< of the last value: a bar at the curve's end
};

/// What a line plot shows, apart from how large and in which colours.
struct LineScene {
  QString x_title, y_title;
  std::vector<LineCurve> curves;
  std::vector<PlotFlag> flags;
  bool logarithmic = false;
  bool x_labels = true;              ///< off for all but the lowest plot of a stack
  double least_label_room = 0;       ///< room right of the axes, so that stacked plots align
  std::optional<AxisRange> fixed_y;  ///< shown while following, instead of the data's range
  bool y_from_zero = false;          ///< while following a linear axis reaches to 0
  bool names_y_start = false;        ///< the y title says where the axis does not start at 0
  std::optional<AxisRange> zoom_x,
      zoom_y;  ///< what the user chose; without it the data is followed
};

}  // namespace tfm::ui
