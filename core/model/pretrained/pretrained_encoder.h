// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A pretrained encoder, of texts or of rows of numbers.
struct PretrainedEncoder {
  ModelConfig config;
  AlignedVector<float> parameters;  ///< follow parameterLayout(config)
  std::string content;              ///< hash of its files
  bool batch_first = true;          ///< its inputs count sequences first, then positions
};

/// Reads config.json and model.safetensors, or model.npz, from a folder in the layout of the
/// Hugging Face Hub. A config.json whose model_type is "funnel" describes a Funnel-Transformer,
/// "TransformerEncoder" an encoder of PyTorch, any other a BERT. Throws Error naming the file and
/// what is wrong in it (see bertConfig(), funnelConfig(), torchEncoderConfig() and their
/// parameters); if there is only a pytorch_model.bin, the hint says how to convert it.
PretrainedEncoder readPretrainedEncoder(const std::filesystem::path& folder);

/// The encoder that a config.json describes. Throws Error naming `where`, as above.
ModelConfig pretrainedConfig(std::string_view json, const std::string& where);

/// Reads its config.json only.
ModelConfig readPretrainedConfig(const std::filesystem::path& folder);

/// Reads its vocab.txt, one token per line; a Funnel's special tokens get the names of BERT's.
/// Throws Error if it has more lines than the config has tokens, or if a tokenizer_config.json says
/// that the encoder is cased, as texts are read in lower case, or if it reads numbers, not texts.
std::string readPretrainedVocabulary(const std::filesystem::path& folder);

}  // namespace tfm
