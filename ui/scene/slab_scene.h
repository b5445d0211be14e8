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

/// What a slab's picture is made from.
struct SlabPaint {
  std::span<const float> values;  ///< as many as the slab's texture has cells
  const ColorTable& colors;       ///< in OpenGL's byte order
  const Palette& palette;
  const GrowingSlab* growth = nullptr;  ///< null: without marks
  std::optional<QSize> inside{};        ///< columns and rows that do not fade; none: all
};

/// The slabs as VTK draws them: a textured front each, and one mesh for all bodies behind
/// the fronts.
class SlabScene {
 public:
  /// The renderer has to live longer.
  explicit SlabScene(vtkRenderer& renderer);
  ~SlabScene();

  /// Takes away all slabs and puts up these; each is without colour until it is recoloured.
  void build(std::span<const SlabFace> faces, const Palette& palette);
  /// Moves the slabs that were built: the same blocks at other places, new ones as visible as
  /// `opacity` says.
  void move(std::span<const SlabFace> faces, float opacity);
  /// Colours one slab by its values.
  void recolour(int index, const SlabPaint& paint);
  /// The colours of the ground and the bodies, and of the lines from the next recolouring on.
  void setPalette(const Palette& palette);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tfm::ui
