// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

struct AxisRange;
class LinePlot;
class LogitOverlay;
class LossStrip;
class PlotGraph;
struct PlotLook;
class PlotStack;

}  // namespace tfm::ui
