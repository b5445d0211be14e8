// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <optional>
#include <vector>

#include "ui/growth/growth_marks.h"
#include "ui/heatmap/color_scale.h"
#include "ui/scene/colour_scale.h"
#include "ui/scene/growth_overlay.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/slab_layout.h"
#include "ui/scene/slab_scene.h"
#include "ui/style/style.h"

namespace tfm::ui {

/// A growth that is shown on a wall.
struct ShownGrowth {
  std::vector<MatrixSlab> after;
  GrowingWall wall;
  std::vector<MarkWords> marks;
  float room = 0;      ///< how far the slabs have moved apart
  float progress = 0;  ///< how far the cells have grown
};

/// The share of all values that lie within the automatic limit. On a projector, whose dark room
/// swallows pale colours, more of them have the full one.
constexpr double kProjector = 1.5;  // its scale, and that of those who see badly
inline double shareInside(const Style& style) { return style.scale() >= kProjector ? 0.9 : 0.99; }

/// What a MatrixWall keeps; shared by the files that implement it.
struct MatrixWall::Wall {
  std::vector<MatrixSlab> slabs;
  WallLayout layout;           ///< of what is shown
  float aspect = 1, text = 1;  ///< what the layout was made for
  SlabScene scene;
  std::vector<QSize> inside;  ///< columns and rows of each slab that do not fade; empty: all
  std::vector<SlabFrame> frames;
  std::vector<bool> unpaired;  ///< slabs with cells that have no partner; empty: none
  std::vector<bool> stale;     ///< drawn slabs whose colours are not those of their values
  double coloured_limit = 0;   ///< the limit of the colours there are
  std::optional<double> fixed_limit;
  std::optional<double> known_limit;  ///< the automatic one, while it holds
  std::optional<View> view =
      kHome;           ///< the saved camera looked through; none if the user turned it
  bool close = false;  ///< saved cameras let slabs stand beside the legend
  std::optional<int> focused;
  std::optional<CellRef> picked, hovered;
  QString title;
  std::optional<ShownGrowth> growth;
  QVariantAnimation make_room;

  explicit Wall(vtkRenderer& renderer) : scene(renderer) {}

  /// Whether the slabs shown are the grown ones.
  bool grown() const { return growth && growth->progress > 0; }
  const std::vector<MatrixSlab>& shown() const { return grown() ? growth->after : slabs; }
  /// Whether cells are on their way: none can be named.
  bool moving() const { return growth && growth->progress > 0 && growth->progress < 1; }

  double limit(double share) {
    if (fixed_limit) return *fixed_limit;
    if (!known_limit) {
      MagnitudeHistogram histogram;
      // One scale for the whole growth: colours change only where numbers do.
      for (const MatrixSlab& slab : growth ? growth->after : slabs) histogram.add(slab.values);
      known_limit = niceLimit(histogram.quantile(share));
    }
    return *known_limit;
  }

  /// Brings the stale slabs up to date.
  void recolour(const ColourScale& scale, const Palette& palette) {
    for (std::size_t i = 0; i < stale.size(); ++i)
      if (stale[i]) recolour(i, scale, palette);
    stale.assign(stale.size(), false);
  }

  void recolour(std::size_t i, const ColourScale& scale, const Palette& palette) {
    const int index = static_cast<int>(i);
    const auto kept = inside.empty() ? std::nullopt : std::optional(inside[i]);
    if (!growth) {
      const bool pairs = unpaired.empty() || !unpaired[i];
      const ColourScale& own = pairs ? scale : scale.withNoNumber(unpairedGround(palette));
      return scene.recolour(index, {slabs[i].values, own, palette, nullptr, kept});
    }
    const MatrixSlab& after = growth->after[i];
    const GrowingSlab& slab = growth->wall.slabs()[i];
    if (!hasNewValues(i, growth->progress) && slab.before() >= 0) {
      const auto values = slab.valuesBefore(slabs[static_cast<std::size_t>(slab.before())], after);
      return scene.recolour(index, {values, scale, palette, &slab});
    }
    scene.recolour(index, {after.values, scale, palette, &slab});
  }

  /// Whether the old cells of a slab show the numbers they have afterwards: one slab after the
  /// other changes, so that no frame has to wait for all of them.
  bool hasNewValues(std::size_t index, float progress) const {
    constexpr float kFirst = 0.6f, kLast = 0.8f;
    const auto share = static_cast<float>(index) / static_cast<float>(growth->after.size());
    return progress >= kFirst + (kLast - kFirst) * share;
  }
};

}  // namespace tfm::ui
