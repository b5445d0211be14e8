// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/width_tick.h"

#include <cstdlib>

namespace tfm::ui {

std::vector<WidthTick> ticksOf(const std::vector<matformer::Granularity>& granularities,
                               std::size_t layer) {
  std::vector<WidthTick> ticks;
  for (const matformer::Granularity& one : granularities) {
    const int width = int(one.submodel.widths[layer]);
    if (!ticks.empty() && ticks.back().width == width) ticks.pop_back();
    ticks.push_back({QString::fromStdString(one.name), width});
  }
  return ticks;
}

int snapped(int width, const std::vector<WidthTick>& ticks, double reach) {
  int nearest = width;
  double distance = reach;
  for (const WidthTick& tick : ticks)
    if (std::abs(tick.width - width) <= distance) {
      nearest = tick.width;
      distance = std::abs(tick.width - width);
    }
  return nearest;
}

}  // namespace tfm::ui
