// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/wall_framing.h"

#include <QMarginsF>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/scene/scale_bar.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kProjector = 1.2;  // the scale of its style
constexpr std::size_t kFew = 12;    // slabs

/// `value` in steps of a quarter.
float coarse(double value, double least, double most) {
  constexpr double kStep = 1.25;
  const double step = std::round(std::log(std::clamp(value, least, most)) / std::log(kStep));
  return float(std::pow(kStep, step));
}

Camera directionOf(WallView view, bool projected) {
  switch (view) {
    case WallView::Front:
      return {.azimuth = 0, .elevation = 0};
    case WallView::Iso:  // less obliquely where the slabs need all of the picture
      return projected ? Camera{.azimuth = -7, .elevation = 6}
                       : Camera{.azimuth = -14, .elevation = 10};
    case WallView::Top:
      return {.azimuth = 0, .elevation = 50};
  }
  return {};
}

/// What the overlay needs around the slabs; `beside`: with the scale bar beside the slabs instead
/// of below, and no legend.
QMarginsF wallMargins(const Style& style, bool beside) {
  return QMarginsF(style.px(8), style.px(6), style.px(beside ? 216 : 8), style.px(beside ? 8 : 84));
}

QSizeF room(const QSizeF& size, const QMarginsF& margins) {
  return QSizeF(std::max(1.0, size.width() - margins.left() - margins.right()),
                std::max(1.0, size.height() - margins.top() - margins.bottom()));
}

}  // namespace

bool isProjected(const Style& style) { return style.scale() >= kProjector; }

bool showsShapes(const Style& style, std::size_t slabs) {
  return slabs <= kFew || !isProjected(style);
}

WallShape WallFraming::shapeFor(std::size_t slabs) const {
  constexpr double kUsualWidth = 900, kUsualHeight = 560;  // layOut() leaves room for labels there
  constexpr double kObliquely = 1.05;  // seen from the side a wall is narrower than it is
  const QSizeF all = room(size, {});
  QSizeF free = all;  // at a desk there is room for all captions
  if (isProjected(style)) {
    // The shape of the wall follows from the room and the place of the scale from the shape: the
    // larger of the two rooms decides.
    const QSizeF below = room(size, wallMargins(style, false)),
                 beside = room(size, wallMargins(style, true));
    const auto area = [](const QSizeF& size) { return size.width() * size.height(); };
    free = area(beside) > area(below) ? beside : below;
  }
  // Large matrices matter more than names: names without room are left out. With few slabs all fit.
  const bool few = slabs <= kFew;
  const double most = few ? 2.5 : 2;
  return {coarse(kObliquely * free.width() / free.height(), 0.7, 3),
          coarse(style.scale() * kUsualHeight / all.height(), 0.7, most),
          coarse(style.scale() * kUsualWidth / all.width(), 0.7, most), showsShapes(style, slabs)};
}

Camera WallFraming::camera(WallView view, const WallLayout& wall, const WallShape& shape) const {
  const auto fitted = [&](const QMarginsF& margins) {
    return directionOf(view, isProjected(style)).fitted(wall.outline, size, margins);
  };
  if (close) {
    const QMarginsF margins = wallMargins(style, false);
    const Camera camera = fitted({margins.left(), margins.top(), margins.right(), margins.top()});
    if (!coversScale(camera, wall)) return camera;
  }
  return fitted(margins(shape));
}

QMarginsF WallFraming::margins(const WallShape& shape) const {
  // In a wide, low window the scale is beside the wall instead of below it.
  const QMarginsF below = wallMargins(style, false), beside = wallMargins(style, true);
  const auto side = [&](const QMarginsF& margins) {
    const QSizeF free = room(size, margins);
    return std::min(free.width() / shape.aspect, free.height());
  };
  return !legend && side(beside) > side(below) ? beside : below;
}

bool WallFraming::coversScale(const Camera& camera, const WallLayout& wall) const {
  const double around = style.px(20);
  const QSizeF bar = scaleBarSize(style) + QSizeF(around, around);
  const QRectF scale(QPointF(size.width() - bar.width(), size.height() - bar.height()), bar);
  return std::ranges::any_of(wall.groups, [&](const GroupPlace& box) {
    QPolygonF seen;
    for (const QVector3D& by : {QVector3D(), QVector3D(box.width, 0, 0),
                                QVector3D(box.width, -box.height, 0), QVector3D(0, -box.height, 0)})
      if (const auto at = camera.project(box.corner + by, size)) seen << *at;
    return seen.boundingRect().intersects(scale);
  });
}

}  // namespace tfm::ui
