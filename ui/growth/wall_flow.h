// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QSizeF>
#include <span>
#include <vector>

#include "ui/growth/grown_cells.h"
#include "ui/growth/model_plan.h"

namespace tfm::ui {

class Style;

/// A matrix on the wall, in the frame of its piece of the plan.
struct WallItem {
  int matrix = 0;         ///< index in the list given to the wall
  std::size_t piece = 0;  ///< of the plan; a bias shares that of its matrix
  QRectF frame;           ///< with its texts
  QRectF words;           ///< empty for a bias, whose matrix is named
  QPointF origin;         ///< of the cells
};

/// How much is written above matrices.
struct WallText {
  double size = 1.0;  ///< of the letters
  bool names = true;
  bool shapes = true;  ///< below the names
};

/// Measures the texts above matrices and blocks, with a cache: measuring takes longer than the
/// layout.
class WallWords {
 public:
  explicit WallWords(const Style& style) : style_(style) {}

  enum Line { Name, Place, Shape, kLines };
  QFont font(Line line, const WallText& text) const;

  /// The minimum; parameter counts are left out if there is no room for them.
  QSizeF sizeOf(const GrownCells& cells, const QString& name, const WallText& text) const;
  QSizeF sizeOfTitle(const QString& title, const WallText& text) const;
  double widthOf(Line line, const QString& words, const WallText& text) const;
  /// The text, elided to a width.
  QString fitted(Line line, const QString& words, const WallText& text, double width) const;
  /// Clears the cache after a font change.
  void forget();

 private:
  const Style& style_;
  mutable QHash<QString, double> widths_[kLines];  ///< of texts of size 1
};

/// The plan of the shown matrices, all at one pitch.
struct WallFlow {
  ModelPlan plan{};
  std::vector<WallItem> items{};  ///< of the shown matrices, in their order
  double pitch = 1.0;
  WallText text{};
  double inset = 0.0, pad = 0.0;  ///< of blocks, and around texts

  QRectF titleArea(const PlanBlock& block) const;
};

/// What a wall shows, for the layouts in this file. All that it refers to must outlive it.
struct WallMatrices {
  const std::vector<GrownCells>& all;
  std::span<const int> shown;  ///< indices in `all`, in execution order
  const WallWords& words;
  double unit = 1.0;  ///< pixels at scale 1
};

/// All of them in a room, with the largest cells: shapes are left out and texts become smaller
/// where they would leave too little for the cells.
WallFlow wholeWall(const WallMatrices& matrices, const QSizeF& room);
/// At this pitch in rows of this width. `kept`: the same matrices at other sizes, whose rows and
/// columns are kept even if they become too wide.
WallFlow wallAt(double pitch, const WallText& text, const WallMatrices& matrices, double width,
                const WallFlow* kept = nullptr);
/// On pages of this size, with cells large enough to be read, over several pages if need be.
WallFlow wallOnPages(const WallMatrices& matrices, const QSizeF& page);

/// "8 × 5 → 8 × 9", and the parameter counts.
QString wallShapeText(const GrownCells& cells);
/// The name of a matrix; of a gain, that of the norm.
QString wallNameText(const GrownCells& cells);

}  // namespace tfm::ui
