// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

/// A matrix and the vectors that belong to it, as one rectangle. Lengths are in cells.
struct SlabPiece {
  struct Part {
    int slab;
    float x, y;  ///< of the lower left corner, from that of the piece
    float width, height;
    int attached_to;  ///< the matrix of a vector, -1 for the matrix itself
  };
  std::vector<Part> parts;
  float width = 0, height = 0;
};

/// Joins vectors directly after a matrix of the same block that fit one of its sides, its biases,
/// to the matrix: a row below it, a column on its right. Gain and shift of a norm are joined too.
/// Everything else is a piece of its own.
std::vector<SlabPiece> pieceTogether(std::span<const MatrixSlab> slabs);

}  // namespace tfm::ui
