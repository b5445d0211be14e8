// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/llama.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"
#include "core/model/pretrained/rotary_fields.h"

namespace tfm {
namespace {

using io::ObjectReader;
using nlohmann::json;

struct LlamaSizes {
  std::int64_t vocabulary = 0, hidden = 0, layers = 0, heads = 0, inner = 0;
  std::int64_t positions = 2048;
  double eps = 1e-6;
  bool tied = false;
};

std::vector<io::Field> neededLlama(LlamaSizes& s) {
  using io::IntegerSlot;
  constexpr std::int64_t kMax = kMaxPretrainedSize;
  return {{"vocab_size", "Tokens", IntegerSlot{&s.vocabulary, 1, kMax}},
          {"hidden_size", "Width of the hidden states", IntegerSlot{&s.hidden, 1, kMax}},
          {"num_hidden_layers", "Layers", IntegerSlot{&s.layers, 1, kMaxLayers}},
          {"num_attention_heads", "Heads of queries", IntegerSlot{&s.heads, 1, kMax}},
          {"intermediate_size", "Feed-forward width", IntegerSlot{&s.inner, 1, kMax}}};
}

std::vector<io::Field> otherLlama(LlamaSizes& s) {
  return {{"max_position_embeddings", "Positions",
           io::IntegerSlot{&s.positions, 1, kMaxPretrainedSize}},
          {"rms_norm_eps", "Epsilon of the norms", io::RealSlot{&s.eps, 0.0, 1.0}},
          {"tie_word_embeddings", "The output is the token table", io::SwitchSlot{&s.tied}}};
}

/// What a family's config.json may say that others may not.
struct Variant {
  const char* whom;
  std::int64_t usual_key_heads = 0;  ///< 0: as many as heads
  bool query_biases = false;         ///< of queries, keys and values, whatever the file says
  bool windows = false;              ///< has a window in all layers unless it is null
  bool layer_windows = false;        ///< has one in some layers, if it says so
  bool has_bias_fields = false;      ///< says whether there are biases
  std::int64_t usual_head = 0;       ///< size of a head; 0: hidden / heads
  bool query_key_norm = false;       ///< with the epsilon of all norms
  bool gemma = false;                ///< scaled embeddings; of gelu its tanh form; tied
};
constexpr Variant kLlama{.whom = "a Llama", .has_bias_fields = true};
constexpr Variant kMistral{.whom = "a Mistral", .usual_key_heads = 8, .windows = true};
constexpr Variant kQwen2{.whom = "a Qwen2", .query_biases = true, .layer_windows = true};
constexpr Variant kQwen3{.whom = "a Qwen3",
                         .layer_windows = true,
                         .has_bias_fields = true,
                         .usual_head = 128,
                         .query_key_norm = true};
constexpr Variant kGemma{
    .whom = "a Gemma", .has_bias_fields = true, .usual_head = 256, .gemma = true};

LlamaSizes llamaSizes(ObjectReader& reader, const Variant& variant) {
  LlamaSizes s;
  s.tied = variant.gemma;
  readSizes(reader, neededLlama(s), otherLlama(s), variant.whom);
  return s;
}

/// Which layers see the last few positions only, and how many: in Mistral all, in Qwen those from
/// max_window_layers on, if they are used, or those that layer_types names.
void readWindows(ObjectReader& reader, const Variant& variant, ModelConfig& c) {
  const json* given = reader.child("sliding_window");
  const bool none = given == nullptr ? !variant.windows : given->is_null();
  const std::int64_t window = sizeOr(reader, "sliding_window", 4096);
  const bool used = variant.windows || reader.get("use_sliding_window", false);
  const auto first = reader.get<std::int64_t>("max_window_layers", 28);
  const json* types = reader.child("layer_types");
  const bool listed = types != nullptr && !types->is_null();
  if (listed && (!types->is_array() || types->size() != c.decoder_layers.size()))
    reader.throwInvalid("layer_types", "a type for each layer");
  for (std::size_t i = 0; i < c.decoder_layers.size(); ++i) {
    bool slides = used && !none && (variant.windows || std::int64_t(i) >= first);
    if (listed) {
      const json& type = (*types)[i];
      slides = type == "sliding_attention";
      if ((!slides && type != "full_attention") || (slides && none))
        reader.throwInvalid("layer_types",
                            none ? "full_attention for all layers, as there is no sliding_window"
                                 : "full_attention or sliding_attention for each layer");
    }
    // A window of the whole context hides nothing.
    if (slides && window < c.target_length)
      c.decoder_layers[i].first<SelfAttention>()->window = window;
  }
}

/// What files of Gemma call gelu has always been its tanh form, and hidden_activation is not read.
void setGemma(ObjectReader& reader, ModelConfig& c) {
  reader.child("hidden_activation");
  if (c.activation == Activation::Gelu) c.activation = Activation::GeluTanh;
  c.embedding_scale = std::sqrt(double(c.hidden));
  const json* both_ways = reader.child("use_bidirectional_attention");
  if (both_ways != nullptr && !both_ways->is_null() && *both_ways != false)
    reader.throwInvalid("use_bidirectional_attention", "false");
}

ModelConfig configOf(const Variant& variant, std::string_view text, const std::string& where) {
  const json object = io::parseJson(text, where);
  ObjectReader reader(object, where);
  const LlamaSizes s = llamaSizes(reader, variant);
  const std::int64_t usual = variant.usual_key_heads > 0 ? variant.usual_key_heads : s.heads;
  const std::int64_t key_heads = keyHeads(reader, s.heads, usual);
  const std::int64_t head =
      sizeOr(reader, "head_dim", variant.usual_head > 0 ? variant.usual_head : s.hidden / s.heads);
  const std::int64_t longest = std::min(s.positions, kLongestContext);
  ModelConfig c = pretrainedDecoder(s.vocabulary, longest, s.hidden);
  c.norm = NormKind::RmsNorm;
  readRotary(reader, {head, s.positions}, c);
  c.tie_output = s.tied;
  c.attention_bias = reader.get("attention_bias", false) || variant.query_biases;
  c.feed_forward_bias = reader.get("mlp_bias", false);
  c.gated_feed_forward = true;
  c.query_key_norm = variant.query_key_norm;
  c.query_key_norm_eps = s.eps;
  c.activation = activationFrom(reader, variant.gemma ? "gelu_pytorch_tanh" : "silu");
  if (variant.gemma) setGemma(reader, c);
  setUniform(c, 0, s.layers, {key_heads, head, head, s.inner, s.eps, s.heads / key_heads});
  readWindows(reader, variant, c);
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

/// The window of the layers that have one, as their families say it.
void addWindows(const Variant& variant, const ModelConfig& c, nlohmann::ordered_json& fields) {
  std::int64_t window = 0;
  std::vector<std::string> types;
  for (const LayerConfig& layer : c.decoder_layers) {
    const auto* attention = layer.first<SelfAttention>();
    const bool slides = attention != nullptr && attention->window > 0;
    if (slides) window = attention->window;
    types.emplace_back(slides ? "sliding_attention" : "full_attention");
  }
  fields["sliding_window"] = window > 0 ? nlohmann::ordered_json(window) : nullptr;
  if (variant.windows) return;
  fields["use_sliding_window"] = window > 0;
  if (window > 0) fields["layer_types"] = types;
}

template <const Variant& variant>
std::string fieldsOf(const ModelConfig& c, std::int64_t) {
  const LayerSizes s = sizesOfFirst(c, Stack::Decoder);
  nlohmann::ordered_json fields{{"vocab_size", c.target_vocabulary},
                                {"max_position_embeddings", c.target_length},
                                {"hidden_size", c.hidden},
                                {"intermediate_size", s.feed_forward},
                                {"num_hidden_layers", c.decoder_layers.size()},
                                {"num_attention_heads", s.heads * s.group},
                                {"num_key_value_heads", s.heads},
                                {"head_dim", s.key_size},
                                {"hidden_act", activationName(c.activation)},
                                {"rms_norm_eps", s.norm_eps},
                                {"tie_word_embeddings", c.tie_output}};
  const bool kept = c.activation == Activation::GeluTanh && variant.gemma;
  if (kept) fields["hidden_act"] = fields["hidden_activation"] = "gelu_pytorch_tanh";
  if (variant.has_bias_fields) fields["attention_bias"] = c.attention_bias;
  if (variant.has_bias_fields && !variant.query_key_norm && !variant.gemma)
    fields["mlp_bias"] = c.feed_forward_bias;
  if (variant.windows || variant.layer_windows) addWindows(variant, c, fields);
  fields.update(nlohmann::ordered_json::parse(rotaryFields(c, {s.key_size, c.target_length})));
  return fields.dump();
}

constexpr std::array kLlamaParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embed_tokens"},
    ForeignPart{BlockKind{}, ParameterPart::FinalNorm, "norm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "lm_head"},
    ForeignPart{kAttends, ParameterPart::Norm, "input_layernorm"},
    ForeignPart{kAttends, ParameterPart::Query, "self_attn.q_proj"},
    ForeignPart{kAttends, ParameterPart::Key, "self_attn.k_proj"},
    ForeignPart{kAttends, ParameterPart::Value, "self_attn.v_proj"},
    ForeignPart{kAttends, ParameterPart::Output, "self_attn.o_proj"},
    ForeignPart{kAttends, kQueryNormPart, "self_attn.q_norm"},
    ForeignPart{kAttends, kKeyNormPart, "self_attn.k_norm"},
    ForeignPart{kFeeds, ParameterPart::Norm, "post_attention_layernorm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "mlp.gate_proj"},
    ForeignPart{kFeeds, ParameterPart::Up, "mlp.up_proj"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "mlp.down_proj"}};

ForeignTensor llamaTensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kLlamaParts, "layers.", p);
  if (p.tag.part == ParameterPart::Embedding && model.config.tie_output) tensor.other = kOutputName;
  return tensor;
}

/// The outputs of attentions have no bias.
ForeignTensor qwen2Tensor(const ForeignModel& model, const ParameterInfo& p) {
  const bool output = p.tag.site.kind == kAttends && p.tag.part == ParameterPart::Output;
  if (output && p.tag.term == Term::Bias) return {};
  return llamaTensor(model, p);
}

/// Gains are stored less 1.
ForeignTensor gemmaTensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = llamaTensor(model, p);
  if (p.tag.term == Term::Gain) tensor.plus = 1.0;
  return tensor;
}

template <const Variant& variant>
ModelConfig configAs(std::string_view text, const std::string& where) {
  return configOf(variant, text, where);
}

/// A family with Llama's names.
template <const Variant& variant>
Family kin(std::string_view type, std::string_view words, std::string_view begins,
           std::string_view class_name, decltype(Family::tensor) tensor = llamaTensor) {
  return {.type = type,
          .words = words,
          .config = configAs<variant>,
          .tensor = tensor,
          .begins = begins,
          .prefix = "model.",
          .marks = {"embed_tokens.", "model.embed_tokens."},
          .ignored = {"rotary_emb.inv_freq"},
          .fields = fieldsOf<variant>,
          .class_name = class_name};
}

}  // namespace

Family llamaFamily() { return kin<kLlama>("llama", "Llama", "Llama", "LlamaForCausalLM"); }
Family mistralFamily() {
  return kin<kMistral>("mistral", "Mistral", "Mistral", "MistralForCausalLM");
}
Family qwen2Family() {
  return kin<kQwen2>("qwen2", "Qwen2", "Qwen2", "Qwen2ForCausalLM", qwen2Tensor);
}
Family qwen3Family() { return kin<kQwen3>("qwen3", "Qwen3", "Qwen3For", "Qwen3ForCausalLM"); }
Family gemmaFamily() {
  return kin<kGemma>("gemma", "Gemma", "GemmaFor", "GemmaForCausalLM", gemmaTensor);
}

}  // namespace tfm
