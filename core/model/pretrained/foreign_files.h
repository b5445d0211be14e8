// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"
#include "core/model/model_config.h"
#include "core/model/pretrained/family.h"

namespace tfm {

/// A model as the transformers library has those of a family.
struct ForeignFiles {
  const Family* family = nullptr;
  std::string config;  ///< the fields of config.json, without those about tokens
  /// With the names that the library gives them. What is as we have it is not copied: the
  /// parameters must outlive it.
  io::TensorFile weights;
  std::vector<MappedTensor> map;                 ///< what becomes of each of our parameters
  std::vector<std::string> other_families = {};  ///< that have this model, too
};

/// The types of the families that are written, for messages.
std::string writtenFamilies();

/// How the functions of two configs differ, as words: "norm is "layer_norm", not "rms_norm"";
/// empty: they are one. What matters in training only is left out, and numbers are compared as
/// floats.
std::vector<std::string> differencesOf(const ModelConfig& is, const ModelConfig& expected);
/// The first of them as one text.
std::string joined(const std::vector<std::string>& differences);

/// The first of families() that has a model, that of type `preferred` before all, or the one of
/// type `as`. Whether a family has it is decided by reading back the config that would be written.
/// `pad`: the pad's id. Throws Error naming what no family, or not this one, has: a setting of the
/// config, or parameters that it has no place for.
ForeignFiles foreignFiles(const ModelConfig& config, std::span<const float> parameters,
                          std::int64_t pad = 0, std::string_view as = {},
                          std::string_view preferred = {});

/// The largest file of weights that is written, as of the transformers library.
inline constexpr std::uint64_t kLargestShard = 5'000'000'000;

/// Writes model.safetensors, or several files with model.safetensors.index.json if the weights are
/// more than `most` bytes. Returns their names. Throws Error.
std::vector<std::string> writeWeights(const std::filesystem::path& folder,
                                      const io::TensorFile& weights,
                                      std::uint64_t most = kLargestShard);

}  // namespace tfm
