// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <vector>

namespace tfm::ui {

/// Keeps labels apart: first come, first served.
class LabelPlacer {
 public:
  explicit LabelPlacer(const QRectF& view) : view_(view) {}

  /// Takes `box` if it lies inside the view and touches nothing taken before.
  bool place(const QRectF& box) {
    if (!view_.contains(box)) return false;
    for (const QRectF& other : taken_)
      if (other.intersects(box)) return false;
    take(box);
    return true;
  }
  /// Takes `box` whatever lies there.
  void take(const QRectF& box) { taken_.push_back(box); }

 private:
  QRectF view_;
  std::vector<QRectF> taken_;
};

}  // namespace tfm::ui
