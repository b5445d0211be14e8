// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tfm::data {

/// Rewrites the names of tokens so that, joined, they are the text.
using TokenDecoder = std::function<void(std::vector<std::string>&)>;

/// The "decoder" of a tokenizer.json: Sequence, ByteLevel, Metaspace, Replace, ByteFallback, Fuse,
/// Strip, WordPiece or BPEDecoder, as in the tokenizers library; null puts spaces between tokens.
/// Throws Error as normalizerFrom().
TokenDecoder tokenDecoderFrom(const nlohmann::json& object, const std::string& where);

}  // namespace tfm::data
