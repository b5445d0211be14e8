// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
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
};

/// The marks that occur among these slabs, with the factor of rescaled entries: "rescaled × 1.183".
std::vector<MarkWords> marksOf(std::span<const GrowingSlab> slabs);
/// What is known of one entry of a growth, e.g. "rescaled × 1.183".
QString entryWords(const GrowingSlab& slab, int row, int col);

/// The outlines of what comes, and thin lines where old cells will move apart.
void paintGhosts(QPainter& painter, std::span<const Ghost> ghosts, const Camera& camera,
                 const QSizeF& size, const Palette& palette, const Style& style);

/// The legend of the marks, in as many lines as `width` asks for; its lower left corner is at
/// `corner`. Returns the area it took.
QRectF paintMarkLegend(QPainter& painter, const QPointF& corner, double width,
                       std::span<const MarkWords> marks, const Palette& palette,
                       const Style& style);

}  // namespace tfm::ui
