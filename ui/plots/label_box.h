// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <span>

namespace tfm::ui {

/// A point that gets a label.
struct Labelled {
  QPointF place;
  double reach;  ///< half the size of its mark
  double top;    ///< the upper end of what belongs to it, such as its error bar
  QSizeF label;
};

/// Where the label stands: above `top`, else on the side of the mark where it covers least of what
/// is `taken`; what is outside `limits` counts four times.
QRectF labelBox(const Labelled& point, std::span<const QRectF> taken, const QRectF& limits);

}  // namespace tfm::ui
