// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tfm::io {

/// All bytes of a regular file. Throws Error if it is missing, a directory or a device, unreadable,
/// or longer than `maxBytes` (checked before memory is allocated).
std::string readFile(const std::filesystem::path& path, std::uint64_t maxBytes);

}  // namespace tfm::io
