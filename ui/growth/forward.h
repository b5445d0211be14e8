// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class GrowthLegend;
class GrowthMap;
class GrowthPair;
class GrowthWall;
class Motion;

}  // namespace tfm::ui
