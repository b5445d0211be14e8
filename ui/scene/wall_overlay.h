// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <optional>
#include <span>

#include "ui/heatmap/color_scale.h"
#include "ui/scene/camera.h"
#include "ui/scene/growth_overlay.h"
#include "ui/scene/matrix_slab.h"
#include "ui/scene/slab_layout.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// Everything drawn over the slabs, from one point of view.
struct WallPicture {
  std::span<const MatrixSlab> slabs;
  const WallLayout& layout;
  const Camera& camera;
  QSizeF size;
  const Palette& palette;
  const Style& style;
  ColorScale scale;
  std::optional<double> inside_share = 0.99;  ///< of the values; none: the limit is fixed
  std::optional<int> focused;
  std::optional<CellRef> picked;
  std::optional<CellRef> hovered;
  std::span<const SlabFrame> frames{};
  std::span<const Ghost> ghosts{};
  std::span<const MatrixSlab> grown{};  ///< what the ghosts become
  std::span<const FreshBlock> fresh{};  ///< outlined
  std::span<const GrowthMark> marks{};  ///< empty: no legend
};

/// Draws names, captions, braces, the framed cells and the scale bar with vector operations, into
/// (0, 0, size). What would overlap is left out; the focused slab has priority, then captions,
/// matrices by size, vectors.
void paintWallOverlay(QPainter& painter, const WallPicture& picture);

}  // namespace tfm::ui
