// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/heatmap/cell_grid.h"
#include "ui/views/attention/attention_maps.h"

namespace tfm::ui {

/// How a cell of a head is computed, from the engine's own tensors.
struct AttentionCell {
  std::vector<double> query, key;  ///< key size numbers each
  std::vector<double> terms;       ///< query[c] * key[c]
  double sum = 0.0;                ///< of the terms: the score, unless attention is relative
  double relative = 0.0;           ///< added by relative attention; see SelfAttention
  int key_size = 0;
  double scaled = 0.0;  ///< score / sqrt(key size)
  double mask = 0.0;  ///< added before the softmax; -infinity for what comes later, less for a pad
  double probability = 0.0;  ///< after the softmax
  bool is_masked = false;
};

/// `map` must name a layer and a head, not a mean.
AttentionCell attentionCell(const AttentionMaps& maps, const MapId& map, const Cell& cell);

/// The mean of some rows of a map with `cols` columns.
std::vector<float> meanOfRows(const std::vector<float>& values, int cols,
                              const std::vector<int>& rows);

/// The column with the largest value in a row, ignoring masked cells.
int strongestColumn(const AttentionGroup& group, const std::vector<float>& values, int row);
/// The row with the largest value in a column, ignoring masked cells.
int strongestRow(const AttentionGroup& group, const std::vector<float>& values, int col);

}  // namespace tfm::ui
