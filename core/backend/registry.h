// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"

namespace tfm {

/// An entry in the registry of devices.
struct Device {
  std::string name;
  int score = 0;  ///< speed relative to other devices
  /// Why it cannot run on this machine; empty if it can.
  std::function<std::string()> obstacle;
  std::function<std::unique_ptr<Backend<float>>()> make_float;
  std::function<std::unique_ptr<Backend<double>>()> make_double;
};

/// All devices, including those that cannot run on this machine: the CPU, those of plugins (see
/// pluginFolders()), which are loaded at the first call, and those added.
std::vector<Device> devices();
/// Registers a device, replacing one with the same name.
void addDevice(Device device);

/// Sets the default device. Throws Error listing the devices if there is none with that name or it
/// cannot run on this machine.
void chooseDevice(std::string_view name);
/// The default device: the chosen one or, if none was chosen, the fastest that can run.
std::string chosenDevice();

/// A backend on the default device.
template <class Real>
std::unique_ptr<Backend<Real>> makeBackend();

}  // namespace tfm
