// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/registry.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/plugins.h"
#include "core/base/error.h"

namespace tfm {
namespace {

struct Registry {
  std::mutex opening;  // held while plugins are opened, which takes long
  std::mutex mutex;    // guards the members below
  std::vector<Device> devices{{"cpu", [] { return std::string(); },
                               [] { return makeCpuBackend<float>(); },
                               [] { return makeCpuBackend<double>(); }}};
  std::vector<std::filesystem::path> unopened = pluginFolders();
  std::string chosen = "cpu";
  bool same_numbers = false;
};

Registry& registry() {
  static Registry only;
  return only;
}

/// Of the devices known so far.
std::optional<Device> known(std::string_view name) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  const auto found = std::ranges::find(r.devices, name, &Device::name);
  return found == r.devices.end() ? std::nullopt : std::optional(*found);
}

/// Adds a device unless there is one with its name that can run, or neither can. Devices are asked
/// without the lock, so that nobody waits for a driver who does not need it.
void addIfBetter(Device device) {
  const std::optional<Device> other = known(device.name);
  if (!other || (!other->obstacle().empty() && device.obstacle().empty()))
    addDevice(std::move(device));
}

void openPlugins() {
  Registry& r = registry();
  const std::lock_guard opening(r.opening);
  std::vector<std::filesystem::path> folders;
  {
    const std::lock_guard lock(r.mutex);
    folders = std::exchange(r.unopened, {});
  }
  for (const std::filesystem::path& folder : folders)
    for (Device& device : pluginDevices(folder)) addIfBetter(std::move(device));
}

bool canRun(const std::optional<Device>& device) { return device && device->obstacle().empty(); }

Device chosen() {
  std::string name;
  {
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    name = r.chosen;
  }
  return *known(name);
}

void requireCpu(const std::string& device) {
  if (device != "cpu")
    throw Error("'" + device + "' has no fixed set of kernels", "same_numbers",
                "Only the CPU gives the same numbers on every machine: choose it, or switch "
                "same_numbers off");
}

}  // namespace

std::vector<Device> devices() {
  openPlugins();
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
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  r.unopened.push_back(folder);
}

std::vector<FoundDevice> findDevices() {
  std::vector<FoundDevice> found;
  for (const Device& device : devices()) found.push_back({device.name, device.obstacle()});
  return found;
}

void chooseDevice(std::string_view name) {
  if (!canRun(known(name))) openPlugins();
  if (!canRun(known(name))) {
    std::string listed;
    for (const FoundDevice& device : findDevices()) {
      listed += (listed.empty() ? "" : ", ") + device.name;
      if (!device.obstacle.empty()) listed += " (cannot run here: " + device.obstacle + ")";
    }
    throw Error("there is no device '" + std::string(name) + "' that can run here", "--device",
                "Choose one of " + listed);
  }
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  if (r.same_numbers) requireCpu(std::string(name));
  r.chosen = name;
}

std::string chosenDevice() { return chosen().name; }

void setSameNumbers(bool on) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  if (on) requireCpu(r.chosen);
  r.same_numbers = on;
}

bool sameNumbers() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  return r.same_numbers;
}

template <class Real>
std::unique_ptr<Backend<Real>> makeBackend(bool same_numbers) {
  const Device device = chosen();
  if (same_numbers) {
    requireCpu(device.name);
    return makeCpuBackend<Real>(KernelSet::Fixed);
  }
  if constexpr (sizeof(Real) == sizeof(float))
    return device.make_float();
  else
    return device.make_double();
}

template std::unique_ptr<Backend<float>> makeBackend(bool);
template std::unique_ptr<Backend<double>> makeBackend(bool);

}  // namespace tfm
