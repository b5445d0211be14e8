// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

#include "core/expand/entries.h"

class QPainter;
class QColor;
class QFont;

namespace tfm::ui {

struct Palette;

/// What a mark is called in the pictures: "copied", "must be zero", ...
QString markName(expand::Entry entry);
/// One sentence: what such an entry is and why nothing changes by it.
QString markReason(expand::Entry entry);
/// One sentence about an entry that must be zero and is not.
QString violationReason();
/// The same of an old entry that must be rescaled and is not.
QString unscaledReason();

/// A cell of a difference that the other moment does not have: its name and one sentence.
QString unpairedName();
QString unpairedReason();

/// The ground of cells that have no value worth a colour: padding.
QColor paddingGround(const Palette& palette);
/// The ground of cells without a partner: a grey that is no value's colour, zero's neither.
QColor unpairedGround(const Palette& palette);
/// The ground of a mark in a legend. Neither of the values' colours: a mark says what an entry is,
/// whatever its value.
QColor swatchGround(expand::Entry entry, const Palette& palette);

/// "× 1.2247", or "× 0.3333 … 0.6667" for a range.
QString factorText(double least, double largest);

/// Draws what tells an entry from an old, unchanged one over `area`, a cell or a whole block of
/// cells whose ground is `ground`; nothing for a copied entry. Zeros have falling lines, free
/// entries dots, rescaled ones an accent-coloured inner frame, means a bar on top as in x̄, adjusted
/// ones a corner, padding crossed lines. Vector operations only.
void paintMark(QPainter& painter, const QRectF& area, expand::Entry entry, const QColor& ground,
               const Palette& palette, double unit);
/// Over a mark: a frame for an entry that must be zero and is not.
void paintViolation(QPainter& painter, const QRectF& area, const QColor& ground,
                    const Palette& palette, double unit);

/// The pill with a factor, e.g. "× 1.2247", its left end at `left`, vertically centred there.
/// Returns its width; draws nothing without a painter.
double paintBadge(QPainter* painter, const QPointF& left, const QString& text, const QFont& font,
                  const Palette& palette, double unit);

}  // namespace tfm::ui
