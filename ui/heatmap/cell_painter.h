// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ui/forward.h"
#include "ui/heatmap/cell_places.h"
#include "ui/heatmap/color_scale.h"

namespace tfm::ui {

/// How cells are drawn.
enum class CellDetail {
  Screen,  ///< shapes if they are few and separated, else an image
  Shapes,  ///< for vector files
  Image    ///< one pixel per cell
};
/// For export: shapes, unless there are too many for a viewer.
CellDetail paperDetail(std::size_t cells);

/// The values and colours of a matrix's cells.
struct CellValues {
  std::span<const float> values;         ///< row by row
  std::span<const std::uint8_t> masked;  ///< empty, or 1 where there is no value
  const ColorTable& colors;
  double radius = 0.0;   ///< of the cells' corners
  bool averaged = true;  ///< average cells that share a pixel; else show one of them
};

/// Paints the cells in the colours of their values; masked ones are left out if drawn as shapes.
void paintCells(QPainter& painter, const CellPlaces& places, const CellValues& cells,
                CellDetail detail);

}  // namespace tfm::ui
