// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ui/heatmap/cell_places.h"
#include "ui/heatmap/color_scale.h"

class QPainter;

namespace tfm::ui {

/// How cells become a picture.
enum class CellDetail {
  Screen,  ///< shapes where they are few and apart, else an image
  Shapes,  ///< for vector files
  Image    ///< one pixel per cell
};
/// For paper: shapes, unless they are so many that no reader would open the drawing.
CellDetail paperDetail(std::size_t cells);

/// What the cells of a matrix are painted from.
struct CellValues {
  std::span<const float> values;         ///< row by row
  std::span<const std::uint8_t> masked;  ///< empty, or 1 where there is no value
  const ColorTable& colors;
  double radius = 0.0;   ///< of the cells' corners
  bool averaged = true;  ///< where many share a pixel; else one of them is shown
};

/// The cells in the colours of their values, without the masked ones where they are shapes.
void paintCells(QPainter& painter, const CellPlaces& places, const CellValues& cells,
                CellDetail detail);

}  // namespace tfm::ui
