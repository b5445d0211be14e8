// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <string>

#include "ui/growth/motion.h"
#include "ui/scene/camera.h"
#include "ui/scene/gl_context.h"

class vtkRenderer;

namespace tfm::ui {

class Style;

/// A widget that shows a VTK scene. VTK draws on a separate context and the pane paints the image
/// read back, so it works on every Qt platform, with or without a screen. Without OpenGL it only
/// shows a message. Dragging turns, right or Shift dragging moves, the wheel zooms, arrow keys
/// turn.
class VtkPane : public QWidget {
  Q_OBJECT

 public:
  /// `context` is null on a machine without OpenGL.
  VtkPane(const Style& style, std::unique_ptr<GlContext> context, QWidget* parent = nullptr);
  ~VtkPane() override;

  static std::string vtkVersion();
  /// Whether OpenGL is available.
  bool available() const;
  /// The OpenGL renderer, e.g. "llvmpipe (LLVM 15.0.6, 256 bits)"; empty without OpenGL.
  QString rendererName() const;

  const Camera& camera() const { return camera_; }
  /// Sets the camera at once.
  void setCamera(const Camera& camera);
  /// Moves to the camera with a short animation, at once if motion is off.
  void moveTo(const Camera& camera);
  /// Jumps to the end of a running animation.
  void finishMove();

  /// Renders the scene before the next paint; calls are coalesced.
  void scheduleRender();
  /// Renders the scene without overlay with `size` logical pixels, each `scale` pixels wide. Null
  /// without OpenGL.
  QImage capture(const QSizeF& size, double scale);

  QSize sizeHint() const override { return {640, 480}; }

 protected:
  vtkRenderer& renderer() const;
  /// capture() of the scene as it is, without prepareScene().
  QImage drawSmoothly(const QSizeF& size, double scale) const;
  const Style& style() const { return style_; }

  /// Called before each frame and capture to update the scene.
  virtual void prepareScene() {}
  /// Called after each frame to draw over the image, in logical pixels.
  virtual void paintOverlay(QPainter& painter) const {}
  /// The user moved the camera.
  virtual void cameraMoved() {}
  virtual void pointerAt(const QPointF& position) {}
  virtual void clicked(const QPointF& position) {}
  virtual void doubleClicked(const QPointF& position) {}

  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Scene;

  void take();
  void paintUnavailable(QPainter& painter) const;

  const Style& style_;
  std::unique_ptr<Scene> scene_;
  Camera camera_;
  Motion move_;
  QTimer settle_;  ///< times out when nothing has changed for a while
  Camera move_from_, move_to_;
  QImage picture_;
  bool dirty_ = true;
  QPointF press_, last_;
  bool dragging_ = false;
};

}  // namespace tfm::ui
