// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A text encoder that others have trained.
struct PretrainedEncoder {
  ModelConfig config;
  AlignedVector<float> parameters;  ///< follow parameterLayout(config)
  std::string content;              ///< name of the content of its files, to tell encoders apart
};

/// Reads config.json and model.safetensors of a folder as the Hugging Face hub keeps a BERT. Throws
/// Error naming the file and what is wrong in it (see bertConfig() and bertParameters()); where the
/// weights are there as pytorch_model.bin only, the hint says how to convert them.
PretrainedEncoder readPretrainedEncoder(const std::filesystem::path& folder);

/// Its config.json alone.
ModelConfig readPretrainedConfig(const std::filesystem::path& folder);

/// Its vocab.txt, a token a line. Throws Error where it has more lines than the config has tokens,
/// and where a tokenizer_config.json beside it says that the encoder is a cased one: texts are read
/// in lower case.
std::string readPretrainedVocabulary(const std::filesystem::path& folder);

}  // namespace tfm
