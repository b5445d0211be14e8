// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tfm {

/// Bytes that the system can still give, or nothing known: the largest number.
std::int64_t availableMemory();

/// "1.5 GB": three significant digits.
std::string byteText(std::int64_t bytes);

}  // namespace tfm
