// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QCustomPlot;
class QPainter;

namespace tfm::ui {

/// Lets `paint` draw on a layer of the plot, in pixels, what QCustomPlot has no item for.
void addPaintedItem(QCustomPlot& plot, const char* layer, std::function<void(QPainter&)> paint);

}  // namespace tfm::ui
