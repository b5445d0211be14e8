// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfm::data {

/// Cuts a text into parts.
using Splitter = std::vector<std::string> (*)(std::string_view text);

struct CountedToken {
  std::string token;
  std::int64_t count = 0;
};

/// Most frequent first, equally frequent ones by code point.
std::vector<CountedToken> byFrequency(const std::unordered_map<std::string, std::int64_t>& counts);

/// The different parts of all texts in that order.
std::vector<CountedToken> countTokens(std::span<const std::string> texts, Splitter split);

/// The first `most` of `tokens`, which are in the order of countTokens(), as far as they occur at
/// least `least` times. Throws Error where that leaves none.
std::vector<std::string> frequentTokens(std::span<const CountedToken> tokens, std::int64_t least,
                                        std::int64_t most);

}  // namespace tfm::data
