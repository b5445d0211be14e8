// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/gguf.h"

namespace tfm {

/// A GGUF file in the words of the transformers library.
struct GgufModel {
  std::string json;  ///< its config.json
  io::StoredTensors tensors;
};

/// Of the architectures llama (Llama, Mistral, SmolLM2) and qwen2. Rows of rotary queries and keys,
/// which llama files have as neighbours, become halves. Throws Error naming `where` and the value
/// that is missing or not read; tensors that are not known keep a name that no family has.
GgufModel ggufModel(const io::GgufFile& file, const std::string& where);

}  // namespace tfm
