// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tfm::io {

/// The deepest nesting of arrays and objects in a JSON text.
inline constexpr int kMaxJsonDepth = 64;

/// Parses a JSON text from an untrusted source. Throws Error naming `where` (and line and column if
/// known) if the text is not UTF-8 or not JSON, is nested deeper than `maxDepth`, or repeats a key
/// in an object, which parsers resolve differently.
nlohmann::json parseJson(std::string_view text, const std::string& where,
                         int maxDepth = kMaxJsonDepth);

}  // namespace tfm::io
