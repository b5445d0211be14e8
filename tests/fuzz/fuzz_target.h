// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

/// Gives one input to a reader: 0 where it was accepted, -1 where it was refused with tfm::Error.
/// Any other exception, a crash or a sanitizer's report is a bug. The name and the form are
/// libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tfm::fuzz {

/// Valid inputs of the target, to be mutated.
std::vector<std::string> seeds();

inline std::string_view asText(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The result of LLVMFuzzerTestOneInput() for a reader.
template <class Reader>
int outcomeOf(Reader&& reader) {
  try {
    reader();
    return 0;
  } catch (const Error&) {
    return -1;
  }
}

}  // namespace tfm::fuzz
