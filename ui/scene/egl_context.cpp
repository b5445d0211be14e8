// SPDX-License-Identifier: GPL-3.0-or-later
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <vector>

#include "ui/scene/gl_context.h"

namespace tfm::ui {
namespace {

template <class Function>
Function eglFunction(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

class EglContext : public GlContext {
 public:
  EglContext(EGLDisplay display, EGLContext context, EGLSurface surface)
      : display_(display), context_(context), surface_(surface) {}

  // The display stays initialised: EGL shares it between all contexts of the process.
  ~EglContext() override {
    if (isCurrent()) eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(display_, surface_);
    eglDestroyContext(display_, context_);
  }

  void makeCurrent() override {
    if (isCurrent()) return;
    eglBindAPI(EGL_OPENGL_API);
    eglMakeCurrent(display_, surface_, surface_, context_);
  }

  bool isCurrent() const override { return eglGetCurrentContext() == context_; }

 private:
  EGLDisplay display_;
  EGLContext context_;
  EGLSurface surface_;
};

std::unique_ptr<GlContext> contextOn(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr) ||
      !eglBindAPI(EGL_OPENGL_API))
    return nullptr;

  constexpr std::array<EGLint, 11> kConfig{EGL_SURFACE_TYPE,
                                           EGL_PBUFFER_BIT,
                                           EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_BIT,
                                           EGL_RED_SIZE,
                                           8,
                                           EGL_GREEN_SIZE,
                                           8,
                                           EGL_BLUE_SIZE,
                                           8,
                                           EGL_NONE};
  EGLConfig config;
  EGLint found = 0;
  if (!eglChooseConfig(display, kConfig.data(), &config, 1, &found) || found < 1) return nullptr;

  constexpr std::array<EGLint, 7> kCore{EGL_CONTEXT_MAJOR_VERSION,
                                        3,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        2,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, kCore.data());
  if (context == EGL_NO_CONTEXT) return nullptr;

  // A context must have a surface, but nothing is drawn on it: VTK uses its own framebuffer.
  constexpr std::array<EGLint, 5> kOnePixel{EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
  EGLSurface surface = eglCreatePbufferSurface(display, config, kOnePixel.data());
  if (surface == EGL_NO_SURFACE) {
    eglDestroyContext(display, context);
    return nullptr;
  }
  return std::make_unique<EglContext>(display, context, surface);
}

/// The displays of all graphics cards, without software renderers listed as devices.
std::vector<EGLDisplay> hardwareDisplays() {
  const auto query_devices = eglFunction<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto device_string = eglFunction<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const auto platform_display =
      eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  std::vector<EGLDisplay> displays;
  if (!query_devices || !device_string || !platform_display) return displays;

  std::array<EGLDeviceEXT, 16> devices;
  EGLint count = 0;
  if (!query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count)) return displays;
  for (EGLint i = 0; i < count; ++i) {
    const char* extensions = device_string(devices[i], EGL_EXTENSIONS);
    if (!extensions ||
        std::string_view(extensions).find("EGL_MESA_device_software") != std::string_view::npos)
      continue;
    displays.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  }
  return displays;
}

EGLDisplay surfacelessDisplay() {
  const auto platform_display =
      eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (!platform_display) return EGL_NO_DISPLAY;
  return platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

}  // namespace

std::unique_ptr<GlContext> createGlContext() {
  for (EGLDisplay display : hardwareDisplays())
    if (auto context = contextOn(display)) return context;
  if (auto context = contextOn(surfacelessDisplay())) return context;
  return contextOn(eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

}  // namespace tfm::ui
