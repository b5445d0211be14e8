// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

/// A translation by a model, and those by people.
struct Translation {
  std::string hypothesis;
  std::vector<std::string> references;  ///< at least one
};

/// The longest n-grams that BLEU compares.
inline constexpr std::size_t kBleuOrder = 4;

/// BLEU and its components; entry n - 1 of a list is about n-grams.
struct Bleu {
  double score = 0.0;                           ///< 0 to 100
  std::array<double, kBleuOrder> precisions{};  ///< smoothed, 0 to 100
  std::array<std::int64_t, kBleuOrder> matches{};
  std::array<std::int64_t, kBleuOrder> totals{};
  double brevity_penalty = 0.0;
  std::int64_t hypothesis_length = 0;  ///< in tokens
  std::int64_t reference_length = 0;   ///< of the reference closest in length to each hypothesis
  /// How it was computed, as in sacrebleu but without its version.
  std::string signature;
};

/// BLEU of a corpus (Papineni et al. 2002) as sacrebleu computes it by default (Post 2018): of
/// bleuTokens() in their case; a precision without a match is 100 / (2^k total) for the k-th such
/// one (Chen and Cherry 2014, method 3), and the score is 0 without any match or without n-grams of
/// an order. Texts are detokenized; there is at least one. Throws Error if one is not UTF-8.
Bleu corpusBleu(std::span<const Translation> translations);

/// The tokens of a text by mteval-v13a, as in sacrebleu: punctuation and symbols of ASCII are
/// separate tokens, except ' and -; so are periods and commas, except between digits, and - after a
/// digit.
std::vector<std::string> bleuTokens(std::string_view text);

}  // namespace tfm::data
