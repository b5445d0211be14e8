// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/data/vocabulary.h"
#include "core/io/gguf.h"

namespace tfm::data {

/// The tokenizer of a GGUF file as a tokenizer.json: byte pairs (tokenizer.ggml.model "gpt2") with
/// the patterns that its "pre" names, or SentencePiece's by scores ("llama"). Throws Error naming
/// `where` for another one.
std::string ggufTokenizerJson(const io::GgufFile& file, const std::string& where);
/// What the tokens of a model do; -1: there is none.
struct GgufRoles {
  std::int32_t first = -1;  ///< begins every text
  std::int32_t pad = -1;
  Ids ends = {};
};
/// The other way round: the values of a tokenizer.json (see tokenizerFile()) of byte pairs with one
/// of those patterns, or of single characters of ASCII; `rows`: of the model's token table. Throws
/// Error for another one.
std::map<std::string, io::GgufValue> ggufTokenizerValues(const std::string& tokenizer_json,
                                                         std::int64_t rows, const GgufRoles& roles);
/// Its tokens that end an answer or a turn; those that are none of `rows` are left out.
Ids ggufEnds(const io::GgufFile& file, std::int64_t rows);

}  // namespace tfm::data
