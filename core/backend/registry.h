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
  /// Why it cannot run on this machine; empty if it can.
  std::function<std::string()> obstacle;
  std::function<std::unique_ptr<Backend<float>>()> make_float;
  std::function<std::unique_ptr<Backend<double>>()> make_double;
};

/// All devices, including those that cannot run on this machine: the CPU, those added, and those of
/// plugins (see pluginFolders() and addPluginFolder()), which are opened here. Of two with one
/// name, the first that can run counts.
std::vector<Device> devices();
/// Registers a device, replacing one with the same name.
void addDevice(Device device);
/// Adds the devices of the plugins in a folder. They are opened when devices are next listed, or
/// one is chosen that is not known yet.
void addPluginFolder(const std::filesystem::path& folder);

/// A device and why it cannot run here; empty if it can.
struct FoundDevice {
  std::string name;
  std::string obstacle;
};
/// devices(), each asked whether it can run. Takes as long as their drivers take to answer.
std::vector<FoundDevice> findDevices();

/// Sets the device of makeBackend(). Throws Error listing the devices if there is none with that
/// name or it cannot run on this machine, and for any but the CPU while sameNumbers().
void chooseDevice(std::string_view name);
/// The chosen device; the CPU if none was chosen. Opens no plugin.
std::string chosenDevice();

/// Whether makeBackend() gives the CPU with KernelSet::Fixed, which gives the same numbers on every
/// machine. Whoever opens a model sets it from its training config, so that all that is shown of it
/// is computed as it was trained. Throws Error where another device is chosen.
void setSameNumbers(bool on);
bool sameNumbers();

/// A backend on the chosen device, or the one of setSameNumbers(). Throws Error for the latter
/// where another device than the CPU is chosen.
template <class Real>
std::unique_ptr<Backend<Real>> makeBackend(bool same_numbers = sameNumbers());

}  // namespace tfm
