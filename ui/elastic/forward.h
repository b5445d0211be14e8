// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class AccuracyScatter;
class GranularityCurves;
class NestedFrames;
class ScatterPlot;
class ScoreTable;
class WidthBars;
class WidthSlider;

}  // namespace tfm::ui
