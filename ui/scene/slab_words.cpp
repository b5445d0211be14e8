// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_words.h"

#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

QString shapeText(const MatrixSlab& slab) {
  return QStringLiteral("%1%2%3").arg(slab.rows).arg(QChar(0x00d7)).arg(slab.cols);
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

}  // namespace tfm::ui
