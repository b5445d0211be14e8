// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QSizeF>
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
  bool starts_row = false;
  bool below = false;  ///< the one before it, in the same column of a row
};

/// How large the words above a matrix are. Remembered: to measure them takes longer than to place
/// everything.
class WallWords {
 public:
  explicit WallWords(const Style& style) : style_(style) {}

  enum Line { Name, Place, Shape, kLines };

  QSizeF sizeOf(const GrownCells& cells) const;
  /// The text, or as much of it as fits into a width.
  QString fitted(Line line, const QString& text, const QFont& font, double width) const;
  /// What was measured in other letters.
  void forget();

 private:
  double widthOf(Line line, const QString& text, const QFont& font) const;

  const Style& style_;
  mutable QHash<QString, double> widths_[kLines];
};

/// Matrices in rows like words of a page, all at one pitch.
struct WallFlow {
  std::vector<WallItem> items;
  double pitch = 1.0;
  QSizeF size;  ///< of everything

  /// `shown` are the indices of the matrices, in order. Without a pitch one is chosen at which the
  /// largest matrix fits the width and all together take little more than `height`. `unit`: pixels
  /// at scale 1. `kept`: the same matrices at other sizes, whose pitch, rows and columns are kept
  /// even if they become too large.
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
