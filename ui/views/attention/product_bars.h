// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/views/attention/attention_cell.h"
#include "ui/widgets/bar_list.h"

namespace tfm::ui {

/// The computation of a cell as rows of a BarList: query × key for each component, then the sum,
/// the sum divided by the root of the key size, the mask if there is one, and the softmax.
struct ProductBars {
  std::vector<BarRow> terms, summary;
  int decimals = 2;      ///< of all rows
  double largest = 0.0;  ///< |query| or |key|
};

/// At most `most` terms, largest first, the rest summed up in the last one; `in_order`: all, in
/// order.
ProductBars productBars(const AttentionCell& cell, std::size_t most, bool in_order = false);

}  // namespace tfm::ui
