// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_pieces.h"

#include <algorithm>

namespace tfm::ui {
namespace {

constexpr float kVectorShare = 1.f / 32;  // of its length: the least thickness of a vector
constexpr float kVectorGap = 0.5f;        // of its thickness: between a matrix and its vector

SlabPiece::Part alone(int index, const MatrixSlab& slab) {
  auto width = float(slab.fullCols()), height = float(slab.rows);
  if (slab.fullCols() == 1) width = std::max(width, height * kVectorShare);
  if (slab.rows == 1) height = std::max(height, width * kVectorShare);
  return {index, 0, 0, width, height, -1};
}

void putUnder(SlabPiece& piece, SlabPiece::Part vector) {
  const float lift = vector.height * (1 + kVectorGap);
  for (SlabPiece::Part& part : piece.parts) part.y += lift;
  piece.height += lift;
  piece.parts.push_back(vector);
}

void putBeside(SlabPiece& piece, SlabPiece::Part vector) {
  vector.x = piece.width + vector.width * kVectorGap;
  vector.y = piece.parts.front().y;
  piece.width = vector.x + vector.width;
  piece.parts.push_back(vector);
}

}  // namespace

std::vector<SlabPiece> pieceTogether(std::span<const MatrixSlab> slabs) {
  std::vector<SlabPiece> pieces;
  int owner = -1;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    const MatrixSlab& slab = slabs[i];
    if (i > 0 && (slabs[i - 1].group != slab.group || slabs[i - 1].site != slab.site)) owner = -1;
    SlabPiece::Part part = alone(int(i), slab);
    part.attached_to = slab.isVector() && !slab.alone ? owner : -1;
    const MatrixSlab* matrix = part.attached_to < 0 ? nullptr : &slabs[std::size_t(owner)];
    if (matrix && slab.rows == 1 && slab.cols == matrix->fullCols()) {
      putUnder(pieces.back(), part);
    } else if (matrix && slab.cols == 1 && slab.rows == matrix->rows) {
      putBeside(pieces.back(), part);
    } else {
      part.attached_to = -1;
      pieces.push_back({{part}, part.width, part.height});
      owner = int(i);
    }
  }
  return pieces;
}

}  // namespace tfm::ui
