// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMarginsF>
#include <QPointF>
#include <QSizeF>
#include <QVector3D>
#include <optional>
#include <span>

namespace tfm::ui {

/// A half line in the scene.
struct Ray {
  QVector3D origin;
  QVector3D direction;  ///< length 1
};

/// A camera on a turntable: it looks at `target` and its horizon is always level. x is right, y is
/// up and z comes towards someone who stands in front. Screen points are in logical pixels, y
/// downwards.
struct Camera {
  static constexpr float kViewAngle =
      24.f;  ///< vertical, degrees; narrow, so that cells stay square

  QVector3D target{};
  float azimuth = 0.f;    ///< degrees; positive stands further to the right
  float elevation = 0.f;  ///< degrees; positive looks down
  float distance = 1.f;

  QVector3D forward() const;
  QVector3D right() const;
  QVector3D up() const;
  QVector3D eye() const { return target - distance * forward(); }

  /// Where `point` is seen in a view of `size`; nothing if it is behind the eye.
  std::optional<QPointF> project(const QVector3D& point, const QSizeF& size) const;
  /// What is seen at `position` in a view of `size`.
  Ray rayThrough(const QPointF& position, const QSizeF& size) const;

  /// Turns around the target; the angles stay where the fronts of things can be seen.
  void orbit(float d_azimuth, float d_elevation);
  /// Moves sideways so that what is at the target follows the pointer.
  void pan(const QPointF& pixels, const QSizeF& size);
  /// Comes closer (factor < 1) or goes away, and keeps what is at `position` there.
  void zoom(float factor, const QPointF& position, const QSizeF& size);

  /// This camera's direction, as near as possible with all `points` inside the view less its
  /// `margins`.
  Camera fitted(std::span<const QVector3D> points, const QSizeF& size,
                const QMarginsF& margins) const;
};

/// The camera `share` of the way from one to another, share in [0, 1].
Camera between(const Camera& from, const Camera& to, float share);

}  // namespace tfm::ui
