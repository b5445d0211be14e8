// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "core/backend/plugin.h"
#include "core/backend/registry.h"

namespace tfm {

/// Where plugins are looked for: the folders in TFM_PLUGINS in the environment (separated by
/// colons), the program's own and lib/transformarium/plugins beside that.
std::vector<std::filesystem::path> pluginFolders();

/// The devices of each library transformarium_NAME.so in a folder, by name. A library that cannot
/// be used is listed as a device NAME with what is wrong with it. A folder that does not exist has
/// none. Libraries stay loaded.
std::vector<Device> pluginDevices(const std::filesystem::path& folder);

/// The devices of a plugin of this build. Throws Error for any other.
std::vector<Device> devicesOf(const Plugin& plugin);

}  // namespace tfm
