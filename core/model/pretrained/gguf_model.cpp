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
  std::string_view gguf;  ///< after "llama."
  const char* ours;       ///< null: tensors say it, or it is compared
  bool needed;
};
constexpr std::string_view kTurned = "rope.dimension_count";
constexpr std::array kSettings{Setting{"embedding_length", "hidden_size", true},
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
  const std::string prefix = type + ".";
  for (const auto& [key, value] : file.values) {
    if (!key.starts_with(prefix)) continue;
    const auto setting = std::ranges::find(kSettings, key.substr(prefix.size()), &Setting::gguf);
    if (setting == kSettings.end())
      throw Error(io::inQuotes(key) + " is not read", where,
                  "It might change what is computed, as scaled rotary positions and windows do");
    if (setting->ours != nullptr) config[setting->ours] = numberIn(value, key, where);
  }
  for (const Setting& setting : kSettings)
    if (setting.needed && !config.contains(setting.ours))
      throw Error(prefix + std::string(setting.gguf) + " is missing", where,
                  "The file is of an older program: convert it again");
  const auto table = file.tensors.find("token_embd.weight");
  if (table == file.tensors.end() || table->second.shape.size() != 2)
    throw Error("tensor \"token_embd.weight\" is missing", where, "Copy the file again");
  config["vocab_size"] = table->second.shape.front();
  config["tie_word_embeddings"] = !file.tensors.contains("output.weight");
  config["use_sliding_window"] = false;
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
    if (type == "llama" && name.starts_with("blk.") &&
        (name.ends_with("attn_q.weight") || name.ends_with("attn_k.weight")))
      ours.paired_rows = head;
    model.tensors[ourName(name)] = std::move(ours);
  }
  model.json = config.dump();
  return model;
}

}  // namespace tfm
