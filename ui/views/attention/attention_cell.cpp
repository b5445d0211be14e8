// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_cell.h"

#include <cmath>
#include <limits>

#include "core/backend/op_arguments.h"
#include "core/base/check.h"

namespace tfm::ui {
namespace {

constexpr double kRounding = 1e-4;  // of the terms

std::vector<double> headPart(const observe::Observed& rows, int row, int head, int size) {
  std::vector<double> part(static_cast<std::size_t>(size));
  for (int c = 0; c < size; ++c) part[std::size_t(c)] = rows.at(row, head * size + c);
  return part;
}

}  // namespace

AttentionCell attentionCell(const AttentionMaps& maps, const MapId& map, const Cell& cell) {
  check(map.layer >= 0 && map.head >= 0, "a cell of one head, not of a mean");
  const AttentionGroup& group = maps.group(map);
  const observe::AttentionSite& site = group.layers[std::size_t(map.layer)];
  const std::int64_t row = std::int64_t(map.head) * group.rows + cell.row;

  AttentionCell story;
  story.key_size = int(site.shape.key_size);
  story.query = headPart(maps.tensor(site, "query"), cell.row, map.head, story.key_size);
  story.key = headPart(maps.tensor(site, "key"), cell.col, map.head, story.key_size);
  for (std::size_t c = 0; c < story.query.size(); ++c) {
    story.terms.push_back(story.query[c] * story.key[c]);
    story.sum += story.terms.back();
  }
  double size = 1.0;
  for (const double term : story.terms) size += std::abs(term);
  const double rest = maps.tensor(site, "scores").at(row, cell.col) - story.sum;
  if (std::abs(rest) > kRounding * size) story.relative = rest;
  story.scaled = (story.sum + story.relative) / std::sqrt(double(story.key_size));
  story.is_masked = group.isMasked(cell.row, cell.col);
  if (story.is_masked)
    story.mask =
        group.isHidden(cell.row, cell.col) ? -std::numeric_limits<double>::infinity() : kPadScore;
  story.probability = maps.tensor(site, "probabilities").at(row, cell.col);
  return story;
}

std::vector<float> meanOfRows(const std::vector<float>& values, int cols,
                              const std::vector<int>& rows) {
  std::vector<float> mean(static_cast<std::size_t>(cols), 0.0F);
  for (const int row : rows)
    for (int col = 0; col < cols; ++col)
      mean[std::size_t(col)] += values[std::size_t(row) * cols + col] / float(rows.size());
  return mean;
}

int strongestColumn(const AttentionGroup& group, const std::vector<float>& values, int row) {
  int best = 0;
  for (int col = 1; col < group.cols; ++col)
    if (!group.isMasked(row, col) &&
        values[std::size_t(row) * group.cols + col] > values[std::size_t(row) * group.cols + best])
      best = col;
  return best;
}

int strongestRow(const AttentionGroup& group, const std::vector<float>& values, int col) {
  int best = -1;
  for (int row = 0; row < group.rows; ++row)
    if (!group.isMasked(row, col) && (best < 0 || values[std::size_t(row) * group.cols + col] >
                                                      values[std::size_t(best) * group.cols + col]))
      best = row;
  return best < 0 ? 0 : best;
}

}  // namespace tfm::ui
