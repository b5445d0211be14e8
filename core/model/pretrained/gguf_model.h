// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/io/gguf.h"
#include "core/model/pretrained/foreign_files.h"

namespace tfm {

/// A GGUF file in the words of the transformers library.
struct GgufModel {
  std::string json;  ///< its config.json
  io::StoredTensors tensors;
};

/// Of the architectures llama (Llama, Mistral, SmolLM2), qwen2 and gpt2. Rows of rotary queries and
/// keys, which llama files have as neighbours, become halves. Throws Error naming `where` and the
/// value that is missing or not read; tensors that are not known keep a name that no family has.
GgufModel ggufModel(const io::GgufFile& file, const std::string& where);

/// The other way round: what writeGguf() needs of a model, without the tokenizer. The parameters
/// must outlive it.
struct GgufFiles {
  io::GgufFile file;
  ForeignFiles model;                    ///< with the names of GGUF in its map
  std::vector<std::vector<float>> held;  ///< what is not in the order that we have it in
};
/// `config`: of the model. Throws Error naming what such a file cannot say.
GgufFiles ggufFiles(ForeignFiles model, const ModelConfig& config);

}  // namespace tfm
