// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_pictures.h"

#include <algorithm>
#include <cmath>

#include "ui/views/attention/attention_words.h"

namespace tfm::ui {
namespace {

void subtract(std::vector<float>& from, const std::vector<float>& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
}

/// A common signed scale.
ColorScale scaleOf(const std::vector<HeatGroup>& groups) {
  float largest = 0.0F;
  for (const HeatGroup& group : groups)
    for (const float value : group.values) largest = std::max(largest, std::abs(value));
  return ColorScale::signedTo(niceLimit(double(largest)));
}

int firstHead(const AttentionMaps& maps, int group, int layer) {
  const AttentionGroup& of = maps.groups()[std::size_t(group)];
  if (of.kind != observe::AttentionKind::Cross) return 0;
  int best = 0;
  float most = -1.0F;
  for (int head = 0; head < of.heads(layer); ++head) {
    const std::vector<float> values = maps.values({{group, layer, head}});
    float sum = 0.0F;
    for (int i = 0; i < std::min(of.rows, of.cols); ++i)
      sum += values[std::size_t(i * of.cols + i)];
    if (sum > most) {
      most = sum;
      best = head;
    }
  }
  return best;
}

}  // namespace

SmallMaps smallMaps(const AttentionMaps& maps, const AttentionMaps* minus) {
  const auto& groups = maps.groups();
  std::vector<HeatGroup> shown;
  for (int i = 0; i < int(groups.size()); ++i) {
    const AttentionGroup& group = groups[std::size_t(i)];
    const bool divided = std::ranges::count(groups, group.kind, &AttentionGroup::kind) > 1;
    HeatGroup one{AttentionWords::groupName(group, divided),
                  group.rows,
                  group.cols,
                  {},
                  maps.allProbabilities(i),
                  group.masked,
                  group.layerNumber(0),
                  std::max(group.most_rows, group.most_cols)};
    if (minus) subtract(one.values, minus->allProbabilities(i));
    for (int layer = 0; layer < int(group.layers.size()); ++layer)
      one.heads.push_back(group.heads(layer));
    shown.push_back(std::move(one));
  }
  const ColorScale scale = minus ? scaleOf(shown) : ColorScale::sequential();
  return {std::move(shown), scale};
}

HeatMap largeMap(const AttentionMaps& maps, const AttentionMaps* minus,
                 const AttentionChoice& choice) {
  const AttentionGroup& group = maps.group(choice.map);
  HeatMap map;
  map.rows = group.rows;
  map.cols = group.cols;
  map.most_rows = group.most_rows;
  map.most_cols = group.most_cols;
  map.values = maps.values(choice);
  if (minus) subtract(map.values, minus->values(choice));
  // The mask comes after the scaling: nothing is masked before it.
  if (choice.stage >= AttentionStage::Masked) map.masked = group.masked;
  map.row_labels = group.row_labels;
  map.col_labels = group.col_labels;
  map.row_title = AttentionWords::rowTitle(group.kind);
  map.col_title = AttentionWords::columnTitle(group.kind);
  map.name = AttentionWords::title(group, choice);
  if (minus) map.name += " · " + AttentionWords::difference(maps, *minus);
  if (minus || choice.stage != AttentionStage::Softmax)
    map.scale = ColorScale::signedTo(niceLimit(map));
  return map;
}

MapId firstMap(const AttentionMaps& maps) {
  const int group = int(maps.groups().size()) - 1;
  const int layer = int(maps.groups().back().layers.size()) - 1;
  return {group, layer, firstHead(maps, group, layer)};
}

}  // namespace tfm::ui
