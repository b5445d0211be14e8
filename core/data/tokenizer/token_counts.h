// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/data/tokenizer/basic_tokenizer.h"

namespace tfm::data {

/// Splits a text into parts.
using Splitter = void (*)(std::string_view text, const PartVisitor& visit);

struct CountedToken {
  std::string token;
  std::int64_t count = 0;
};

/// Sorts by descending count, then by code point.
std::vector<CountedToken> byFrequency(const std::unordered_map<std::string, std::int64_t>& counts);

/// The distinct parts of all texts in the order of byFrequency().
std::vector<CountedToken> countTokens(std::span<const std::string> texts, Splitter split);

/// The first `max_tokens` of `tokens`, sorted as by countTokens(), that occur at least `min_count`
/// times. Throws Error if there are none.
std::vector<std::string> frequentTokens(std::span<const CountedToken> tokens,
                                        std::int64_t min_count, std::int64_t max_tokens);

}  // namespace tfm::data
