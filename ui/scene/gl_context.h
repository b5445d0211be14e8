// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace tfm::ui {

/// An OpenGL 3.2 core context that belongs to no window. This is all that the 3-D scene asks of a
/// platform: a system without EGL needs one more implementation of this class and nothing else.
class GlContext {
 public:
  virtual ~GlContext() = default;

  /// Makes the context current on the calling thread, if it is not already.
  virtual void makeCurrent() = 0;
  virtual bool isCurrent() const = 0;
};

/// A new context, on graphics hardware if there is any, else drawn by software; null if OpenGL
/// cannot be had.
std::unique_ptr<GlContext> createGlContext();

}  // namespace tfm::ui
