// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>

#include "core/backend/plugins.h"

/// The plugin in core/backend/cuda, whose device is simulated here.
extern "C" const tfm::Plugin* tfmPlugin();

namespace tfm::test {

/// Whether cudaDevice() is the simulated one.
inline bool isSimulated() { return std::getenv("TFM_GPU_PLUGINS") == nullptr; }
/// The simulated device or, if TFM_GPU_PLUGINS in the environment names the folder of a plugin, the
/// device of that (tests/bench/gpu.sh).
inline Device cudaDevice() {
  if (isSimulated()) return deviceOf(*tfmPlugin());
  return pluginDevices(std::getenv("TFM_GPU_PLUGINS")).at(0);
}

}  // namespace tfm::test
