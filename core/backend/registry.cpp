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

/// The device with that name or, if it is empty, the fastest one. Throws Error; see chooseDevice().
Device find(const std::vector<Device>& all, std::string_view name) {
  std::string known;
  const Device* found = nullptr;
  for (const Device& device : all) {
    const std::string obstacle = device.obstacle();
    known += (known.empty() ? "" : ", ") + device.name;
    if (!obstacle.empty()) known += " (cannot run here: " + obstacle + ")";
    const bool fits =
        name.empty() ? found == nullptr || device.score > found->score : device.name == name;
    if (fits && obstacle.empty()) found = &device;
  }
  if (found == nullptr)
    throw Error("there is no device '" + std::string(name) + "' that can run here", "--device",
                "Choose one of " + known);
  return *found;
}

Device chosen() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  return find(r.devices, r.chosen);
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

void chooseDevice(std::string_view name) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  r.chosen = find(r.devices, name).name;
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
