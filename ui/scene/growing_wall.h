// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector3D>
#include <array>
#include <utility>
#include <vector>

#include "ui/scene/growing_slab.h"
#include "ui/scene/slab_layout.h"

namespace tfm::ui {

/// A part of a slab's texture and its place.
struct SlabBlock {
  int row = 0, col = 0, rows = 0, cols = 0;
  bool fresh = false;  ///< new, and fades in
  std::array<QVector3D, 4> corners{};
};

/// A slab to draw: the blocks of its front, and the body behind them.
struct SlabFace {
  int rows = 0, cols = 0;  ///< of the texture
  std::vector<SlabBlock> blocks;
  QVector3D corner;  ///< of the body: top left of the front
  float width = 0, height = 0, depth = 0;
};

/// The slab as a single block.
SlabFace faceOf(const SlabPlace& place);

/// The outline a slab will fill, before it grows.
struct Ghost {
  int before = -1;  ///< the slab that grows; -1: a new one
  int after = 0;
  std::array<QVector3D, 4> corners{};
  std::vector<std::pair<QVector3D, QVector3D>> cuts{};  ///< where the slab will split
};

/// The wall between one layout and the next. `room` is how far the slabs have moved apart,
/// `progress` how far the cells have grown; both in [0, 1].
class GrowingWall {
 public:
  GrowingWall() = default;
  /// Spans are read only in the constructor; `slabs` are matchGrowth() of the two walls.
  GrowingWall(const WallLayout& from, const WallLayout& to, std::vector<GrowingSlab> slabs);

  const std::vector<GrowingSlab>& slabs() const { return slabs_; }
  /// The opacity of new cells and how far old ones have slid, as on the flat wall.
  static float appearance(float progress);
  static float slide(float progress);

  /// The grown slabs; old blocks slide apart, new ones come in from the front.
  std::vector<SlabFace> faces(float room, float progress) const;
  /// The layout before growth, with the old slabs inside the places they will fill.
  WallLayout before(float room) const;
  /// The outlines of slabs that are new or change their shape.
  std::vector<Ghost> ghosts(float room) const;
  /// The layout of the grown slabs, to scale at progress 1.
  WallLayout after(float room) const;

 private:
  SlabFace face(std::size_t index, float room, float progress, float lift) const;
  QVector3D moved(std::size_t index, float room) const;

  WallLayout from_, to_;
  std::vector<GrowingSlab> slabs_;
};

}  // namespace tfm::ui
