// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>

#include "ui/elastic/elastic_mark.h"

class QPainter;

namespace tfm::ui {

struct PlotLook;

/// All facts about one mark on a card beside `place`, inside `area`; where that is low, the first
/// ones.
void paintScoreCard(QPainter& painter, const ElasticMark& mark, const QPointF& place,
                    const QRectF& area, const PlotLook& look);

}  // namespace tfm::ui
