// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tfm::io {

/// Default limit for the size of a text file in bytes.
inline constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 28;

/// The content of a UTF-8 text file without its byte order mark, if any, unpacked if gzip has
/// compressed it; lines that end with CR alone then end with LF. Throws Error if it cannot be read
/// (see readFile()), is empty, has more than `maxBytes`, packed or not, or is not UTF-8: naming
/// what the file is (foreignFormat()) or the offset.
std::string readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes = kMaxTextBytes);

/// The same for the bytes of a file; `where` names them in messages.
std::string textOfFile(std::string bytes, const std::string& where,
                       std::uint64_t maxBytes = kMaxTextBytes);

/// Bytes that must be text, without their byte order mark. Throws Error if they are empty or not
/// UTF-8.
std::string checkedText(std::string bytes, const std::string& where);

}  // namespace tfm::io
