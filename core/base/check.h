// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <source_location>

namespace tfm {

/// Throws std::logic_error naming `contract` and `place`. Not inline, to keep check() small.
[[noreturn]] void failCheck(const char* contract, const std::source_location& place);

/// Asserts an internal contract (a shape, a range), in release builds too.
inline void check(bool holds, const char* contract,
                  const std::source_location& place = std::source_location::current()) {
  if (!holds) [[unlikely]]
    failCheck(contract, place);
}

}  // namespace tfm
