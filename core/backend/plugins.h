// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/backend/plugin.h"
#include "core/backend/registry.h"

namespace tfm {

/// Where plugins are looked for: the folders in TFM_PLUGINS in the environment (separated by
/// colons), the program's own and lib/transformarium/plugins beside that.
std::vector<std::filesystem::path> pluginFolders();

/// The files transformarium_NAME.so in a folder, by name; none is opened. A folder that does not
/// exist has none.
std::vector<std::filesystem::path> pluginFiles(const std::filesystem::path& folder);

/// The devices of the plugins in a folder, by name. A file that cannot be used, e.g. one that is
/// cut off (see requireLibrary()), is listed as a device NAME with what is wrong with it. Libraries
/// stay loaded.
std::vector<Device> pluginDevices(const std::filesystem::path& folder);

/// The devices of a plugin of this build. Throws Error for any other.
std::vector<Device> devicesOf(const Plugin& plugin);

}  // namespace tfm
