// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/label_box.h"

#include <cmath>

namespace tfm::ui {

QRectF labelBox(const Labelled& point, std::span<const QRectF> taken, const QRectF& limits) {
  const auto area = [](const QRectF& box) { return box.width() * box.height(); };
  const auto covered = [&](const QRectF& box) {
    double sum = 4 * (area(box) - area(box & limits));
    for (const QRectF& other : taken) sum += area(box & other);
    return sum;
  };
  const QSizeF& size = point.label;
  const double x = point.reach + 3 + size.width() / 2;
  const double y = 0.7 * (point.reach + size.height() / 2);
  const double above = point.top - point.place.y() - size.height() / 2 - 1;
  QRectF best;
  double least = INFINITY;
  for (const QPointF& away : {QPointF(0, above), QPointF(-x, -y), QPointF(x, -y), QPointF(-x, y),
                              QPointF(x, y), QPointF(-x, 0), QPointF(x, 0)}) {
    QRectF box(QPointF(), size);
    box.moveCenter(point.place + away);
    const double cost = covered(box);
    if (cost >= least) continue;
    least = cost;
    best = box;
  }
  return best;
}

}  // namespace tfm::ui
