// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// Learns a vocabulary for WordPiece from the words of texts: [PAD], [UNK], [CLS], [SEP]; the
/// characters, by code point; the same as continuations; then, one after the other, the most
/// frequent pair of neighbours joined into one piece, until there are `vocabulary_size` tokens or
/// no pair occurs `least_count` times (Sennrich et al. 2016, algorithm 1, in WordPiece's notation,
/// as the WordPiece trainer of Hugging Face's tokenizers does; Schuster and Nakajima 2012 choose
/// the pair that makes the text most likely instead, which favours rare pairs). Of equally
/// frequent pairs the one of the earlier tokens wins, so the order of the texts does not matter.
/// Characters rarer than `least_count`, or for which there is no room, are left out with all words
/// that hold them; so are words that are too long. Every other word of the texts can be cut into
/// learned pieces. Throws Error where there is nothing to learn.
std::vector<std::string> learnWordPieces(const TokenizerConfig& config,
                                         std::span<const std::string> texts);

}  // namespace tfm::data
