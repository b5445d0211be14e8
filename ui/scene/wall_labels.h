// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

/// "35×8"; "64×128÷4" in four blocks
QString shapeText(const MatrixSlab& slab);

/// "35 head × key"
QString axisText(int size, const QString& axis);

/// Breaks a text at the space nearest to the middle, if there is one.
QString inTwoLines(const QString& text);

/// Keeps labels apart: first come, first served.
class LabelPlacer {
 public:
  explicit LabelPlacer(const QRectF& view) : view_(view) {}

  /// Takes `box` if it is inside the view and overlaps nothing taken before.
  bool place(const QRectF& box);
  /// Takes `box` unconditionally.
  void take(const QRectF& box) { taken_.push_back(box); }

 private:
  QRectF view_;
  std::vector<QRectF> taken_;
};

}  // namespace tfm::ui
