// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/gguf_model.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/io/message_text.h"

namespace tfm {
namespace {

using nlohmann::json;

/// What the values of a file are called in a config.json.
struct Setting {
  std::string_view gguf;  ///< after "llama."
  const char* ours;       ///< null: tensors say it, or it is compared
  bool needed;
};
constexpr std::string_view kTurned = "rope.dimension_count";
constexpr std::array kLlamaSettings{
    Setting{"embedding_length", "hidden_size", true},
    Setting{"block_count", "num_hidden_layers", true},
    Setting{"feed_forward_length", "intermediate_size", true},
    Setting{"attention.head_count", "num_attention_heads", true},
    Setting{"attention.head_count_kv", "num_key_value_heads", false},
    Setting{"attention.layer_norm_rms_epsilon", "rms_norm_eps", true},
    Setting{"attention.key_length", "head_dim", false},
    Setting{"context_length", "max_position_embeddings", true},
    Setting{"rope.freq_base", "rope_theta", false},
    Setting{kTurned, nullptr, false},
    Setting{"attention.value_length", nullptr, false},
    Setting{"vocab_size", nullptr, false}};
constexpr std::array kGpt2Settings{
    Setting{"embedding_length", "n_embd", true},
    Setting{"block_count", "n_layer", true},
    Setting{"feed_forward_length", "n_inner", true},
    Setting{"attention.head_count", "n_head", true},
    Setting{"attention.layer_norm_epsilon", "layer_norm_epsilon", true},
    Setting{"context_length", "n_positions", true},
    Setting{"vocab_size", nullptr, false}};

struct Renamed {
  std::string_view gguf, ours;
};
constexpr std::array kLlamaOutside{Renamed{"token_embd.", "model.embed_tokens."},
                                   Renamed{"output_norm.", "model.norm."},
                                   Renamed{"output.", "lm_head."}};
constexpr std::array kLlamaLayers{
    Renamed{"attn_norm.", "input_layernorm."},    Renamed{"attn_q.", "self_attn.q_proj."},
    Renamed{"attn_k.", "self_attn.k_proj."},      Renamed{"attn_v.", "self_attn.v_proj."},
    Renamed{"attn_output.", "self_attn.o_proj."}, Renamed{"ffn_norm.", "post_attention_layernorm."},
    Renamed{"ffn_gate.", "mlp.gate_proj."},       Renamed{"ffn_up.", "mlp.up_proj."},
    Renamed{"ffn_down.", "mlp.down_proj."}};
constexpr std::array kGpt2Outside{
    Renamed{"token_embd.", "transformer.wte."}, Renamed{"position_embd.", "transformer.wpe."},
    Renamed{"output_norm.", "transformer.ln_f."}, Renamed{"output.", "lm_head."}};
constexpr std::array kGpt2Layers{
    Renamed{"attn_norm.", "ln_1."},          Renamed{"attn_qkv.", "attn.c_attn."},
    Renamed{"attn_output.", "attn.c_proj."}, Renamed{"ffn_norm.", "ln_2."},
    Renamed{"ffn_up.", "mlp.c_fc."},         Renamed{"ffn_down.", "mlp.c_proj."}};

/// How an architecture of GGUF differs from the family of that name.
struct GgufArchitecture {
  std::string_view type;
  std::span<const Setting> settings;
  std::span<const Renamed> outside, layers;
  std::string_view layer;  ///< before the number of a layer, in the family
  bool pairs = false;      ///< rows of queries and keys that turn together are neighbours
  bool turned = false;     ///< the family's matrices are (in, out), these are (out, in)
};
constexpr std::array kArchitectures{
    GgufArchitecture{"llama", kLlamaSettings, kLlamaOutside, kLlamaLayers, "model.layers.", true},
    GgufArchitecture{"qwen2", kLlamaSettings, kLlamaOutside, kLlamaLayers, "model.layers."},
    GgufArchitecture{"gpt2", kGpt2Settings, kGpt2Outside, kGpt2Layers, "transformer.h.", false,
                     true}};

const GgufArchitecture* architectureNamed(std::string_view type) {
  const auto found = std::ranges::find(kArchitectures, type, &GgufArchitecture::type);
  return found == kArchitectures.end() ? nullptr : &*found;
}

std::string architectureNames() {
  std::string names;
  for (const GgufArchitecture& one : kArchitectures)
    names += (names.empty() ? "" : ", ") + std::string(one.type);
  return names;
}

constexpr std::string_view kLayer = "blk.";

/// A name with one of two spellings in the other: `from` and `to` are members of Renamed.
std::string renamed(const std::string& name, const GgufArchitecture& kind,
                    std::string_view Renamed::*from, std::string_view Renamed::*to,
                    std::string_view from_layer, std::string_view to_layer) {
  for (const Renamed& row : kind.outside)
    if (name.starts_with(row.*from)) return std::string(row.*to) + name.substr((row.*from).size());
  if (!name.starts_with(from_layer)) return "";
  const std::size_t dot = name.find('.', from_layer.size());
  if (dot == name.npos) return "";
  const std::string number = name.substr(from_layer.size(), dot + 1 - from_layer.size());
  for (const Renamed& row : kind.layers)
    if (name.substr(dot + 1).starts_with(row.*from))
      return std::string(to_layer) + number + std::string(row.*to) +
             name.substr(dot + 1 + (row.*from).size());
  return "";
}

/// "model.layers.0.mlp.up_proj.weight" of "blk.0.ffn_up.weight"; of an unknown tensor a name that
/// no family has.
std::string familysName(const std::string& name, const GgufArchitecture& kind) {
  const std::string found = renamed(name, kind, &Renamed::gguf, &Renamed::ours, kLayer, kind.layer);
  if (!found.empty()) return found;
  return std::string(kind.layer.substr(0, kind.layer.find('.') + 1)) + name;
}

std::string ggufsName(const std::string& name, const GgufArchitecture& kind) {
  return renamed(name, kind, &Renamed::ours, &Renamed::gguf, kind.layer, kLayer);
}

/// Whether a tensor has the rows of heads that turn.
bool turns(const std::string& gguf_name) {
  return gguf_name.starts_with(kLayer) &&
         (gguf_name.ends_with("attn_q.weight") || gguf_name.ends_with("attn_k.weight"));
}

const io::GgufValue* find(const io::GgufFile& file, const std::string& key) {
  const auto found = file.values.find(key);
  return found == file.values.end() ? nullptr : &found->second;
}

json numberIn(const io::GgufValue& value, const std::string& key, const std::string& where) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw Error(key + " is no number", where, "Expected a single number for all layers");
}

}  // namespace

