// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tfm::ui {

/// One map of a grid. A layer or head of -1 stands for the mean over them.
struct MapId {
  int group = -1;
  int layer = -1;
  int head = -1;
  bool operator==(const MapId&) const = default;
};

/// Maps of the same shape and mask for every layer and head. Maps of another shape form another
/// group.
struct HeatGroup {
  QString name;  ///< e.g. "encoder self"
  int rows = 0;
  int cols = 0;
  std::vector<int> heads;            ///< number of heads in each layer
  std::vector<float> values;         ///< layer by layer, head by head, row by row
  std::vector<std::uint8_t> masked;  ///< empty, or rows * cols: the same for all maps
  int first_layer = 1;               ///< number of the first layer, for captions
  int most = 0;                      ///< rows or columns that room is left for, if more
};

/// The maps of a group with their means: over the heads of a layer, over the layers that have a
/// head, over all. Stored contiguously, so that a group is painted in one pass.
class MapStack {
 public:
  /// Throws (contract) unless the lengths fit.
  explicit MapStack(HeatGroup group);

  /// Sets values in the order of HeatGroup::values and recomputes the means.
  void setValues(std::span<const float> values);

  const QString& name() const { return name_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  /// The side of a square with room for all, in cells.
  int side() const { return std::max({rows_, cols_, most_}); }
  std::span<const std::uint8_t> masked() const { return masked_; }
  /// The number of a layer for captions.
  int layerNumber(int layer) const { return first_layer_ + layer; }
  int layers() const { return int(heads_.size()); }
  int heads(int layer) const { return heads_[layer]; }
  /// The number of heads of the layer with the most.
  int maxHeads() const { return most_heads_; }
  /// Whether the map exists; -1 stands for a mean.
  bool has(int layer, int head) const;

  /// rows * cols values of a map or mean.
  std::span<const float> map(int layer, int head) const;
  /// The index of a map in allMaps().
  int slot(int layer, int head) const;
  int slotCount() const { return int(all_.size() / cells()); }
  /// All means and maps, one after the other.
  std::span<const float> allMaps() const { return all_; }

 private:
  std::size_t cells() const { return std::size_t(rows_) * cols_; }
  float* at(int slot) { return all_.data() + slot * cells(); }

  QString name_;
  int rows_, cols_, most_, first_layer_;
  std::vector<int> heads_;
  std::vector<std::uint8_t> masked_;
  int most_heads_ = 0;
  std::vector<int> first_slot_;  ///< of each layer: its mean
  std::vector<float> all_;
};

}  // namespace tfm::ui
