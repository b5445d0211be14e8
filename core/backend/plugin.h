// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/backend/backend.h"

namespace tfm {

/// The version of the structs below; the first two members of Plugin are the same in all versions.
inline constexpr std::uint32_t kPluginVersion = 3;

struct PluginDevice {
  const char* name;
  /// Why the device cannot run on this machine; empty if it can. Lives as long as the library.
  const char* (*obstacle)();
  Backend<float>* (*make_float)();
  Backend<double>* (*make_double)();
};

/// What a plugin provides: devices in a separate library. Both sides call each other through
/// the classes of this folder, so both must be built from the same headers by the same compiler:
/// `build` identifies them (TFM_PLUGIN_BUILD, which the target tfm_plugin_build defines).
struct Plugin {
  std::uint32_t version;
  const char* build;
  std::size_t count;
  const PluginDevice* devices;
};

/// The one symbol of a plugin, `extern "C" const tfm::Plugin* tfmPlugin()`.
inline constexpr const char* kPluginSymbol = "tfmPlugin";
using PluginFunction = const Plugin* (*)();

}  // namespace tfm
