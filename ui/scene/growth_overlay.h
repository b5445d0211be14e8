// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <functional>
#include <span>
#include <vector>

#include "core/expand/entries.h"
#include "ui/scene/camera.h"
#include "ui/scene/growing_wall.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// One mark of a growth, in words.
struct MarkWords {
  expand::Entry entry = expand::Entry::Copied;
  QString words{};
  bool unpaired = false;  ///< cells of a difference without a partner
};

/// The marks that occur among these slabs, with the factor of rescaled entries: "rescaled × 1.183".
std::vector<MarkWords> marksOf(std::span<const GrowingSlab> slabs);
/// What is known of one entry of a growth, e.g. "rescaled × 1.183".
QString entryWords(const GrowingSlab& slab, int row, int col);

/// Rows or columns of a grown slab that are new; all of it where the slab is.
struct FreshBlock {
  int slab = 0;
  int row = 0, col = 0, rows = 0, cols = 0;
};
/// The new rows and columns of every slab; none of a slab where they are too many to be told apart.
std::vector<FreshBlock> freshBlocks(std::span<const GrowingSlab> slabs,
                                    std::span<const MatrixSlab> after);

/// One outline around all that is new of a slab, the quieter the more pieces it has.
void paintFresh(QPainter& painter, std::span<const FreshBlock> fresh,
                const std::function<QPolygonF(const FreshBlock&)>& outline_of,
                const Palette& palette, const Style& style);

/// The outlines of what comes, and thin lines where old cells will move apart.
void paintGhosts(QPainter& painter, std::span<const Ghost> ghosts, const Camera& camera,
                 const QSizeF& size, const Palette& palette, const Style& style);

/// The legend of the marks, in as many lines as `width` asks for; its lower left corner is at
/// `corner`. Returns the area it took.
QRectF paintMarkLegend(QPainter& painter, const QPointF& corner, double width,
                       std::span<const MarkWords> marks, const Palette& palette,
                       const Style& style);

}  // namespace tfm::ui
