// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A pretrained encoder, of texts or of rows of numbers.
struct PretrainedEncoder {
  ModelConfig config;
  AlignedVector<float> parameters;      ///< follow parameterLayout(config)
  std::string content;                  ///< hash of its files
  bool batch_first = true;              ///< its inputs count sequences first, then positions
  std::vector<std::string> notes = {};  ///< how its files were read otherwise than as they are
};

/// Reads config.json and model.safetensors, or model.npz, from a folder in the layout of the
/// Hugging Face Hub. A config.json whose model_type is "bert" or missing describes a BERT, "funnel"
/// a Funnel-Transformer, "TransformerEncoder" an encoder of PyTorch; others are refused by name.
/// What a wrapper put before the names of all tensors is left out. Throws Error naming the file and
/// what is wrong in it (see bertConfig(), funnelConfig(), torchEncoderConfig() and their
/// parameters); if there is only a pytorch_model.bin, the hint says how to convert it.
PretrainedEncoder readPretrainedEncoder(const std::filesystem::path& folder);

/// The encoder that a config.json describes. Throws Error naming `where`, as above.
ModelConfig pretrainedConfig(std::string_view json, const std::string& where);

/// Reads its config.json only.
ModelConfig readPretrainedConfig(const std::filesystem::path& folder);

}  // namespace tfm
