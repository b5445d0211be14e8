// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <QVector3D>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "ui/scene/camera.h"
#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

/// The place of a matrix: upright, its front towards +z, row 0 at the top. A cell of a matrix is
/// one unit high and wide; a vector's cells are stretched so that it is visible beside a large
/// matrix.
struct SlabPlace {
  QVector3D corner;  ///< of row 0, column 0, on the front
  float width = 0;
  float height = 0;
  float depth = 0;  ///< thickness behind the front
  int rows = 0;
  int cols = 0;
  int groups = 1;        ///< as in MatrixSlab
  int attached_to = -1;  ///< the index of a vector's matrix
  QVector3D label;       ///< top centre of the text below it

  int fullCols() const { return cols * groups; }
  int firstCol(int row) const { return row / (rows / groups) * cols; }
  /// The point `row` cells below and `col` cells to the right of the corner, in the full matrix.
  QVector3D point(float row, float col) const;
  /// Top left, top right, bottom right, bottom left.
  std::array<QVector3D, 4> frontCorners() const;
};

/// The box around the slabs of a block, with its caption at the top.
struct GroupPlace {
  QString title;
  QVector3D corner;  ///< upper left
  float width = 0, height = 0;
  bool leads = false;                   ///< the next block takes over its states
  std::optional<std::size_t> memory{};  ///< as in PlanBlock, of the groups
};

struct WallLayout {
  std::vector<SlabPlace> slabs;
  std::vector<GroupPlace> groups;
  float lane = 0;                  ///< x of arrows between rows, as in ModelPlan
  float row_gap = 0;               ///< between the boxes of two rows
  std::vector<QVector3D> outline;  ///< corners of slabs and boxes that a camera must show
};

/// Places the matrices as in layOutPlan(), each row lower and nearer to the viewer, so that none
/// hides another from the front or above. The wall fills `aspect` (width / height) as well as
/// possible. `text` is the height of the labels relative to the wall's, `letters` the same across,
/// 1 on a desktop; `shapes`: under each name is room for the shape.
WallLayout layOut(std::span<const MatrixSlab> slabs, float aspect, float text = 1,
                  float letters = 1, bool shapes = true);

/// The first cell of `slabs` that `ray` hits from the front.
std::optional<CellRef> cellOn(const Ray& ray, std::span<const SlabPlace> slabs);

}  // namespace tfm::ui
