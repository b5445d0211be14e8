// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/elastic/scatter_layout.h"
#include "ui/plots/plot_look.h"

class QPainter;

namespace tfm::ui {

/// Draws a laid-out scatter plot.
void paintScatter(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                  const PlotLook& look);

/// Draws a ring around the chosen submodel; on screen only.
void paintChosen(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                 const PlotLook& look);

}  // namespace tfm::ui
