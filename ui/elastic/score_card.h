// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>

#include "ui/elastic/elastic_mark.h"

class QPainter;

namespace tfm::ui {

struct PlotLook;

/// Draws all facts about a mark on a card beside `place`, inside `area`; only the first ones if
/// there is not enough height.
void paintScoreCard(QPainter& painter, const ElasticMark& mark, const QPointF& place,
                    const QRectF& area, const PlotLook& look);

}  // namespace tfm::ui
