// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

#include "core/backend/plugins.h"
#include "core/base/error.h"

/// The plugin in core/backend/cuda, whose device is simulated here.
extern "C" const tfm::Plugin* tfmPlugin();

namespace tfm::test {

/// Whether cudaDevice() is the simulated one.
inline bool isSimulated() { return std::getenv("TFM_GPU_PLUGINS") == nullptr; }
/// A precision of the simulated device or, if TFM_GPU_PLUGINS in the environment names the folder
/// of a plugin, of the device of that (tests/bench/gpu.sh).
inline Device cudaDevice(std::string_view name = "cuda") {
  std::vector<Device> all =
      isSimulated() ? devicesOf(*tfmPlugin()) : pluginDevices(std::getenv("TFM_GPU_PLUGINS"));
  for (Device& device : all)
    if (device.name == name) return std::move(device);
  throw Error("there is no device " + std::string(name));
}

}  // namespace tfm::test