GgufModel ggufModel(const io::GgufFile& file, const std::string& where) {
  const io::GgufValue* named = find(file, "general.architecture");
  const auto* architecture = named == nullptr ? nullptr : std::get_if<std::string>(named);
  const std::string type = architecture == nullptr ? "" : *architecture;
  const GgufArchitecture* const kind = architectureNamed(type);
  if (kind == nullptr)
    throw Error("general.architecture is " + io::inQuotes(type), where,
                "Expected one of " + architectureNames());
  json config{{"model_type", type}};
  const std::string prefix = type + ".";
  for (const auto& [key, value] : file.values) {
    if (!key.starts_with(prefix)) continue;
    const auto setting =
        std::ranges::find(kind->settings, key.substr(prefix.size()), &Setting::gguf);
    if (setting == kind->settings.end())
      throw Error(io::inQuotes(key) + " is not read", where,
                  "It might change what is computed, as scaled rotary positions and windows do");
    if (setting->ours != nullptr) config[setting->ours] = numberIn(value, key, where);
  }
  for (const Setting& setting : kind->settings)
    if (setting.needed && !config.contains(setting.ours))
      throw Error(prefix + std::string(setting.gguf) + " is missing", where,
                  "The file is of an older program: convert it again");
  const auto table = file.tensors.find("token_embd.weight");
  if (table == file.tensors.end() || table->second.shape.size() != 2)
    throw Error("tensor \"token_embd.weight\" is missing", where, "Copy the file again");
  config["vocab_size"] = table->second.shape.front();
  config["tie_word_embeddings"] = !file.tensors.contains("output.weight");
  if (type == "qwen2") config["use_sliding_window"] = false;
  const auto wholeOr = [&](const char* name, std::int64_t usual) {
    const auto found = config.find(name);
    return found != config.end() && found->is_number_integer() ? found->get<std::int64_t>() : usual;
  };
  const std::int64_t heads = std::max<std::int64_t>(1, wholeOr("num_attention_heads", 1));
  const std::int64_t head = wholeOr("head_dim", wholeOr("hidden_size", 0) / heads);
  const std::string turned = prefix + std::string(kTurned);
  if (const io::GgufValue* part = find(file, turned); part != nullptr)
    if (numberIn(*part, turned, where) != head)
      throw Error(io::inQuotes(turned) + " is " + numberIn(*part, turned, where).dump(), where,
                  "Expected the size of a head, " + std::to_string(head) +
                      ": heads that turn in part are not read yet");
  GgufModel model;
  for (const auto& [name, tensor] : file.tensors) {
    io::StoredTensor ours = tensor;
    if (kind->pairs && turns(name)) ours.paired_rows = head;
    model.tensors[familysName(name, *kind)] = std::move(ours);
  }
  model.json = config.dump();
  return model;
}

