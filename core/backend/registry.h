// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
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
  int score = 0;  ///< the highest that can run is the default; that of the CPU is 1
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
/// Adds the devices of the plugins in a folder. A device with a known name replaces the known one
/// only if it can run and the known one cannot.
void addPluginFolder(const std::filesystem::path& folder);

/// A device and why it cannot run here; empty if it can.
struct FoundDevice {
  std::string name;
  std::string obstacle;
};
/// All devices, each asked whether it can run. Takes as long as their drivers take to answer.
std::vector<FoundDevice> findDevices();

/// Sets the default device. Throws Error listing the devices if there is none with that name or it
/// cannot run on this machine.
void chooseDevice(std::string_view name);
/// The default device: the chosen one or, if none was chosen, the one of the highest score.
std::string chosenDevice();

/// A backend on the default device.
template <class Real>
std::unique_ptr<Backend<Real>> makeBackend();

}  // namespace tfm
