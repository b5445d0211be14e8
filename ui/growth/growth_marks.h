// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

#include "core/expand/entries.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// What a mark is called in the pictures: "copied", "must be zero", ...
QString markName(expand::Entry entry);
/// One sentence: what such an entry is and why it does not change the output.
QString markReason(expand::Entry entry);
/// One sentence about an entry that should be zero but is not.
QString violationReason();
/// The same for an old entry that should be rescaled but is not.
QString unscaledReason();

/// A cell of a difference that the other moment lacks: its name and one sentence.
QString unpairedName();
QString unpairedReason();

/// The background of padding, whose values need no colour.
QColor paddingGround(const Palette& palette);
/// The background of cells without a counterpart: a grey that is not the colour of any value, not
/// even zero.
QColor unpairedGround(const Palette& palette);
/// The background of a mark in a legend. Not a value's colour: a mark says what an entry is,
/// whatever its value.
QColor swatchGround(expand::Entry entry, const Palette& palette);

/// "× 1.2247", or "× 0.3333 … 0.6667" for a range.
QString factorText(double least, double largest);

/// Draws an entry's mark over `area`, a cell or block of cells with the background `ground`;
/// nothing for a copied entry. Zeros have falling lines, free entries dots, rescaled ones an
/// accent-coloured inner frame, means a bar on top as in x̄, adjusted ones a corner, padding
/// crossed lines. Vector operations only.
void paintMark(QPainter& painter, const QRectF& area, expand::Entry entry, const QColor& ground,
               const Palette& palette, double unit);
/// Draws a frame over the mark of an entry that should be zero but is not.
void paintViolation(QPainter& painter, const QRectF& area, const QColor& ground,
                    const Palette& palette, double unit);

/// Draws a pill with a factor, e.g. "× 1.2247", its left end at `left`, vertically centred there.
/// Returns its width; draws nothing without a painter.
double paintBadge(QPainter* painter, const QPointF& left, const QString& text, const QFont& font,
                  const Palette& palette, double unit);

}  // namespace tfm::ui
