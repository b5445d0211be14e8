// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tfm::io {

/// The largest text file that is read unless the caller says otherwise.
inline constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 28;

/// A whole text file as UTF-8, without the byte order mark that some editors put first. Throws
/// Error where it cannot be read (see readFile()), is empty or is not UTF-8 (naming the offset).
std::string readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes = kMaxTextBytes);

/// The same checks for bytes that are in memory already; `where` names them in messages.
std::string checkedText(std::string bytes, const std::string& where);

}  // namespace tfm::io
