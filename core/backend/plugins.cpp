// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>

#include "core/backend/library_file.h"
#include "core/base/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// The device name that a library's file name promises, if it is one of a plugin.
std::optional<std::string> promisedName(const fs::path& file) {
  constexpr std::string_view kPrefix = "transformarium_";
  const std::string stem = file.stem().string();
  if (file.extension() != ".so" || !stem.starts_with(kPrefix) || stem.size() == kPrefix.size())
    return {};
  return stem.substr(kPrefix.size());
}

Device brokenDevice(const std::string& name, const std::string& why) {
  return {name, [why] { return why; }, {}, {}};
}

std::vector<Device> load(const std::string& name, const fs::path& file) {
  try {
    requireLibrary(file);
  } catch (const Error& error) {
    return {brokenDevice(name, error.problem())};
  }
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {brokenDevice(name, ::dlerror())};
  const auto function = reinterpret_cast<PluginFunction>(::dlsym(library, kPluginSymbol));
  if (function == nullptr || function() == nullptr)
    return {brokenDevice(name, file.string() + " is not a plugin")};
  try {
    return devicesOf(*function());
  } catch (const Error& error) {
    return {brokenDevice(name, file.string() + " " + error.problem())};
  }
}

}  // namespace

std::vector<fs::path> pluginFolders() {
  std::vector<fs::path> folders;
  const char* chosen = std::getenv("TFM_PLUGINS");
  std::istringstream words(chosen == nullptr ? "" : chosen);
  for (std::string folder; std::getline(words, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (unknown) return folders;
  folders.push_back(program.parent_path());
  folders.push_back(program.parent_path().parent_path() / "lib/transformarium/plugins");
  return folders;
}

std::vector<fs::path> pluginFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (fs::directory_iterator file(folder, none), end; !none && file != end; file.increment(none))
    if (promisedName(file->path())) files.push_back(file->path());
  std::ranges::sort(files);
  return files;
}

std::vector<Device> pluginDevices(const fs::path& folder) {
  std::vector<Device> found;
  for (const fs::path& file : pluginFiles(folder))
    std::ranges::move(load(*promisedName(file), file), std::back_inserter(found));
  std::ranges::sort(found, {}, &Device::name);
  return found;
}

std::vector<Device> devicesOf(const Plugin& plugin) {
  if (plugin.version != kPluginVersion)
    throw Error("is a plugin of version " + std::to_string(plugin.version) +
                "; this program needs version " + std::to_string(kPluginVersion));
  if (std::string_view(plugin.build) != TFM_PLUGIN_BUILD)
    throw Error("was built for another build of this program (" + std::string(plugin.build) +
                " instead of " TFM_PLUGIN_BUILD ")");
  std::vector<Device> devices;
  for (const PluginDevice& device : std::span(plugin.devices, plugin.count))
    devices.push_back(
        {device.name, [obstacle = device.obstacle] { return std::string(obstacle()); },
         [make = device.make_float] { return std::unique_ptr<Backend<float>>(make()); },
         [make = device.make_double] { return std::unique_ptr<Backend<double>>(make()); }});
  return devices;
}

}  // namespace tfm
