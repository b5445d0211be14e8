// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/views/attention/attention_cell.h"
#include "ui/widgets/bar_list.h"

namespace tfm::ui {

/// How a cell's number comes about, as rows of a BarList: query × key for each number of the key,
/// and below them their sum, the sum divided by the root of the key size, the mask where there is
/// one, and the softmax.
struct ProductBars {
  std::vector<BarRow> terms, summary;
  int decimals = 2;      ///< of all rows
  double largest = 0.0;  ///< |query| or |key|
};

/// At most `most` terms, the largest first; what they leave out is summed up in the last. In order:
/// all of them.
ProductBars productBars(const AttentionCell& cell, std::size_t most, bool in_order = false);

}  // namespace tfm::ui
