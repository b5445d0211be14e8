// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/live/training_loop.h"
#include "core/observe/catalog.h"
#include "ui/heatmap/map_stack.h"

namespace tfm::ui {

/// The stages of attention, in order: q k^T, divided by the square root of the key size, masked,
/// softmax.
enum class AttentionStage { Score, Scaled, Masked, Softmax };

/// Which map to show.
struct AttentionChoice {
  MapId map;
  AttentionStage stage = AttentionStage::Softmax;
  bool rollout = false;  ///< the rollout of the whole group instead of one map and stage
  bool operator==(const AttentionChoice&) const = default;
};

/// Attentions of one kind in layers one after the other: the same rows look at the same columns.
/// Where pooling changes the positions of a stack, its layers are several groups.
struct AttentionGroup {
  observe::AttentionKind kind;
  std::vector<observe::AttentionSite> layers;
  int rows = 0;
  int cols = 0;
  int most_rows = 0, most_cols = 0;    ///< of the longest answer to the same question so far
  QStringList row_labels, col_labels;  ///< empty if the input has no labels
  std::vector<std::uint8_t> masked;    ///< empty, or rows * cols: by the mask, or pads
  bool numbered = false;               ///< there are more layers of this kind, here or elsewhere

  /// The number of a layer in its stack, from 1.
  int layerNumber(int layer) const { return int(layers[std::size_t(layer)].layer) + 1; }
  int heads(int layer) const { return int(layers[std::size_t(layer)].shape.heads); }
  int maxHeads() const;
  /// Whether rows and columns are the same positions, so that layers can be multiplied.
  bool hasRollout() const { return kind != observe::AttentionKind::Cross && rows == cols; }
  /// The key size of a layer, or of all layers (-1); 0 where they differ.
  int keySize(int layer) const;
  bool hasCell(int row, int col) const { return row >= 0 && row < rows && col >= 0 && col < cols; }
  /// Whether the mask hides a cell, which is then no pad: it comes later, or before the window.
  bool isHidden(int row, int col) const { return layers.front().shape.hides(row, col); }
  bool isMasked(int row, int col) const {
    return !masked.empty() && masked[std::size_t(row) * std::size_t(cols) + std::size_t(col)] != 0;
  }
  /// Whether both have as many rows and columns, with the same cells masked, layer by layer.
  bool sameShape(const AttentionGroup& other) const;
  /// Whether rows and columns also mean the same in both.
  bool sameCells(const AttentionGroup& other) const;
  /// Whether the number of heads is also equal, so that they can be subtracted.
  bool comparable(const AttentionGroup& other) const;
};

/// The attention maps of one moment, read from a snapshot that it keeps alive.
class AttentionMaps {
 public:
  AttentionMaps() = default;
  /// Of the snapshot's question. Empty if the snapshot lacks a tensor of kWanted.
  explicit AttentionMaps(std::shared_ptr<const train::Snapshot> snapshot);
  /// Of one of the texts that it read, given as what was read of it; `text` is its number from 1.
  AttentionMaps(std::shared_ptr<const train::Snapshot> snapshot, const train::ProbeInput& probe,
                int text);

  /// The tensors needed, as a pattern for observe::selects().
  static const char* const kWanted;

  bool empty() const { return groups_.empty(); }
  const train::Snapshot& snapshot() const { return *snapshot_; }
  /// What was read.
  const train::ProbeInput& probe() const { return *probe_; }
  /// The number of the text among several; 0 if there is only one.
  int text() const { return text_; }
  std::int64_t step() const { return snapshot_->step; }
  const std::vector<AttentionGroup>& groups() const { return groups_; }
  const AttentionGroup& group(const MapId& id) const { return groups_[std::size_t(id.group)]; }
  bool has(const MapId& id) const;
  /// Leaves as much room as these maps, of an earlier step, had or left, if they are of the same
  /// question: while a model learns, its answers have other lengths.
  void leaveRoomLike(const AttentionMaps& earlier);
  /// The same map as identified among the small maps: a mean over one thing is the thing itself.
  MapId shownAs(const MapId& id) const;
  /// Whether only values differ.
  bool sameLayout(const AttentionMaps& other) const;
  /// The groups whose cells mean the same in `other`, with the heads that both have: new heads come
  /// after the old ones. Means are over those heads.
  AttentionMaps sharedWith(const AttentionMaps& other) const;

  /// The groups that have the same shape in `other`, a text read by the same model. Rows and
  /// columns that stand for other tokens there have both labels, those of the minuend first.
  AttentionMaps comparedWith(const AttentionMaps& other, bool is_minuend) const;

  /// The rows * cols values of a map, a mean (-1) or a rollout. Masked cells are 0.
  std::vector<float> values(const AttentionChoice& choice) const;
  /// The softmax of all heads in the order of HeatGroup::values.
  std::vector<float> allProbabilities(int group) const;
  /// One of a site's tensors: "query", "scores" and so on.
  const observe::Observed& tensor(const observe::AttentionSite& site, const char* name) const;

 private:
  std::vector<float> headValues(const AttentionGroup& group, int layer, int head,
                                AttentionStage stage) const;
  std::vector<float> rollout(const AttentionGroup& group) const;

  std::shared_ptr<const train::Snapshot> snapshot_;
  const train::ProbeInput* probe_ = nullptr;         ///< of the snapshot
  const observe::Observations* observed_ = nullptr;  ///< of that text
  int text_ = 0;
  std::vector<AttentionGroup> groups_;
};

}  // namespace tfm::ui
