// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/pretrained_encoder.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/content_hash.h"
#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
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

/// A family of encoders: how its config.json and its tensors are read. Another family is a row
/// here.
struct Family {
  std::string_view type;  ///< its "model_type"
  decltype(&bertConfig) config;
  decltype(&bertParameters<float>) parameters;
  std::string_view begins;  ///< as the names of its classes in "architectures"; empty: any
  /// Beginnings of names of tensors, one of which every file has.
  std::vector<std::string_view> tensors;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"bert",
       bertConfig,
       bertParameters<float>,
       "Bert",
       {"embeddings.word_embeddings", "bert.embeddings.word_embeddings"}},
      {"funnel",
       funnelConfig,
       funnelParameters<float>,
       "Funnel",
       {"embeddings.word_embeddings", "funnel.embeddings.word_embeddings"}},
      {"TransformerEncoder",
       torchEncoderConfig,
       torchEncoderParameters<float>,
       "",
       {"layers.0.", "self_attn.", "network.0.", "block1."}}};
  return all;
}

/// The first class that a config.json names in "architectures", or empty.
std::string architectureIn(const nlohmann::json& object) {
  const nlohmann::json names = object.value("architectures", nlohmann::json());
  return names.is_array() && !names.empty() && names.front().is_string()
             ? names.front().get<std::string>()
             : std::string();
}

/// Not every BERT has a "model_type". Throws Error for another family, as its encoders compute
/// something else even where their files look the same.
const Family& familyOf(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  const bool has_type = object.is_object() && object.contains("model_type");
  std::string names;
  for (const Family& family : families()) {
    if (has_type && object["model_type"] != family.type) {
      names += (names.empty() ? "" : ", ") + std::string(family.type);
      continue;
    }
    const std::string architecture = object.is_object() ? architectureIn(object) : "";
    if (!architecture.starts_with(family.begins) && !architecture.empty())
      throw Error("the architecture is " + io::inQuotes(architecture), where,
                  "Expected one that begins with " + std::string(family.begins) +
                      ": the model_type is " + (has_type ? "" : "missing, which means ") +
                      std::string(family.type));
    return family;
  }
  throw Error("the model_type is " + io::shortened(object["model_type"].dump(), 60), where,
              "Encoders of these families are read: " + names);
}

/// What training tools put before the names of all tensors ("module.", "_orig_mod."): the parts
/// that all names begin with and without which they are those of the family; else empty.
std::string wrapperOf(const io::NamedTensors& tensors, const Family& family) {
  if (tensors.empty()) return {};
  // The names are sorted, so the first and the last have the least in common.
  const std::string &first = tensors.begin()->first, &last = tensors.rbegin()->first;
  const auto differ = std::ranges::mismatch(first, last);
  const std::string_view common(first.begin(), differ.in1);
  const auto isRight = [&](std::size_t cut) {
    return std::ranges::any_of(tensors, [&](const auto& tensor) {
      const std::string_view rest = std::string_view(tensor.first).substr(cut);
      return std::ranges::any_of(family.tensors,
                                 [&](std::string_view begin) { return rest.starts_with(begin); });
    });
  };
  for (std::size_t cut = 0;;) {
    if (isRight(cut)) return first.substr(0, cut);
    const std::size_t dot = common.find('.', cut);
    if (dot == common.npos) return {};
    cut = dot + 1;
  }
}

/// Takes the beginning off the names that have it.
template <class Value>
void shortenNames(const std::string& beginning, std::map<std::string, Value>& named) {
  std::map<std::string, Value> renamed;
  while (!named.empty()) {
    auto node = named.extract(named.begin());
    if (node.key().starts_with(beginning)) node.key().erase(0, beginning.size());
    renamed.insert(std::move(node));
  }
  named = std::move(renamed);
}

/// Throws `error` again; where it says that a tensor is missing which is there with elements of a
/// type that is not read, says that.
[[noreturn]] void throwAgain(const Error& error, const io::TensorFile& file,
                             const std::string& where) {
  for (const auto& [name, type] : file.unread)
    if (error.problem().find(io::inQuotes(name)) != std::string::npos)
      throw Error("tensor " + io::inQuotes(name) + " holds " + type, where,
                  "Expected F32, F64, F16 or BF16");
  throw error;
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
  io::TensorFile weights;
  {
    const std::string file = io::readFile(path, io::kMaxSafetensorsBytes);
    hash.add(file);
    const auto bytes = std::as_bytes(std::span(file));
    if (path.extension() == ".npz")
      weights.tensors = io::parseNpz(bytes, path.string());
    else
      weights = io::parseSafetensors(bytes, path.string());
  }
  const std::string wrapper = wrapperOf(weights.tensors, family);
  if (!wrapper.empty()) {
    shortenNames(wrapper, weights.tensors);
    shortenNames(wrapper, weights.unread);
    encoder.notes.push_back("the names of all tensors begin with " + io::inQuotes(wrapper) +
                            ", which was left out");
  }
  try {
    encoder.parameters = family.parameters(encoder.config, weights.tensors, path.string());
  } catch (const Error& error) {
    throwAgain(error, weights, path.string());
  }
  encoder.content = hash.text();
  return encoder;
}

}  // namespace tfm
