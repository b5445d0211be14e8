// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "ui/scene/growing_slab.h"
#include "ui/scene/slab_texture.h"

namespace tfm::ui {

/// Draws the marks of a growing slab over its texture in OpenGL's byte order, once over each block.
/// `values` are those of the texture: a block that should be zero but is not is framed.
void paintMarks(const GrowingSlab& slab, std::span<const float> values, const TextureGrid& grid,
                const Palette& palette, std::span<QRgb> pixels);

}  // namespace tfm::ui
