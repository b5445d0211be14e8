// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/data/task_config.h"

namespace tfm::data {

/// How a document in `folder` names a file or folder: by its path as seen from there. By its name
/// alone where that path would lead through the root or out of the home folder, and so tell how the
/// author's machine is laid out. Empty paths stay empty; an empty `folder` keeps the path.
std::string storedPath(const std::filesystem::path& path, const std::filesystem::path& folder);
/// Where that is for a document that is now in `folder`. Absolute paths, as older documents have
/// them, stay, as does an empty one.
std::filesystem::path placeOf(const std::filesystem::path& stored,
                              const std::filesystem::path& folder);

/// Remembers on this machine, in the cache folder, where content with a hash (see ContentHash) is,
/// so that a document in another folder tree still finds it. Does nothing where there is no cache.
void rememberPlace(const std::string& hash, const std::filesystem::path& path);
/// The absolute path remembered last for a hash, whether it still exists or not; empty: none.
std::filesystem::path rememberedPlace(const std::string& hash);
/// `path` if it is a folder, else the place remembered for its content, if that is one.
std::filesystem::path foundFolder(const std::filesystem::path& path, const std::string& hash);

/// The config with all its paths as storedPath(); of texts that are no longer there, only the
/// names. An empty `folder` changes nothing.
TaskConfig withStoredPaths(TaskConfig config, const std::filesystem::path& folder);
/// The config with all its paths as placeOf(), and the encoder's as foundFolder().
TaskConfig withPlaces(TaskConfig config, const std::filesystem::path& folder);

}  // namespace tfm::data
