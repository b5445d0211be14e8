// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

/// Memory available for allocation in bytes; the largest std::int64_t if unknown.
std::int64_t availableMemory();

/// Throws Error if fewer than `bytes` bytes are available: "`what` needs about 2 GB of memory and
/// 1.5 GB are free".
void requireAvailable(const std::string& what, std::int64_t bytes, const std::string& where,
                      const std::string& hint);

/// A size in decimal units with three significant digits, e.g. "1.5 GB".
std::string byteText(std::int64_t bytes);

}  // namespace tfm
