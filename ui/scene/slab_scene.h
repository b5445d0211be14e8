// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "ui/scene/colour_scale.h"
#include "ui/scene/slab_layout.h"

class vtkRenderer;

namespace tfm::ui {

/// The slabs as VTK draws them: a textured quad each, and one mesh for all bodies behind the quads.
class SlabScene {
 public:
  /// The renderer has to live longer.
  explicit SlabScene(vtkRenderer& renderer);
  ~SlabScene();

  /// Takes away all slabs and puts up these; each is without colour until it is recoloured.
  void build(std::span<const SlabPlace> places, const Palette& palette);
  /// Colours one slab by its values.
  void recolour(int index, const MatrixSlab& slab, const ColourScale& scale);
  /// The colours of the ground and the bodies, and of the lines from the next recolouring on.
  void setPalette(const Palette& palette);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tfm::ui
