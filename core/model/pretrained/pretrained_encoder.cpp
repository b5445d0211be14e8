// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/pretrained_encoder.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/content_hash.h"
#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/npz.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/bert_config.h"
#include "core/model/pretrained/bert_parameters.h"
#include "core/model/pretrained/funnel_config.h"
#include "core/model/pretrained/funnel_parameters.h"
#include "core/model/pretrained/torch_encoder.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxConfigBytes = 1 << 26;

fs::path configPath(const fs::path& folder) { return folder / "config.json"; }

void requireFolder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw Error("this is not a folder", folder.string(),
                "Choose the folder of a BERT or Funnel with config.json, model.safetensors and "
                "vocab.txt, or of an encoder of PyTorch");
}

/// A family of encoders: its "model_type", and how its config.json and its tensors are read.
struct Family {
  std::string_view type;
  decltype(&bertConfig) config;
  decltype(&bertParameters<float>) parameters;
};
constexpr Family kFamilies[]{
    {"funnel", funnelConfig, funnelParameters<float>},
    {"TransformerEncoder", torchEncoderConfig, torchEncoderParameters<float>}};
constexpr Family kBert{"", bertConfig, bertParameters<float>};  // not every BERT has a type

const Family& familyOf(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  const nlohmann::json type =
      object.is_object() ? object.value("model_type", nlohmann::json()) : nlohmann::json();
  for (const Family& family : kFamilies)
    if (type == family.type) return family;
  return kBert;
}

/// The weights file. Throws Error with a way to convert them for a sharded checkpoint and for
/// pickled weights.
fs::path weightsPath(const fs::path& folder) {
  const fs::path path = folder / "model.safetensors";
  std::error_code ignored;
  const auto has = [&](const char* name) { return fs::exists(folder / name, ignored); };
  if (has("model.safetensors")) return path;
  if (has("model.npz")) return folder / "model.npz";
  if (has("model.safetensors.index.json"))
    throw Error("the weights are a sharded checkpoint: model.safetensors.index.json and its parts",
                folder.string(),
                "Join them in that folder: python3 -c \"import glob, safetensors.numpy as s; "
                "s.save_file({k: v for f in glob.glob('model-*-of-*.safetensors') "
                "for k, v in s.load_file(f).items()}, 'model.safetensors')\"");
  if (has("pytorch_model.bin.index.json"))
    throw Error("the weights are a sharded checkpoint: pytorch_model.bin.index.json and its parts",
                folder.string(),
                "Join and convert them in that folder: python3 -c \"import glob, torch, "
                "safetensors.torch as s; s.save_file({k: v.clone() for f in "
                "glob.glob('pytorch_model-*-of-*.bin') for k, v in torch.load(f, "
                "weights_only=True).items()}, 'model.safetensors')\"");
  if (has("pytorch_model.bin"))
    throw Error("there is no model.safetensors, only pytorch_model.bin", folder.string(),
                "Convert it in that folder: python3 -c \"import torch, safetensors.torch as s; "
                "s.save_file({k: v.clone() for k, v in torch.load('pytorch_model.bin', "
                "weights_only=True).items()}, 'model.safetensors')\"");
  return path;
}

/// A Funnel's vocabulary with the names that BERT has for the special tokens.
std::string withBertNames(const std::string& text) {
  constexpr std::array kNames{std::pair{"<pad>", "[PAD]"}, std::pair{"<unk>", "[UNK]"},
                              std::pair{"<cls>", "[CLS]"}, std::pair{"<sep>", "[SEP]"},
                              std::pair{"<mask>", "[MASK]"}};
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const auto named = std::ranges::find(kNames, line, [](const auto& n) { return n.first; });
    all += (named == kNames.end() ? line : named->second) + '\n';
  }
  return all;
}

void refuseCased(const fs::path& folder) {
  const fs::path path = folder / "tokenizer_config.json";
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  const nlohmann::json json = io::parseJson(io::readTextFile(path, kMaxConfigBytes), path.string());
  if (!io::ObjectReader(json, path.string()).get("do_lower_case", true))
    throw Error("the encoder is cased", path.string(),
                "Choose an uncased BERT: texts are read in lower case");
}

}  // namespace

ModelConfig pretrainedConfig(std::string_view json, const std::string& where) {
  return familyOf(json, where).config(json, where);
}

ModelConfig readPretrainedConfig(const fs::path& folder) {
  requireFolder(folder);
  const fs::path path = configPath(folder);
  return pretrainedConfig(io::readTextFile(path, kMaxConfigBytes), path.string());
}

PretrainedEncoder readPretrainedEncoder(const fs::path& folder) {
  requireFolder(folder);
  ContentHash hash;
  PretrainedEncoder encoder;
  const std::string config = io::readTextFile(configPath(folder), kMaxConfigBytes);
  hash.add(config);
  const Family& family = familyOf(config, configPath(folder).string());
  encoder.config = family.config(config, configPath(folder).string());
  if (encoder.config.input == InputKind::Features)
    encoder.batch_first = isBatchFirst(config, configPath(folder).string());
  const fs::path path = weightsPath(folder);
  io::NamedTensors tensors;
  {
    const std::string file = io::readFile(path, io::kMaxSafetensorsBytes);
    hash.add(file);
    const auto bytes = std::as_bytes(std::span(file));
    tensors = path.extension() == ".npz" ? io::parseNpz(bytes, path.string())
                                         : io::parseSafetensors(bytes, path.string()).tensors;
  }
  encoder.parameters = family.parameters(encoder.config, tensors, path.string());
  encoder.content = hash.text();
  return encoder;
}

std::string readPretrainedVocabulary(const fs::path& folder) {
  const ModelConfig config = readPretrainedConfig(folder);
  if (config.input == InputKind::Features)
    throw Error("this encoder reads rows of numbers, not texts", folder.string(),
                "Choose the folder of a BERT or Funnel");
  const std::int64_t known = config.source_vocabulary;
  refuseCased(folder);
  const fs::path path = folder / "vocab.txt";
  std::string text = io::readTextFile(path, kMaxConfigBytes);
  const std::int64_t lines = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
  if (lines > known)
    throw Error("the vocabulary has " + std::to_string(lines) + " tokens", path.string(),
                "The config.json describes an encoder of " + std::to_string(known));
  // Of the two families, only Funnel's positions are relative.
  return config.positions == Positions::Relative ? withBertNames(text) : text;
}

}  // namespace tfm
