// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/gguf.h"

namespace tfm::data {

/// The tokenizer of a GGUF file as a tokenizer.json: byte pairs (tokenizer.ggml.model "gpt2") with
/// the patterns that its "pre" names. Throws Error naming `where` for another one.
std::string ggufTokenizerJson(const io::GgufFile& file, const std::string& where);

}  // namespace tfm::data
