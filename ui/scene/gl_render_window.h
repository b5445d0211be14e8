// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkGenericOpenGLRenderWindow.h>

#include <QImage>
#include <QString>
#include <memory>

#include "ui/scene/gl_context.h"

namespace tfm::ui {

/// An offscreen VTK render window on its own GlContext. Include only in .cpp files.
class GlRenderWindow : public vtkGenericOpenGLRenderWindow {
 public:
  static GlRenderWindow* New();
  vtkTypeMacro(GlRenderWindow, vtkGenericOpenGLRenderWindow)

  /// Takes the context; false if there is none or it cannot be used, and then every render is a
  /// no-op.
  bool start(std::unique_ptr<GlContext> context);
  /// The OpenGL renderer string.
  QString drawnBy();
  /// Reads the last frame. Null on an OpenGL error.
  QImage readFrame();

  void MakeCurrent() override;
  bool IsCurrent() override;
  int SupportsOpenGL() override { return 1; }
  void OpenGLInitContext() override;

 protected:
  GlRenderWindow();
  ~GlRenderWindow() override;

 private:
  std::unique_ptr<GlContext> context_;
};

}  // namespace tfm::ui
