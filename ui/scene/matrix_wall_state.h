// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/scene/colour_scale.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/slab_layout.h"
#include "ui/scene/slab_scene.h"

namespace tfm::ui {

/// What a MatrixWall keeps; shared by the files that implement it.
struct MatrixWall::Wall {
  std::vector<MatrixSlab> slabs;
  WallLayout layout;
  float aspect = 1, text = 1;  ///< what the layout was made for
  SlabScene scene;
  std::vector<bool> stale;    ///< slabs whose colours are not those of their values
  double coloured_limit = 0;  ///< the limit of the colours there are
  std::optional<double> fixed_limit;
  std::optional<double> known_limit;  ///< the automatic one, while it holds
  std::optional<View> view =
      View::Iso;  ///< the saved camera looked through; none if the user turned it
  std::optional<int> focused;
  std::optional<CellRef> picked, hovered;
  QString title;

  explicit Wall(vtkRenderer& renderer) : scene(renderer) {}

  double limit() {
    if (fixed_limit) return *fixed_limit;
    if (!known_limit) {
      constexpr double kShare = 0.99;
      MagnitudeHistogram histogram;
      for (const MatrixSlab& slab : slabs) histogram.add(slab.values);
      known_limit = niceLimit(histogram.quantile(kShare));
    }
    return *known_limit;
  }

  /// Brings the stale slabs up to date.
  void recolour(const ColourScale& scale) {
    for (std::size_t i = 0; i < slabs.size(); ++i)
      if (stale[i]) scene.recolour(static_cast<int>(i), slabs[i], scale);
    stale.assign(slabs.size(), false);
  }
};

}  // namespace tfm::ui
