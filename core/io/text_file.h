// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tfm::io {

/// Default limit for the size of a text file in bytes.
inline constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 28;

/// The content of a UTF-8 text file without its byte order mark, if any. Throws Error if it cannot
/// be read (see readFile()), is empty or is not UTF-8 (naming the offset).
std::string readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes = kMaxTextBytes);

/// The same for bytes already in memory; `where` names them in messages.
std::string checkedText(std::string bytes, const std::string& where);

}  // namespace tfm::io
