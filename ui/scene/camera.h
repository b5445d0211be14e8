// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMarginsF>
#include <QPointF>
#include <QSizeF>
#include <QVector3D>
#include <optional>
#include <span>

namespace tfm::ui {

/// A ray in the scene.
struct Ray {
  QVector3D origin;
  QVector3D direction;  ///< length 1
};

/// A turntable camera: it looks at `target` and its horizon is always level. x points right, y up
/// and z towards a viewer in front. Screen points are in logical pixels, y down.
struct Camera {
  static constexpr float kViewAngle =
      24.f;  ///< vertical, degrees; narrow, so that cells stay square

  QVector3D target{};
  float azimuth = 0.f;    ///< degrees; positive moves the eye to the right
  float elevation = 0.f;  ///< degrees; positive looks down
  float distance = 1.f;

  QVector3D forward() const;
  QVector3D right() const;
  QVector3D up() const;
  QVector3D eye() const { return target - distance * forward(); }

  /// The screen position of `point` in a view of `size`; none if it is behind the eye.
  std::optional<QPointF> project(const QVector3D& point, const QSizeF& size) const;
  /// The ray through `position` in a view of `size`.
  Ray rayThrough(const QPointF& position, const QSizeF& size) const;

  /// Turns around the target; the angles are limited so that fronts stay visible.
  void orbit(float d_azimuth, float d_elevation);
  /// Moves sideways so that the target follows the pointer.
  void pan(const QPointF& pixels, const QSizeF& size);
  /// Moves closer (factor < 1) or away, keeping the point at `position` in place.
  void zoom(float factor, const QPointF& position, const QSizeF& size);

  /// A camera with the same direction, as close as possible with all `points` inside the view minus
  /// `margins`.
  Camera fitted(std::span<const QVector3D> points, const QSizeF& size,
                const QMarginsF& margins) const;
};

/// The camera `share` of the way from one to another, share in [0, 1].
Camera between(const Camera& from, const Camera& to, float share);

}  // namespace tfm::ui
