// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/elastic/scatter_layout.h"
#include "ui/plots/plot_look.h"

class QPainter;

namespace tfm::ui {

/// Draws the scatter as it was laid out.
void paintScatter(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                  const PlotLook& look);

/// Rings the chosen submodel, which concerns the screen and not the paper.
void paintChosen(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                 const PlotLook& look);

}  // namespace tfm::ui
