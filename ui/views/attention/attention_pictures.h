// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/heatmap/heat_data.h"
#include "ui/heatmap/map_stack.h"
#include "ui/views/attention/attention_maps.h"

namespace tfm::ui {

// The maps of a moment as pictures; with `minus`, less those of another moment, which has the same
// cells.

struct SmallMaps {
  std::vector<HeatGroup> groups;
  ColorScale scale;  ///< of all
};
/// All heads.
SmallMaps smallMaps(const AttentionMaps& maps, const AttentionMaps* minus);

HeatMap largeMap(const AttentionMaps& maps, const AttentionMaps* minus,
                 const AttentionChoice& choice);

/// The map to begin with, in the last group, which is the most interesting: how the answer reads
/// the question. Of its cross-attention heads, the one closest to a diagonal, which is easiest to
/// understand.
MapId firstMap(const AttentionMaps& maps);

}  // namespace tfm::ui
