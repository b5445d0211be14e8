// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tfm::io {

/// Arrays and objects within each other that a JSON text may have.
inline constexpr int kMaxJsonDepth = 64;

/// Parses a JSON text from an untrusted source. Throws Error naming `where` (and line and column,
/// where they help) for text that is not UTF-8 or not JSON, nested deeper than `maxDepth`, or with
/// a key twice in one object, which other readers would resolve differently.
nlohmann::json parseJson(std::string_view text, const std::string& where,
                         int maxDepth = kMaxJsonDepth);

}  // namespace tfm::io
