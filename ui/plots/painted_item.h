// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

/// Adds an item to a layer of the plot that is drawn by `paint`, in pixels. For shapes that
/// QCustomPlot does not provide.
void addPaintedItem(QCustomPlot& plot, const char* layer, std::function<void(QPainter&)> paint);

}  // namespace tfm::ui
