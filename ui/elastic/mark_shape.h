// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

#include "ui/elastic/elastic_point.h"
#include "ui/plots/plot_look.h"

class QPainter;

namespace tfm::ui {

/// Half the height of a mark, at scale 1.
inline constexpr double kMarkRadius = 5;

/// The mark of a measured submodel around `centre`: filled in the shape and colour of the
/// granularity with index `size`; a hollow circle for Mix'n'Match, stronger if it is `on_front`; a
/// cross for a separately trained model. A negative `size` stands for any granularity.
void paintMark(QPainter& painter, const QPointF& centre, ElasticKind kind, int size, bool on_front,
               const PlotLook& look);

/// The colour of the granularity with index `size`; a neutral one if negative.
QColor markColour(ElasticKind kind, int size, const PlotLook& look);

}  // namespace tfm::ui
