// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/map_stack.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"

namespace tfm::ui {

MapStack::MapStack(HeatGroup group)
    : name_(std::move(group.name)),
      rows_(group.rows),
      cols_(group.cols),
      most_(group.most),
      first_layer_(group.first_layer),
      heads_(std::move(group.heads)),
      masked_(std::move(group.masked)) {
  check(rows_ > 0 && cols_ > 0, "the maps of a group have cells");
  check(!heads_.empty() && *std::min_element(heads_.begin(), heads_.end()) > 0,
        "a group has layers with heads");
  check(masked_.empty() || masked_.size() == cells(), "a group's mask has one flag per cell");
  most_heads_ = *std::max_element(heads_.begin(), heads_.end());
  int next = 1 + most_heads_;  // the mean over all, then the mean of each head
  for (const int heads : heads_) {
    first_slot_.push_back(next);
    next += 1 + heads;
  }
  all_.resize(next * cells());
  setValues(group.values);
}

bool MapStack::has(int layer, int head) const {
  if (layer < -1 || layer >= layers() || head < -1) return false;
  return head < (layer < 0 ? most_heads_ : heads_[layer]);
}

int MapStack::slot(int layer, int head) const {
  check(has(layer, head), "the group has the map");
  return (layer < 0 ? 0 : first_slot_[layer]) + 1 + head;
}

std::span<const float> MapStack::map(int layer, int head) const {
  return allMaps().subspan(slot(layer, head) * cells(), cells());
}

void MapStack::setValues(std::span<const float> values) {
  const int maps = std::accumulate(heads_.begin(), heads_.end(), 0);
  check(values.size() == maps * cells(), "a group has one value per cell of every map");
  std::fill(all_.begin(), all_.end(), 0.0F);
  std::vector<int> layers_with(most_heads_, 0);
  const float* from = values.data();
  const auto add = [&](int slot) {
    float* sum = at(slot);
    for (std::size_t i = 0; i < cells(); ++i) sum[i] += from[i];
  };
  const auto divide = [&](int slot, int count) {
    float* sum = at(slot);
    for (std::size_t i = 0; i < cells(); ++i) sum[i] /= float(count);
  };
  for (int layer = 0; layer < layers(); ++layer) {
    for (int head = 0; head < heads_[layer]; ++head, from += cells()) {
      ++layers_with[head];
      for (const int slot : {this->slot(layer, head), this->slot(layer, -1), this->slot(-1, head),
                             this->slot(-1, -1)})
        add(slot);
    }
    divide(slot(layer, -1), heads_[layer]);
  }
  for (int head = 0; head < most_heads_; ++head) divide(slot(-1, head), layers_with[head]);
  divide(slot(-1, -1), maps);
}

}  // namespace tfm::ui
