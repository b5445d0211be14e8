// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/data/vocabulary.h"
#include "core/io/gguf.h"

namespace tfm::data {

/// The tokenizer of a GGUF file as a tokenizer.json: byte pairs (tokenizer.ggml.model "gpt2") with
/// the patterns that its "pre" names, or SentencePiece's by scores ("llama"). Throws Error naming
/// `where` for another one.
std::string ggufTokenizerJson(const io::GgufFile& file, const std::string& where);
/// Its tokens that end an answer or a turn; those that are none of `rows` are left out.
Ids ggufEnds(const io::GgufFile& file, std::int64_t rows);

}  // namespace tfm::data
