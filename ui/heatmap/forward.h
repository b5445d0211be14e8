// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class CellGrid;
class HeatGrid;
class HeatMapView;
struct Legend;
class LinesView;

}  // namespace tfm::ui
