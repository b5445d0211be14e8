// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QSizeF>
#include <vector>

#include "ui/growth/grown_cells.h"

namespace tfm::ui {

class Style;

/// Where something stands among others that flow in rows.
struct FlowPlace {
  QRectF frame;
  bool starts_row = false;
  bool below = false;  ///< the one before it, in the same column of a row
};

/// Where a matrix of the wall stands.
struct WallItem {
  int matrix = 0;   ///< index in the list that the wall was given
  FlowPlace place;  ///< in its block
  QRectF frame;     ///< with its words
  QRectF words;
  QPointF origin;  ///< of the cells
};

/// The matrices of one part of the model, e.g. of a layer's self-attention.
struct WallBlock {
  QString title;
  FlowPlace place;
  QRectF words;                                           ///< where the title stands
  std::vector<WallItem>::size_type first = 0, count = 0;  ///< of the items
};

/// How large the words above a matrix and a block are. Remembered: to measure them takes longer
/// than to place everything.
class WallWords {
 public:
  explicit WallWords(const Style& style) : style_(style) {}

  enum Line { Name, Place, Shape, kLines };

  /// At least: the numbers of parameters are left out where they find no room.
  QSizeF sizeOf(const GrownCells& cells) const;
  QSizeF sizeOfTitle(const QString& title) const;
  /// The text, or as much of it as fits into a width.
  QString fitted(Line line, const QString& text, const QFont& font, double width) const;
  /// What was measured in other letters.
  void forget();

 private:
  double widthOf(Line line, const QString& text, const QFont& font) const;

  const Style& style_;
  mutable QHash<QString, double> widths_[kLines];
};

/// The order in which matrices, given as indices in model order, are read on the wall: block by
/// block, in each its vectors after its matrices.
std::vector<int> readingOrder(const std::vector<GrownCells>& matrices, std::vector<int> shown);

/// Blocks in rows like words of a page, and in each its matrices in the same way, all at one pitch.
struct WallFlow {
  std::vector<WallBlock> blocks;
  std::vector<WallItem> items;  ///< block after block
  double pitch = 1.0;
  QSizeF size;  ///< of everything

  /// `shown` are the indices of the matrices in readingOrder(). Without a pitch one is chosen at
  /// which the largest matrix fits the width and all together take little more than `height`.
  /// `unit`: pixels at scale 1. `kept`: the same matrices at other sizes, whose pitch, rows and
  /// columns are kept even if they become too large.
  static WallFlow of(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                     double width, double height, std::optional<double> pitch,
                     const WallWords& words, double unit, const WallFlow* kept = nullptr);
};

QFont wallNameFont(const Style& style);
QFont wallPlaceFont(const Style& style);
QFont wallShapeFont(const Style& style);
/// "8 × 5 → 8 × 9", and the numbers of parameters.
QString wallShapeText(const GrownCells& cells);

}  // namespace tfm::ui
