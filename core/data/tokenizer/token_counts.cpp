// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/token_counts.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace tfm::data {

std::vector<CountedToken> byFrequency(const std::unordered_map<std::string, std::int64_t>& counts) {
  std::vector<CountedToken> sorted;
  sorted.reserve(counts.size());
  for (const auto& [token, count] : counts) sorted.push_back({token, count});
  std::sort(sorted.begin(), sorted.end(), [](const CountedToken& one, const CountedToken& other) {
    // Bytewise order of UTF-8 is the order of code points.
    return one.count != other.count ? one.count > other.count : one.token < other.token;
  });
  return sorted;
}

std::vector<CountedToken> countTokens(std::span<const std::string> texts, Splitter split) {
  std::unordered_map<std::string, std::int64_t> counts;
  for (const std::string& text : texts)
    split(text, [&counts](std::string token) { ++counts[std::move(token)]; });
  return byFrequency(counts);
}

std::vector<std::string> frequentTokens(std::span<const CountedToken> tokens,
                                        std::int64_t min_count, std::int64_t max_tokens) {
  std::vector<std::string> result;
  for (const auto& [token, count] : tokens) {
    if (count < min_count || static_cast<std::int64_t>(result.size()) >= max_tokens) break;
    result.push_back(token);
  }
  if (tokens.empty())
    throw Error("there is nothing to learn a vocabulary from", "tokenizer",
                "Choose a text with words in it");
  if (result.empty())
    throw Error("a vocabulary of " + std::to_string(std::max<std::int64_t>(max_tokens, 0)) +
                    " tokens that occur " + std::to_string(min_count) +
                    " times has none: the most frequent one occurs " +
                    std::to_string(tokens.front().count) + " times",
                "tokenizer",
                max_tokens <= 0 ? "Choose a larger vocabulary_size."
                                : "Use more texts, or choose a vocabulary file.");
  return result;
}

}  // namespace tfm::data
