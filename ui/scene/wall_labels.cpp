// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/wall_labels.h"

#include <algorithm>

namespace tfm::ui {

QString shapeText(const MatrixSlab& slab) {
  const QString full =
      QStringLiteral("%1%2%3").arg(slab.rows).arg(QChar(0x00d7)).arg(slab.fullCols());
  return slab.groups == 1 ? full
                          : full + QStringLiteral("%1%2").arg(QChar(0x00f7)).arg(slab.groups);
}

QString axisText(int size, const QString& axis) {
  return QStringLiteral("%1 %2").arg(size).arg(axis).trimmed();
}

QString inTwoLines(const QString& text) {
  const qsizetype middle = text.size() / 2;
  const qsizetype before = text.lastIndexOf(' ', middle), after = text.indexOf(' ', middle);
  const bool first = after < 0 || (before >= 0 && middle - before < after - middle);
  const qsizetype place = first ? before : after;
  return place < 0 ? text : QString(text).replace(place, 1, '\n');
}

bool LabelPlacer::place(const QRectF& box) {
  if (!view_.contains(box)) return false;
  if (std::ranges::any_of(taken_, [&](const QRectF& other) { return other.intersects(box); }))
    return false;
  take(box);
  return true;
}

}  // namespace tfm::ui
