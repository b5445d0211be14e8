// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <source_location>

namespace tfm {

/// Throws std::logic_error naming `contract` and the caller's place. Out of line to keep check()
/// small.
[[noreturn]] void failCheck(const char* contract, const std::source_location& place);

/// Asserts a contract between pieces of our own code (shapes, ranges), in every build.
inline void check(bool holds, const char* contract,
                  const std::source_location& place = std::source_location::current()) {
  if (!holds) [[unlikely]]
    failCheck(contract, place);
}

}  // namespace tfm
