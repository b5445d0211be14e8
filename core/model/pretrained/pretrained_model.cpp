// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/pretrained_model.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
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
#include "core/model/pretrained/gguf_model.h"
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
                "Choose the folder of a model with config.json, model.safetensors and the files of "
                "its tokenizer");
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
              "Models of these families are read: " + names);
}

/// What training tools put before the names of all tensors ("module.", "_orig_mod."): the parts
/// that all names begin with and without which they are those of the family; else empty.
std::string wrapperOf(const io::StoredTensors& tensors, const Family& family) {
  if (tensors.empty()) return {};
  // The names are sorted, so the first and the last have the least in common.
  const std::string &first = tensors.begin()->first, &last = tensors.rbegin()->first;
  const auto differ = std::ranges::mismatch(first, last);
  const std::string_view common(first.begin(), differ.in1);
  const auto isRight = [&](std::size_t cut) {
    return std::ranges::any_of(tensors, [&](const auto& tensor) {
      const std::string_view rest = std::string_view(tensor.first).substr(cut);
      return std::ranges::any_of(family.marks,
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
void shortenNames(const std::string& beginning, io::StoredTensors& tensors) {
  io::StoredTensors renamed;
  while (!tensors.empty()) {
    auto node = tensors.extract(tensors.begin());
    if (node.key().starts_with(beginning)) node.key().erase(0, beginning.size());
    renamed.insert(std::move(node));
  }
  tensors = std::move(renamed);
}

bool holds(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::exists(folder / name, ignored);
}

constexpr const char* kIndex = "model.safetensors.index.json";

/// The parts of a sharded checkpoint, and which of them has each tensor.
std::map<std::string, std::string> readIndex(const fs::path& path) {
  const std::string where = path.string();
  const nlohmann::json index = io::parseJson(io::readTextFile(path, kMaxConfigBytes), where);
  const nlohmann::json map =
      index.is_object() ? index.value("weight_map", nlohmann::json()) : nlohmann::json();
  if (!map.is_object() || map.empty())
    throw Error("'weight_map' is missing", where, "Expected the file of each tensor");
  std::map<std::string, std::string> files;
  for (const auto& [tensor, file] : map.items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : std::string();
    if (name.empty() || fs::path(name).filename() != name || name == "..")
      throw Error("the file of " + io::inQuotes(tensor) + " is " + io::shortened(file.dump(), 60),
                  where, "Expected the name of a file in the same folder");
    files[tensor] = name;
  }
  return files;
}

/// Throws Error if a part lacks a tensor that the index says it has, or has one that it does not
/// say.
io::StoredTensors openShards(const fs::path& folder) {
  const std::map<std::string, std::string> files = readIndex(folder / kIndex);
  io::StoredTensors tensors;
  std::set<std::string> opened;
  for (const auto& [tensor, file] : files) {
    if (!opened.insert(file).second) continue;
    for (auto& [name, stored] : io::openSafetensors(folder / file)) {
      const auto listed = files.find(name);
      if (listed == files.end() || listed->second != file)
        throw Error("tensor " + io::inQuotes(name) + " is in " + io::inQuotes(file),
                    (folder / kIndex).string(),
                    listed == files.end() ? "The index does not list it"
                                          : "The index says it is in " + listed->second);
      tensors[name] = std::move(stored);
    }
  }
  for (const auto& [tensor, file] : files)
    if (!tensors.contains(tensor))
      throw Error("tensor " + io::inQuotes(tensor) + " is missing", (folder / file).string(),
                  "The index says it is in this file: copy all parts of one checkpoint");
  return tensors;
}

/// Why there are no weights, with a way to convert pickled ones.
[[noreturn]] void throwWithoutWeights(const fs::path& folder) {
  if (holds(folder, "pytorch_model.bin.index.json"))
    throw Error("the weights are a sharded checkpoint: pytorch_model.bin.index.json and its parts",
                folder.string(),
                "Join and convert them in that folder: python3 -c \"import glob, torch, "
                "safetensors.torch as s; s.save_file({k: v.clone() for f in "
                "glob.glob('pytorch_model-*-of-*.bin') for k, v in torch.load(f, "
                "weights_only=True).items()}, 'model.safetensors')\"");
  if (holds(folder, "pytorch_model.bin"))
    throw Error("there is no model.safetensors, only pytorch_model.bin", folder.string(),
                "Convert it in that folder: python3 -c \"import torch, safetensors.torch as s; "
                "s.save_file({k: v.clone() for k, v in torch.load('pytorch_model.bin', "
                "weights_only=True).items()}, 'model.safetensors')\"");
  io::RegularFile(folder / "model.safetensors");  // says why it cannot be opened
  throw Error("there is no model.safetensors", folder.string(), "Copy it there");
}

/// The weights of a folder. The numbers of an npz are in memory, those of others are not.
struct Weights {
  std::string where;
  io::NamedTensors held = {};
  io::StoredTensors tensors = {};
};

/// A single file of weights.
std::unique_ptr<Weights> openFile(const fs::path& path) {
  auto weights = std::make_unique<Weights>();
  weights->where = path.string();
  if (path.extension() == ".npz") {
    weights->held = io::readNpz(path);
    weights->tensors = io::storedTensors(weights->held);
  } else if (path.extension() == ".safetensors") {
    weights->tensors = io::openSafetensors(path);
  } else {
    throw Error("a map reads .safetensors and .npz", path.string(),
                "Convert pickled weights: python3 -c \"import torch, safetensors.torch as s; "
                "s.save_file({k: v.clone() for k, v in torch.load('" +
                    path.filename().string() +
                    "', weights_only=True).items()}, 'model.safetensors')\"");
  }
  return weights;
}

std::unique_ptr<Weights> openWeights(const fs::path& folder) {
  for (const char* file : {"model.safetensors", "model.npz"})
    if (holds(folder, file)) return openFile(folder / file);
  if (!holds(folder, kIndex)) throwWithoutWeights(folder);
  auto weights = std::make_unique<Weights>();
  weights->where = (folder / kIndex).string();
  weights->tensors = openShards(folder);
  return weights;
}

/// A folder with its config.json and its weights opened.
struct Opened {
  std::string json, json_where;
  const Family& family;
  ModelConfig config;
  std::unique_ptr<Weights> weights;
  std::vector<std::string> notes = {};
};

Opened openGgufFile(const fs::path& path) {
  GgufModel model = ggufModel(io::openGguf(path), path.string());
  const Family& family = familyOf(model.json, path.string());
  ModelConfig config = foreignConfig(family, model.json, path.string(), model.tensors);
  auto weights = std::make_unique<Weights>();
  weights->where = path.string();
  weights->tensors = std::move(model.tensors);
  return {std::move(model.json), path.string(), family, std::move(config), std::move(weights)};
}

Opened openFolder(const fs::path& folder) {
  if (isGguf(folder)) return openGgufFile(folder);
  requireFolder(folder);
  const std::string where = configPath(folder).string();
  std::string json = io::readTextFile(configPath(folder), kMaxConfigBytes);
  const Family& family = familyOf(json, where);
  ModelConfig config = family.config(json, where);
  Opened opened{std::move(json), where, family, std::move(config), openWeights(folder)};
  const std::string wrapper = wrapperOf(opened.weights->tensors, family);
  if (!wrapper.empty()) {
    shortenNames(wrapper, opened.weights->tensors);
    opened.notes.push_back("the names of all tensors begin with " + io::inQuotes(wrapper) +
                           ", which was left out");
  }
  opened.config = foreignConfig(family, opened.json, where, opened.weights->tensors);
  return opened;
}

}  // namespace

bool isGguf(const fs::path& path) {
  std::error_code ignored;
  return path.extension() == ".gguf" && fs::is_regular_file(path, ignored);
}

ModelConfig pretrainedConfig(std::string_view json, const std::string& where) {
  return familyOf(json, where).config(json, where);
}

ModelConfig readPretrainedConfig(const fs::path& folder) {
  requireFolder(folder);
  const fs::path path = configPath(folder);
  return pretrainedConfig(io::readTextFile(path, kMaxConfigBytes), path.string());
}

PretrainedModel readPretrainedModel(const fs::path& folder, bool with_head) {
  Opened opened = openFolder(folder);
  if (!with_head) opened.config = withoutHead(std::move(opened.config));
  PretrainedModel model;
  if (opened.config.input == InputKind::Features)
    model.batch_first = isBatchFirst(opened.json, opened.json_where);
  model.parameters = foreignParameters<float>(opened.family, opened.config, opened.json,
                                              opened.weights->tensors, opened.weights->where);
  model.family = opened.family.type;
  model.config = std::move(opened.config);
  model.notes = std::move(opened.notes);
  return model;
}

PretrainedModel readMappedModel(const fs::path& path, const ModelMap& map) {
  const std::unique_ptr<Weights> weights = openFile(path);
  PretrainedModel model{.config = map.config, .parameters = {}};
  model.parameters =
      foreignParameters<float>(map.family, map.config, "{}", weights->tensors, weights->where);
  return model;
}

std::vector<MappedTensor> readTensorMap(const fs::path& path, const ModelMap& map) {
  const std::unique_ptr<Weights> weights = openFile(path);
  return tensorMap(map.family, map.config, "{}", weights->tensors, weights->where);
}

std::vector<MappedTensor> readTensorMap(const fs::path& folder) {
  const Opened opened = openFolder(folder);
  return tensorMap(opened.family, opened.config, opened.json, opened.weights->tensors,
                   opened.weights->where);
}

std::string pretrainedContent(const fs::path& folder) {
  requireFolder(folder);
  ContentHash hash;
  hash.add(io::readTextFile(configPath(folder), kMaxConfigBytes));
  std::vector<std::string> files;
  for (const char* name : {"model.safetensors", "model.npz"})
    if (files.empty() && holds(folder, name)) files.emplace_back(name);
  if (files.empty() && holds(folder, kIndex)) {
    std::set<std::string> parts;
    for (const auto& [tensor, file] : readIndex(folder / kIndex)) parts.insert(file);
    files.assign(parts.begin(), parts.end());
  }
  if (files.empty()) throwWithoutWeights(folder);
  for (const std::string& name : files) {
    const io::RegularFile file(folder / name);
    std::vector<std::byte> part(std::size_t{1} << 20);
    for (std::uint64_t at = 0; at < file.size(); at += part.size()) {
      const auto here = std::span(part).first(
          std::size_t(std::min<std::uint64_t>(part.size(), file.size() - at)));
      file.read(at, here);
      hash.add(here);
    }
  }
  return hash.text();
}

}  // namespace tfm
