// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/camera.h"

#include <QtMath>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tfm::ui {
namespace {

constexpr float kMaxAzimuth = 78.f;
constexpr float kMinElevation = -15.f;
constexpr float kMaxElevation = 80.f;

float radians(float degrees) { return qDegreesToRadians(degrees); }

/// Half the height of the view at distance 1.
float halfView() { return std::tan(radians(Camera::kViewAngle / 2)); }

/// The height of one logical pixel at distance 1.
float pixelSize(const QSizeF& size) { return 2 * halfView() / float(size.height()); }

/// The extent of points along one screen axis, as intercepts of lines of sight at distance 0.
struct Reach {
  float high = -std::numeric_limits<float>::max();
  float low = -std::numeric_limits<float>::max();
  float high_slope, low_slope;

  void add(float position, float towards_eye) {
    high = std::max(high, position + high_slope * towards_eye);
    low = std::max(low, -position + low_slope * towards_eye);
  }
  /// How far back the camera must be to see everything.
  float standoff() const { return (high + low) / (high_slope + low_slope); }
  /// Its position on this axis then, with equal margins on both sides.
  float centre(float stand) const {
    return ((high - high_slope * stand) + (low_slope * stand - low)) / 2;
  }
};

}  // namespace

QVector3D Camera::forward() const {
  const float a = radians(azimuth), e = radians(elevation);
  return {-std::sin(a) * std::cos(e), -std::sin(e), -std::cos(a) * std::cos(e)};
}

QVector3D Camera::right() const {
  const float a = radians(azimuth);
  return {std::cos(a), 0, -std::sin(a)};
}

QVector3D Camera::up() const { return QVector3D::crossProduct(right(), forward()); }

std::optional<QPointF> Camera::project(const QVector3D& point, const QSizeF& size) const {
  const QVector3D from_eye = point - eye();
  const float depth = QVector3D::dotProduct(from_eye, forward());
  if (depth <= 1e-4f * distance) return std::nullopt;
  const float scale = 1 / (depth * pixelSize(size));
  return QPointF(size.width() / 2 + QVector3D::dotProduct(from_eye, right()) * scale,
                 size.height() / 2 - QVector3D::dotProduct(from_eye, up()) * scale);
}

Ray Camera::rayThrough(const QPointF& position, const QSizeF& size) const {
  const float pixel = pixelSize(size);
  const float x = float(position.x() - size.width() / 2) * pixel;
  const float y = float(size.height() / 2 - position.y()) * pixel;
  return {eye(), (forward() + x * right() + y * up()).normalized()};
}

void Camera::orbit(float d_azimuth, float d_elevation) {
  azimuth = std::clamp(azimuth + d_azimuth, -kMaxAzimuth, kMaxAzimuth);
  elevation = std::clamp(elevation + d_elevation, kMinElevation, kMaxElevation);
}

void Camera::pan(const QPointF& pixels, const QSizeF& size) {
  const float unit = distance * pixelSize(size);
  target -= float(pixels.x()) * unit * right();
  target += float(pixels.y()) * unit * up();
}

void Camera::zoom(float factor, const QPointF& position, const QSizeF& size) {
  const QPointF from_centre = position - QPointF(size.width() / 2, size.height() / 2);
  pan(-(1 - factor) * from_centre, size);
  distance *= factor;
}

Camera Camera::fitted(std::span<const QVector3D> points, const QSizeF& size,
                      const QMarginsF& margins) const {
  const float pixel = pixelSize(size);
  const auto slope = [pixel](double side, double margin) {
    return std::max(1.f, float(side / 2 - margin)) * pixel;
  };
  Reach across{.high_slope = slope(size.width(), margins.right()),
               .low_slope = slope(size.width(), margins.left())};
  Reach along{.high_slope = slope(size.height(), margins.top()),
              .low_slope = slope(size.height(), margins.bottom())};
  const QVector3D back = -forward();
  float nearest = -std::numeric_limits<float>::max(), farthest = -nearest;
  for (const QVector3D& point : points) {
    const float towards_eye = QVector3D::dotProduct(point, back);
    across.add(QVector3D::dotProduct(point, right()), towards_eye);
    along.add(QVector3D::dotProduct(point, up()), towards_eye);
    nearest = std::max(nearest, towards_eye);
    farthest = std::min(farthest, towards_eye);
  }
  Camera result = *this;
  if (points.empty()) return result;
  const float stand = std::max(across.standoff(), along.standoff());
  const float middle = (nearest + farthest) / 2;
  result.target = across.centre(stand) * right() + along.centre(stand) * up() + middle * back;
  result.distance = std::max(stand - middle, 1e-3f);
  return result;
}

Camera between(const Camera& from, const Camera& to, float share) {
  const auto mix = [share](auto a, auto b) { return a + share * (b - a); };
  return {.target = mix(from.target, to.target),
          .azimuth = mix(from.azimuth, to.azimuth),
          .elevation = mix(from.elevation, to.elevation),
          // Geometric interpolation: equal shares change the size on screen by equal factors.
          .distance = from.distance * std::pow(to.distance / from.distance, share)};
}

}  // namespace tfm::ui
