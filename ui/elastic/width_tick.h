// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/matformer/nesting.h"

namespace tfm::ui {

/// A granularity in one layer, as frames and ticks show it.
struct WidthTick {
  QString name;
  int width = 0;
  bool operator==(const WidthTick&) const = default;
};

/// The granularities in layer `layer`, smallest first; of several with the same width, the largest.
std::vector<WidthTick> ticksOf(const std::vector<matformer::Granularity>& granularities,
                               std::size_t layer);

/// The nearest tick within `reach` widths, else `width`.
int snapped(int width, const std::vector<WidthTick>& ticks, double reach);

}  // namespace tfm::ui
