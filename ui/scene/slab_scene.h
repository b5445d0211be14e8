// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <memory>
#include <optional>
#include <span>

#include "ui/heatmap/color_scale.h"
#include "ui/scene/growing_wall.h"

class vtkRenderer;

namespace tfm::ui {

/// What a slab's texture is made from.
struct SlabPaint {
  std::span<const float> values;  ///< as many as the slab's texture has cells
  const ColorTable& colors;       ///< in OpenGL's byte order
  const Palette& palette;
  const GrowingSlab* growth = nullptr;  ///< null: without marks
  std::optional<QSize> inside{};        ///< columns and rows that do not fade; none: all
};

/// The slabs as VTK actors: a textured front for each, and one mesh for all bodies behind the
/// fronts.
class SlabScene {
 public:
  /// The renderer must outlive this.
  explicit SlabScene(vtkRenderer& renderer);
  ~SlabScene();

  /// Replaces all slabs; each has no colour until recolour().
  void build(std::span<const SlabFace> faces, const Palette& palette);
  /// Moves the slabs: the same blocks at other places, new ones with `opacity`.
  void move(std::span<const SlabFace> faces, float opacity);
  /// Colours one slab by its values.
  void recolour(int index, const SlabPaint& paint);
  /// Sets the colours of background and bodies, and of the lines from the next recolour() on.
  void setPalette(const Palette& palette);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tfm::ui
