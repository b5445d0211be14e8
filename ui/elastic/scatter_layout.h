// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/plots/plot_frame.h"

namespace tfm::ui {

/// The content of a scatter plot of submodels, independent of size and colours.
struct ScatterScene {
  std::vector<ElasticMark> marks;
  QStringList names;               ///< of the granularities, smallest first
  std::vector<std::size_t> front;  ///< indices into `marks`, cheapest first
  CostAxis axis = CostAxis::Parameters;
  bool from_zero = false;  ///< the accuracy axis starts at 0
  bool held_out = true;    ///< the accuracy is on examples not trained on
  std::optional<Submodel> chosen;
};

/// What the legend may explain; only what occurs is listed.
enum class ScatterSample { Trained, Mixed, Separate, Front, Examples, Seeds };

/// The layout of a ScatterScene in an area, in pixels at scale 1.
struct ScatterLayout {
  struct Spot {
    QPointF place;
    bool has_interval = false;  ///< false for many Mix'n'Match marks, whose bars would hide them
    double interval_low = 0, interval_high = 0;  ///< y of its ends
    double spread_low = 0, spread_high = 0;      ///< the same for the seeds; equal for one seed
  };
  struct Label {
    std::size_t mark;
    QRectF box;
  };
  struct LegendEntry {
    ScatterSample sample;
    QString text;
    QRectF box;  ///< the sample at its left, then the text
  };

  PlotFrame frame;
  std::vector<Spot> spots;     ///< one for each mark
  std::vector<QPointF> front;  ///< the Pareto line: the best accuracy for at most that cost
  std::vector<Label> labels;   ///< of trained granularities
  std::vector<LegendEntry> legend;
  QString x_title, y_title;
  double x_unit = 1;  ///< unit of the x axis
};

/// Widths of the parts around the axes, at scale 1.
struct ScatterMargins {
  static constexpr double kLegendRow = 18, kTitleRow = 20, kTickRow = 18, kTickColumn = 46;
  static constexpr double kSample = 20, kEnd = 14;
  static constexpr double kHeadroom = 12;  ///< above the axes, for names
};

ScatterLayout layoutScatter(const ScatterScene& scene, const QRectF& area);

}  // namespace tfm::ui
