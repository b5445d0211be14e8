// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// A curly brace beside the line from a to b, on its left as seen from a; returns the tip.
QPointF paintBrace(QPainter& painter, const QPointF& a, const QPointF& b, const Palette& palette,
                   const Style& style);

}  // namespace tfm::ui
