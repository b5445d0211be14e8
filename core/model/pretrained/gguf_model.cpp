// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/gguf_model.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/io/message_text.h"

namespace tfm {
namespace {

using nlohmann::json;

/// What the values of a file are called in a config.json.
struct Setting {
  const char* gguf;  ///< after "llama."
  const char* ours;
  bool needed;
};
constexpr std::array kSettings{Setting{"embedding_length", "hidden_size", true},
                               Setting{"block_count", "num_hidden_layers", true},
                               Setting{"feed_forward_length", "intermediate_size", true},
                               Setting{"attention.head_count", "num_attention_heads", true},
                               Setting{"attention.head_count_kv", "num_key_value_heads", false},
                               Setting{"attention.layer_norm_rms_epsilon", "rms_norm_eps", true},
                               Setting{"attention.key_length", "head_dim", false},
                               Setting{"context_length", "max_position_embeddings", true},
                               Setting{"rope.freq_base", "rope_theta", false}};

struct Renamed {
  const char *gguf, *ours;
};
constexpr std::array kOutside{Renamed{"token_embd.", "model.embed_tokens."},
                              Renamed{"output_norm.", "model.norm."},
                              Renamed{"output.", "lm_head."}};
constexpr std::array kInLayers{
    Renamed{"attn_norm.", "input_layernorm."},    Renamed{"attn_q.", "self_attn.q_proj."},
    Renamed{"attn_k.", "self_attn.k_proj."},      Renamed{"attn_v.", "self_attn.v_proj."},
    Renamed{"attn_output.", "self_attn.o_proj."}, Renamed{"ffn_norm.", "post_attention_layernorm."},
    Renamed{"ffn_gate.", "mlp.gate_proj."},       Renamed{"ffn_up.", "mlp.up_proj."},
    Renamed{"ffn_down.", "mlp.down_proj."}};

/// "model.layers.0.mlp.up_proj.weight" of "blk.0.ffn_up.weight".
std::string ourName(const std::string& name) {
  for (const Renamed& row : kOutside)
    if (name.starts_with(row.gguf)) return row.ours + name.substr(std::string(row.gguf).size());
  constexpr std::string_view kLayer = "blk.";
  const std::size_t dot = name.find('.', kLayer.size());
  if (name.starts_with(kLayer) && dot != name.npos)
    for (const Renamed& row : kInLayers)
      if (name.substr(dot + 1).starts_with(row.gguf))
        return "model.layers." + name.substr(kLayer.size(), dot + 1 - kLayer.size()) + row.ours +
               name.substr(dot + 1 + std::string(row.gguf).size());
  return "model." + name;
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
  if (type != "llama" && type != "qwen2")
    throw Error("general.architecture is " + io::inQuotes(type), where, "Expected llama or qwen2");
  json config{{"model_type", type}};
  for (const Setting& setting : kSettings) {
    const std::string key = type + "." + setting.gguf;
    const io::GgufValue* value = find(file, key);
    if (value != nullptr) config[setting.ours] = numberIn(*value, key, where);
    if (value == nullptr && setting.needed)
      throw Error(key + " is missing", where, "The file is of an older program: convert it again");
  }
  for (const auto& [key, value] : file.values)
    if (key.starts_with(type + ".rope.scaling.") || key.starts_with(type + ".attention.sliding"))
      throw Error(io::inQuotes(key) + " is not read", where,
                  "Scaled rotary positions and windows are not read yet");
  const auto table = file.tensors.find("token_embd.weight");
  if (table == file.tensors.end() || table->second.shape.size() != 2)
    throw Error("tensor \"token_embd.weight\" is missing", where, "Copy the file again");
  config["vocab_size"] = table->second.shape.front();
  config["tie_word_embeddings"] = !file.tensors.contains("output.weight");
  config["use_sliding_window"] = false;
  const std::int64_t heads = config["num_attention_heads"].is_number_integer()
                                 ? config["num_attention_heads"].get<std::int64_t>()
                                 : 0;
  const std::int64_t hidden =
      config["hidden_size"].is_number_integer() ? config["hidden_size"].get<std::int64_t>() : 0;
  std::int64_t head = heads > 0 ? hidden / heads : 0;
  if (const json given = config.value("head_dim", json()); given.is_number_integer())
    head = given.get<std::int64_t>();
  GgufModel model;
  for (const auto& [name, tensor] : file.tensors) {
    io::StoredTensor ours = tensor;
    if (type == "llama" && name.starts_with("blk.") &&
        (name.ends_with("attn_q.weight") || name.ends_with("attn_k.weight")))
      ours.paired_rows = head;
    model.tensors[ourName(name)] = std::move(ours);
  }
  model.json = config.dump();
  return model;
}

}  // namespace tfm
