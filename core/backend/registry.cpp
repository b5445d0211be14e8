// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/registry.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/plugins.h"
#include "core/base/error.h"

namespace tfm {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<Device> devices{
      {"cpu", 1, [] { return std::string(); }, makeCpuBackend<float>, makeCpuBackend<double>}};
  std::string chosen;

  /// Where plugins have the same name, the first one counts.
  Registry() {
    for (const std::filesystem::path& folder : pluginFolders())
      for (Device& device : pluginDevices(folder))
        if (std::ranges::find(devices, device.name, &Device::name) == devices.end())
          devices.push_back(std::move(device));
  }
};

Registry& registry() {
  static Registry only;
  return only;
}

/// The device with that name or, if it is empty, the default. Throws Error; see chooseDevice().
/// Asks no device that it does not need, as drivers take long to answer.
Device find(const std::vector<Device>& all, std::string_view name) {
  std::vector<const Device*> fitting;
  for (const Device& device : all)
    if (name.empty() || device.name == name) fitting.push_back(&device);
  std::ranges::stable_sort(fitting, std::ranges::greater(), &Device::score);
  for (const Device* device : fitting)
    if (device->obstacle().empty()) return *device;
  std::string known;
  for (const Device& device : all) {
    const std::string obstacle = device.obstacle();
    known += (known.empty() ? "" : ", ") + device.name;
    if (!obstacle.empty()) known += " (cannot run here: " + obstacle + ")";
  }
  throw Error("there is no device '" + std::string(name) + "' that can run here", "--device",
              "Choose one of " + known);
}

/// Devices are asked without the lock, so that nobody waits for a driver who does not need it.
Device chosen() {
  std::string name;
  {
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    name = r.chosen;
  }
  return find(devices(), name);
}

}  // namespace

std::vector<Device> devices() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  return r.devices;
}

void addDevice(Device device) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  std::erase_if(r.devices, [&](const Device& known) { return known.name == device.name; });
  r.devices.push_back(std::move(device));
}

void addPluginFolder(const std::filesystem::path& folder) {
  for (Device& device : pluginDevices(folder)) {
    const std::vector<Device> all = devices();
    const auto known = std::ranges::find(all, device.name, &Device::name);
    if (known == all.end() || (!known->obstacle().empty() && device.obstacle().empty()))
      addDevice(std::move(device));
  }
}

std::vector<FoundDevice> findDevices() {
  std::vector<FoundDevice> found;
  for (const Device& device : devices()) found.push_back({device.name, device.obstacle()});
  return found;
}

void chooseDevice(std::string_view name) {
  const std::string found = find(devices(), name).name;
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  r.chosen = found;
}

std::string chosenDevice() { return chosen().name; }

template <>
std::unique_ptr<Backend<float>> makeBackend() {
  return chosen().make_float();
}
template <>
std::unique_ptr<Backend<double>> makeBackend() {
  return chosen().make_double();
}

}  // namespace tfm
