// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// Learns byte pairs (Sennrich et al. 2016, algorithm 1) from texts, for BytePairs: <pad>,
/// <unknown>, <start>; the characters, by code point; then the most frequent pair of neighbours
/// within the spacedWords() is merged repeatedly, as below. Texts of two languages give one
/// vocabulary for both.
std::vector<std::string> learnBytePairs(const TokenizerConfig& config,
                                        std::span<const std::string> texts);

/// Learns a WordPiece vocabulary from texts: [PAD], [UNK], [CLS], [SEP]; the characters, by code
/// point; the same as continuations; then the most frequent pair of neighbours is merged repeatedly
/// until there are `vocabulary_size` tokens or no pair occurs `least_count` times (Sennrich et al.
/// 2016, algorithm 1, in WordPiece's notation, like the WordPiece trainer of Hugging Face's
/// tokenizers; Schuster and Nakajima 2012 instead choose the pair that most increases the
/// likelihood, which favours rare pairs). Of equally frequent pairs, that of the earlier tokens is
/// merged, so the order of the texts does not matter. Characters that are too rare or do not fit
/// are dropped with all words that contain them, as are words that are too long. All other words of
/// the texts can be split into learned pieces. Throws Error if there is nothing to learn.
std::vector<std::string> learnWordPieces(const TokenizerConfig& config,
                                         std::span<const std::string> texts);

}  // namespace tfm::data
