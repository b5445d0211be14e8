// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace tfm::io {

/// The cache folder, created if missing: $XDG_CACHE_HOME/transformarium, else
/// ~/.cache/transformarium. Throws Error if it cannot be created or neither variable is set.
std::filesystem::path cacheFolder();

}  // namespace tfm::io