// --- Writing ------------------------------------------------------------------------------------

namespace {

/// The numbers of a tensor as GGUF has them.
std::vector<float> rearranged(const io::StoredTensor& tensor, bool turned, std::int64_t pairs) {
  std::vector<float> numbers(std::size_t(tensor.size()));
  tensor.read(0, std::span(numbers));
  if (!turned && pairs == 0) return numbers;
  const std::int64_t rows = tensor.shape.front(), cols = tensor.size() / rows;
  std::vector<float> result(numbers.size());
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) {
      std::int64_t to = r * cols + c;
      if (turned) {
        to = c * rows + r;
      } else {
        const std::int64_t within = r % pairs, half = pairs / 2;
        to = (r - within + 2 * (within % half) + within / half) * cols + c;
      }
      result[std::size_t(to)] = numbers[std::size_t(r * cols + c)];
    }
  return result;
}

io::GgufValue valueOf(const json& number) {
  if (number.is_number_integer()) return number.get<std::int64_t>();
  return number.get<double>();
}

}  // namespace

GgufFiles ggufFiles(ForeignFiles model, const ModelConfig& config) {
  const std::string type(model.family->type);
  const GgufArchitecture* const kind = architectureNamed(type);
  if (kind == nullptr)
    throw Error("GGUF files have no models of the family " + type + " here", "config",
                "Written are " + architectureNames());
  const json fields = json::parse(model.config);
  GgufFiles result{.file = {}, .model = std::move(model), .held = {}};
  io::GgufFile& file = result.file;
  file.values["general.architecture"] = type;
  file.values["general.file_type"] = std::int64_t{0};  // all F32
  const std::string prefix = type + ".";
  for (const Setting& setting : kind->settings)
    if (setting.ours != nullptr)
      file.values[prefix + std::string(setting.gguf)] = valueOf(fields.at(setting.ours));
  file.values[prefix + "vocab_size"] = fields.at("vocab_size").get<std::int64_t>();
  std::int64_t head = 0;
  if (fields.contains("head_dim")) {
    head = fields["head_dim"].get<std::int64_t>();
    file.values[prefix + "attention.value_length"] = head;
    file.values[prefix + std::string(kTurned)] = head;
  }
  io::StoredTensors tensors = io::storedTensors(result.model.weights.tensors);
  tensors.insert(result.model.weights.stored.begin(), result.model.weights.stored.end());
  for (const auto& [name, tensor] : tensors) {
    const std::string theirs = ggufsName(name, *kind);
    if (theirs.empty())
      throw Error("GGUF files have no tensor for " + io::inQuotes(name), "config",
                  "Export the model in another format");
    const bool turned = kind->turned && tensor.shape.size() == 2 && name.starts_with(kind->layer);
    const std::int64_t pairs = kind->pairs && turns(theirs) ? head : 0;
    for (MappedTensor& row : result.model.map) {
      if (row.name != name) continue;
      row.name = theirs;
      if (pairs > 0) row.done = "halves of each head to neighbours";
      if (turned) {
        row.done = row.done == "transposed" ? "" : "joined";
        std::swap(row.shape.front(), row.shape.back());
      }
    }
    if (!turned && pairs == 0) {
      file.tensors[theirs] = tensor;
      continue;
    }
    std::vector<std::int64_t> shape = tensor.shape;
    if (turned) std::swap(shape.front(), shape.back());
    result.held.push_back(rearranged(tensor, turned, pairs));
    file.tensors[theirs] = io::storedFloats(std::move(shape), result.held.back());
  }
  // What a file cannot say shows when it is read.
  const GgufModel again = ggufModel(file, "GGUF");
  const std::vector<std::string> differences =
      differencesOf(config, result.model.family->config(again.json, "GGUF"));
  if (!differences.empty())
    throw Error("a GGUF file of this architecture cannot say all of this model", "config",
                joined(differences));
  return result;
}

}  // namespace tfm
