// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/product_bars.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/figure/number_text.h"
#include "ui/views/attention/attention_words.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ProductBars)
};

}  // namespace

ProductBars productBars(const AttentionCell& cell, std::size_t most, bool in_order) {
  ProductBars bars;
  for (std::size_t c = 0; c < cell.terms.size(); ++c)
    bars.largest = std::max({bars.largest, std::abs(cell.query[c]), std::abs(cell.key[c])});
  bars.decimals = std::clamp(decimalsFor(bars.largest), 2, 4);
  const int decimals = std::clamp(decimalsFor(bars.largest), 1, 4);

  std::vector<std::size_t> order(cell.terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!in_order)
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return std::abs(cell.terms[a]) > std::abs(cell.terms[b]);
    });
  const bool all = in_order || order.size() <= most;
  const std::size_t shown = all ? order.size() : most - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t c = order[i];
    bars.terms.push_back({Text::tr("%1 × %2").arg(fixedNumber(cell.query[c], decimals),
                                                  fixedNumber(cell.key[c], decimals)),
                          cell.terms[c]});
  }
  double rest = 0.0;
  for (std::size_t i = shown; i < order.size(); ++i) rest += cell.terms[order[i]];
  if (!all) bars.terms.push_back({Text::tr("%1 more").arg(order.size() - shown), rest});

  if (cell.relative == 0.0) {
    bars.summary = {{Text::tr("sum = score"), cell.sum}};
  } else {
    bars.summary = {{Text::tr("sum"), cell.sum},
                    {Text::tr("+ biases and distance"), cell.relative},
                    {Text::tr("= score"), cell.sum + cell.relative}};
  }
  bars.summary.push_back({AttentionWords::scaling(cell.key_size), cell.scaled});
  if (cell.is_masked) bars.summary.push_back({Text::tr("+ mask"), cell.mask});
  bars.summary.push_back({Text::tr("softmax"), cell.probability});
  return bars;
}

}  // namespace tfm::ui
