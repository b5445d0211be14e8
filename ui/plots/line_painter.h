// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/line_layout.h"

class QPainter;

namespace tfm::ui {

/// Everything around the curves: titles, names, flags, notes. From the painter's origin.
void paintLabels(QPainter& painter, const LineScene& scene, const LineLayout& layout,
                 const PlotLook& look, const QSizeF& size);

}  // namespace tfm::ui
