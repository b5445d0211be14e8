// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// A SentencePiece model (Kudo and Richardson 2018): pieces with scores, and how texts are
/// rewritten before.
struct SentencePieces {
  /// As in sentencepiece_model.proto.
  enum class Type { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };
  struct Piece {
    std::string text;
    double score = 0.0;
    Type type = Type::Normal;
  };

  std::vector<Piece> pieces;      ///< by id
  bool unigram = true;            ///< the most probable pieces; else byte pairs by score
  std::string rewriting;          ///< "precompiled_charsmap"; empty: none
  bool begins_with_space = true;  ///< "add_dummy_prefix"
  bool collapses_spaces = true;   ///< "remove_extra_whitespaces"
};

/// Reads a tokenizer.model, spiece.model or source.spm. Throws Error naming `where` for a file that
/// is none, and for models of words or characters.
SentencePieces parseSentencePieces(std::string_view bytes, const std::string& where);

/// With the ids of a vocab.json instead: tokens by id, of which those that the model does not have
/// are in no text (Marian, whose two models share a vocabulary).
SentencePieces withIds(const SentencePieces& model, std::span<const std::string> tokens);

/// As a tokenizer.json. `before`, `after`: tokens around each text.
std::string sentencePieceJson(const SentencePieces& model, const Ids& before, const Ids& after);

}  // namespace tfm::data
