// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector3D>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "ui/scene/growing_slab.h"
#include "ui/scene/slab_layout.h"

namespace tfm::ui {

/// A part of a slab's texture and where it stands.
struct SlabBlock {
  int row = 0, col = 0, rows = 0, cols = 0;
  bool fresh = false;  ///< new, and fades in
  std::array<QVector3D, 4> corners{};
};

/// A slab as it is drawn: the blocks of its front, and the body behind them.
struct SlabFace {
  int rows = 0, cols = 0;  ///< of the texture
  std::vector<SlabBlock> blocks;
  QVector3D corner;  ///< of the body: top left of the front
  float width = 0, height = 0, depth = 0;
};

/// The slab in one piece.
SlabFace faceOf(const SlabPlace& place);

/// What a slab will fill, as long as nothing has grown.
struct Ghost {
  int before = -1;  ///< the slab that grows; -1: a new one
  int after = 0;
  std::array<QVector3D, 4> corners{};
  std::vector<std::pair<QVector3D, QVector3D>> cuts{};  ///< where the slab will move apart
};

/// The wall on its way from one layout to the next. `room` is how far the slabs have moved apart,
/// `progress` how far the cells have grown; both in [0, 1].
class GrowingWall {
 public:
  GrowingWall() = default;
  /// Spans are read only in the constructor; `slabs` are matchGrowth() of the two walls.
  GrowingWall(const WallLayout& from, const WallLayout& to, std::vector<GrowingSlab> slabs);

  const std::vector<GrowingSlab>& slabs() const { return slabs_; }
  /// How visible new cells are.
  static float appearance(float progress);
  /// How far old cells have slid.
  static float slide(float progress);

  /// Grown slabs; old blocks slide apart inside, new ones come down from the front.
  std::vector<SlabFace> faces(float room, float progress) const;
  /// Where the slabs before stand while nothing has grown, inside the places they will fill.
  WallLayout before(float room) const;
  /// Of the slabs that change their shape or are new.
  std::vector<Ghost> ghosts(float room) const;
  /// Where the grown slabs stand, to scale at progress 1.
  WallLayout after(float room) const;

 private:
  SlabFace face(std::size_t index, float room, float progress, float lift) const;
  QVector3D moved(std::size_t index, float room) const;

  WallLayout from_, to_;
  std::vector<GrowingSlab> slabs_;
};

}  // namespace tfm::ui
