// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <functional>
#include <vector>

#include "ui/plots/forward.h"
#include "ui/plots/plot_look.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Something that happened at a step: an expansion, a new learning rate, a checkpoint.
struct PlotFlag {
  double step = 0;
  QString text;
  /// The role of its colour, so that it changes with the theme.
  QColor Palette::*colour = &Palette::accent;
};

/// The place of a flag and its text above the axes, in pixels.
struct PlacedFlag {
  int index;  ///< among all flags
  double x;
  QRectF box{};
  QString text{};          ///< elided before the next flag, empty if there is no room
  int hidden = 0;          ///< flags before it without a text, counted by this one
  bool leftwards = false;  ///< the text is left of the line for lack of room
};

/// Places flags between the left end of the axes and `right` in up to `most_rows` rows from y = 0,
/// each `row` high, so that close ones keep their texts. `xOf` maps a step to its pixel, or to one
/// left of the axes if it is not shown.
std::vector<PlacedFlag> placeFlags(const std::vector<PlotFlag>& flags, int most_rows, double row,
                                   double left, double right, const PlotLook& look,
                                   const std::function<double(double step)>& xOf);

/// Pennants with their texts, and dashed lines down to `bottom`.
void paintFlags(QPainter& painter, const std::vector<PlacedFlag>& placed,
                const std::vector<PlotFlag>& flags, double bottom, const PlotLook& look);

/// A single flag without a text: a dashed line from `top` down to `bottom`, and its pennant.
void paintFlag(QPainter& painter, const QPointF& top, double bottom, const QColor& colour,
               const PlotLook& look, bool leftwards = false);

}  // namespace tfm::ui
