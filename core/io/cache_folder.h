// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace tfm::io {

/// The folder for what can be computed again: $XDG_CACHE_HOME/transformarium, else
/// ~/.cache/transformarium. It is made where it is missing. Throws Error where that fails or nobody
/// is at home.
std::filesystem::path cacheFolder();

}  // namespace tfm::io
