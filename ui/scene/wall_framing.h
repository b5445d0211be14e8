// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>

#include "ui/scene/camera.h"
#include "ui/scene/slab_layout.h"

namespace tfm::ui {

class Style;

/// The saved cameras of a wall.
enum class WallView { Front, Iso, Top };

/// What a wall is laid out for: see layOut().
struct WallShape {
  float aspect = 1, text = 1, letters = 1;
  bool shapes = true;
  bool operator==(const WallShape&) const = default;
};

/// Whether the style is scaled for viewing from a distance, as on a projector, or for poor
/// eyesight.
bool isProjected(const Style& style);

/// Whether each slab has its shape under its name. Many slabs on a projector do not: shapes would
/// cover others.
bool showsShapes(const Style& style, std::size_t slabs);

/// How a wall of matrices is fitted into a widget, beside its scale of colours and below its names.
struct WallFraming {
  const Style& style;
  QSizeF size;  ///< of the widget
  bool legend;  ///< marks are explained beside the scale, which is then below the wall
  bool close;   ///< slabs may stand beside the scale as long as none comes to lie under it

  /// The sides of the wall and the size of its labels. In steps of a quarter: a window's edge that
  /// is dragged does not rebuild the wall at every pixel.
  WallShape shapeFor(std::size_t slabs) const;
  /// The nearest camera that shows all of a wall laid out for that shape.
  Camera camera(WallView view, const WallLayout& wall, const WallShape& shape) const;

 private:
  QMarginsF margins(const WallShape& shape) const;
  bool coversScale(const Camera& camera, const WallLayout& wall) const;
};

}  // namespace tfm::ui
