// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QSizeF>
#include <vector>

#include "ui/growth/grown_cells.h"

namespace tfm::ui {

class Style;

/// The place of an element in a flow layout.
struct FlowPlace {
  QRectF frame;
  bool starts_row = false;
  bool below = false;  ///< below the previous one, in the same column of a row
};

/// The place of a matrix on the wall.
struct WallItem {
  int matrix = 0;   ///< index in the list given to the wall
  FlowPlace place;  ///< in its block
  QRectF frame;     ///< including its texts
  QRectF words;
  QPointF origin;  ///< of the cells
};

/// The matrices of one part of the model, e.g. of a layer's self-attention.
struct WallBlock {
  QString title;
  FlowPlace place;
  QRectF words;                                           ///< of the title
  std::vector<WallItem>::size_type first = 0, count = 0;  ///< of the items
};

/// Measures the texts above matrices and blocks, with a cache: measuring takes longer than the
/// layout.
class WallWords {
 public:
  explicit WallWords(const Style& style) : style_(style) {}

  enum Line { Name, Place, Shape, kLines };

  /// The minimum; parameter counts are left out if there is no room for them.
  QSizeF sizeOf(const GrownCells& cells) const;
  QSizeF sizeOfTitle(const QString& title) const;
  /// The text, elided to a width.
  QString fitted(Line line, const QString& text, const QFont& font, double width) const;
  /// Clears the cache after a font change.
  void forget();

 private:
  double widthOf(Line line, const QString& text, const QFont& font) const;

  const Style& style_;
  mutable QHash<QString, double> widths_[kLines];
};

/// The reading order on the wall of matrices given as indices in model order: block by block,
/// matrices before vectors.
std::vector<int> readingOrder(const std::vector<GrownCells>& matrices, std::vector<int> shown);

/// A flow layout of blocks in rows, and of matrices in each block, all at one pitch.
struct WallFlow {
  std::vector<WallBlock> blocks;
  std::vector<WallItem> items;  ///< block after block
  double pitch = 1.0;
  QSizeF size;  ///< of everything

  /// `shown` are the indices of the matrices in readingOrder(). Without a pitch, one is chosen so
  /// that the largest matrix fits the width and all take little more than `height`. `unit`: pixels
  /// at scale 1. `kept`: the same matrices at other sizes, whose pitch, rows and columns are kept
  /// even if they become too large.
  static WallFlow of(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                     double width, double height, std::optional<double> pitch,
                     const WallWords& words, double unit, const WallFlow* kept = nullptr);
};

QFont wallNameFont(const Style& style);
QFont wallPlaceFont(const Style& style);
QFont wallShapeFont(const Style& style);
/// "8 × 5 → 8 × 9", and the parameter counts.
QString wallShapeText(const GrownCells& cells);

}  // namespace tfm::ui
