// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QSizeF>
#include <vector>

#include "ui/growth/grown_cells.h"
#include "ui/growth/model_plan.h"

namespace tfm::ui {

class Style;

/// A matrix on the wall, in the frame of its piece of the plan.
struct WallItem {
  int matrix = 0;  ///< index in the list given to the wall
  QRectF words;
  QPointF origin;  ///< of the cells
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

/// The reading order on the wall of matrices given as indices in execution order: block by block,
/// matrices before vectors.
std::vector<int> readingOrder(const std::vector<GrownCells>& matrices, std::vector<int> shown);

/// The plan of the shown matrices, all at one pitch.
struct WallFlow {
  ModelPlan plan{};
  std::vector<WallItem> items{};  ///< of the plan's pieces
  double pitch = 1.0;
  double inset = 0.0, pad = 0.0;  ///< of blocks, and around texts

  QRectF titleArea(const PlanBlock& block) const;

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
