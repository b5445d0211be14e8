// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model_config.h"
#include "core/model/pretrained/family.h"
#include "core/model/pretrained/model_map.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A pretrained model: an encoder of texts or of rows of numbers, or a decoder.
struct PretrainedModel {
  ModelConfig config;
  AlignedVector<float> parameters;      ///< follow parameterLayout(config)
  bool batch_first = true;              ///< an encoder of rows counts sequences first
  std::vector<std::string> notes = {};  ///< how its files were read otherwise than as they are
  std::string family = {};              ///< its type; empty: a map described it
};

/// Whether a path is that of a GGUF file.
bool isGguf(const std::filesystem::path& path);

/// Reads a GGUF file (see ggufModel()), or config.json and the weights from a folder in the layout
/// of the Hugging Face Hub: model.safetensors, or the parts that model.safetensors.index.json
/// lists, or model.npz. A config.json without model_type describes a BERT; families that are not in
/// families() are refused by name. What a wrapper put before the names of all tensors is left out.
/// No more than the parameters and a part of one tensor is in memory. Throws Error naming the file
/// and what is wrong in it; if there is only a pytorch_model.bin, the hint says how to convert it.
/// Without a head an encoder ends with its hidden states, as readPretrainedConfig() has it.
PretrainedModel readPretrainedModel(const std::filesystem::path& folder, bool with_head = true);
/// Reads a .safetensors or .npz as a map describes it.
PretrainedModel readMappedModel(const std::filesystem::path& weights, const ModelMap& map);

/// How the tensors of the folder become our parameters (see tensorMap()); of the weights only
/// names, types and shapes are read. Throws the errors of readPretrainedModel() but those about
/// numbers.
std::vector<MappedTensor> readTensorMap(const std::filesystem::path& folder);
/// The same of a .safetensors or .npz and a map of it.
std::vector<MappedTensor> readTensorMap(const std::filesystem::path& weights, const ModelMap& map);

/// The hash of a folder's config.json and weights.
std::string pretrainedContent(const std::filesystem::path& folder);

/// The model that a config.json describes. Throws Error naming `where`, as above.
ModelConfig pretrainedConfig(std::string_view json, const std::string& where);

/// Reads its config.json only, which does not say whether there is a head.
ModelConfig readPretrainedConfig(const std::filesystem::path& folder);

}  // namespace tfm
