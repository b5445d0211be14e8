// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/gl_render_window.h"

#include <vtk_glew.h>
// vtk_glew.h must come before any other OpenGL header.
#include <vtkObjectFactory.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>

namespace tfm::ui {

vtkStandardNewMacro(GlRenderWindow);

GlRenderWindow::GlRenderWindow() {
  ReadyForRendering = false;
  SetOwnContext(0);
  SetFrameBlitModeToNoBlit();
  SetMultiSamples(0);
}

GlRenderWindow::~GlRenderWindow() {
  if (!context_) return;
  MakeCurrent();
  Finalize();
}

bool GlRenderWindow::start(std::unique_ptr<GlContext> context) {
  if (!context) return false;
  context_ = std::move(context);
  MakeCurrent();
  ReadyForRendering = true;
  OpenGLInitContext();
  ReadyForRendering = Initialized;
  return Initialized;
}

void GlRenderWindow::MakeCurrent() {
  if (context_) context_->makeCurrent();
}

bool GlRenderWindow::IsCurrent() { return context_ && context_->isCurrent(); }

// Debian's GLEW is built for GLX: it loads all entry points and only then reports that there is no
// X display.
void GlRenderWindow::OpenGLInitContext() {
  ContextCreationTime.Modified();
  if (Initialized) return;
  const GLenum result = glewInit();
  GlewInitValid = result == GLEW_OK || result == GLEW_ERROR_NO_GLX_DISPLAY;
  Initialized = GlewInitValid && GLEW_VERSION_3_2;
  MaximumHardwareLineWidth = 1;
}

QString GlRenderWindow::drawnBy() {
  MakeCurrent();
  return QString::fromLatin1(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
}

QImage GlRenderWindow::readFrame() {
  const int* size = GetSize();
  QImage image(size[0], size[1], QImage::Format_RGB32);
  MakeCurrent();
  vtkOpenGLState* state = GetState();
  state->Reset();
  state->PushReadFramebufferBinding();
  GetDisplayFramebuffer()->Bind(GL_READ_FRAMEBUFFER);
  GetDisplayFramebuffer()->ActivateReadBuffer(0);
  state->vtkglPixelStorei(GL_PACK_ALIGNMENT, 4);
  while (glGetError() != GL_NO_ERROR) {  // left by GLEW and VTK in the first frame; only ours count
  }
  glReadPixels(0, 0, size[0], size[1], GL_BGRA, GL_UNSIGNED_BYTE, image.bits());
  state->PopReadFramebufferBinding();
  if (glGetError() != GL_NO_ERROR) return {};
  image.mirror();  // OpenGL counts rows from below
  return image;
}

}  // namespace tfm::ui
