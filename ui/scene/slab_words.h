// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

struct MatrixSlab;

/// "35×8"
QString shapeText(const MatrixSlab& slab);
/// "35 head × key"
QString axisText(int size, const QString& axis);
/// Broken at the space nearest to the middle; as it is where there is none.
QString inTwoLines(const QString& text);

}  // namespace tfm::ui
