// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <vector>

#include "ui/growth/grown_cells.h"

namespace tfm::ui {

class Style;

/// Where a matrix of the wall stands.
struct WallItem {
  int matrix = 0;  ///< index in the list that the wall was given
  QRectF frame;    ///< with its words
  QRectF words;
  QPointF origin;  ///< of the cells
};

/// Matrices in rows like words of a page, all at one pitch.
struct WallFlow {
  std::vector<WallItem> items;
  double pitch = 1.0;
  QSizeF size;  ///< of everything

  /// `shown` are the indices of the matrices, in order. Without a pitch one is chosen at which the
  /// largest matrix fits the width and all together take little more than `height`.
  static WallFlow of(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                     double width, double height, std::optional<double> pitch, const Style& style);
};

QFont wallNameFont(const Style& style);
QFont wallPlaceFont(const Style& style);
QFont wallShapeFont(const Style& style);
/// "8 × 5 → 8 × 9", and the numbers of parameters.
QString wallShapeText(const GrownCells& cells);

}  // namespace tfm::ui
