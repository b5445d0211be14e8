// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QSize>
#include <QString>
#include <optional>
#include <span>
#include <vector>

#include "core/expand/grown_matrix.h"
#include "ui/growth/growth_legend.h"
#include "ui/heatmap/color_scale.h"
#include "ui/scene/growing_wall.h"
#include "ui/scene/growth_overlay.h"
#include "ui/scene/matrix_slab.h"
#include "ui/scene/slab_scene.h"
#include "ui/scene/wall_framing.h"

namespace tfm::ui {

/// The contents of a wall: slabs, or how they grow, with their layout, colours and marks. See
/// MatrixWall, which adds camera, pointer and keys. Setters return whether something has changed.
class WallContents {
  Q_DECLARE_TR_FUNCTIONS(WallContents)

 public:
  /// The renderer must outlive this.
  explicit WallContents(vtkRenderer& renderer) : scene_(renderer) {}

  /// Ends a growth. Returns whether the slabs have other names or shapes than the shown ones; then
  /// what is inside, unpaired and framed is reset.
  bool setSlabs(std::vector<MatrixSlab> slabs);
  const std::vector<MatrixSlab>& slabs() const { return slabs_; }
  /// The grown slabs once the growth has begun.
  const std::vector<MatrixSlab>& shown() const { return grown() ? growth_->after : slabs_; }
  void setValues(int index, SharedNumbers values);
  bool setInside(std::vector<QSize> inside);
  bool setUnpaired(std::vector<bool> unpaired);
  bool isUnpaired(const CellRef& cell) const;
  bool setFrames(std::vector<SlabFrame> frames);
  const std::vector<SlabFrame>& frames() const { return frames_; }

  /// Starts at progress 0; slabs that have made room keep it.
  void setGrowth(std::vector<MatrixSlab> after, std::span<const expand::GrownMatrix> growth);
  void clearGrowth();
  bool showsGrowth() const { return growth_.has_value(); }
  std::span<const MatrixSlab> grownSlabs() const;
  /// How far the slabs have moved apart and how far the cells have grown, in [0, 1].
  float room() const { return growth_ ? growth_->room : 0; }
  void setRoom(float room);
  float progress() const { return growth_ ? growth_->progress : 0; }
  void setProgress(float progress);
  /// Whether the slabs shown are the grown ones.
  bool grown() const { return progress() > 0; }
  /// Whether cells are moving, so that none can be identified.
  bool moving() const { return progress() > 0 && progress() < 1; }

  /// Builds the scene, without colours until recolour().
  void layOut(const WallShape& shape, const Palette& palette);
  const WallLayout& layout() const { return layout_; }

  bool setFixedLimit(std::optional<double> limit);
  bool hasFixedLimit() const { return fixed_limit_.has_value(); }
  /// `share`: of all values within the automatic limit.
  ColorScale scale(double share);
  /// The automatic limit is computed anew.
  void forgetLimit() { known_limit_.reset(); }
  /// Colours of background and bodies; all slabs are recoloured.
  void setPalette(const Palette& palette);
  /// Updates the slabs whose colours are out of date.
  void recolour(const ColorScale& scale, const Palette& palette);

  /// Whether the marks of a growth or of unpaired cells have a legend.
  bool hasLegend() const { return growth_ || !unpaired_.empty(); }
  std::vector<GrowthMark> marks() const;
  /// The outlines of what will grow; empty once it grows.
  std::vector<Ghost> ghosts() const;
  /// The new parts of a complete growth.
  std::vector<FreshBlock> fresh() const;
  QString describe(const CellRef& cell) const;

 private:
  struct Growth {
    std::vector<MatrixSlab> after;
    GrowingWall wall;
    std::vector<GrowthMark> marks;
    float room = 0, progress = 0;
  };

  void place();
  void forgetColours() { stale_.assign(stale_.size(), true); }
  void recolour(std::size_t i, const ColorTable& colors, const Palette& palette);
  bool hasNewValues(std::size_t index, float progress) const;

  std::vector<MatrixSlab> slabs_;
  WallLayout layout_;  ///< of what is shown
  SlabScene scene_;
  std::vector<QSize> inside_;  ///< columns and rows of each slab that do not fade; empty: all
  std::vector<SlabFrame> frames_;
  std::vector<bool> unpaired_;  ///< slabs with cells without a counterpart; empty: none
  std::vector<bool> stale_;     ///< slabs whose colours are out of date
  ColorScale coloured_;         ///< the scale of the current colours
  std::optional<double> fixed_limit_;
  std::optional<double> known_limit_;  ///< the automatic limit, while valid
  std::optional<Growth> growth_;
};

}  // namespace tfm::ui
