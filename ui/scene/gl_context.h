// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace tfm::ui {

/// An OpenGL 3.2 core context without a window. This is all that the 3-D scene needs from a
/// platform: a system without EGL needs only another implementation of this class.
class GlContext {
 public:
  virtual ~GlContext() = default;

  /// Makes the context current on the calling thread, if it is not already.
  virtual void makeCurrent() = 0;
  virtual bool isCurrent() const = 0;
};

/// Creates a context, on graphics hardware if there is any, else in software; null if OpenGL is not
/// available.
std::unique_ptr<GlContext> createGlContext();

}  // namespace tfm::ui
