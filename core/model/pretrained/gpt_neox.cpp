// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/gpt_neox.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

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

ModelConfig decoderOf(const PretrainedSizes& s, double eps) {
  ModelConfig c = pretrainedDecoder(s.vocabulary, std::min(s.positions, kLongestContext), s.hidden);
  c.norm = NormKind::LayerNorm;
  setUniform(c, 0, s.layers, {s.heads, s.head(), s.head(), s.inner, eps});
  return c;
}

/// The fields that all three have; `inner`: the name of the width of the feed-forward.
nlohmann::ordered_json decoderFields(const ModelConfig& c,
                                     const char* inner = "intermediate_size") {
  const LayerSizes s = sizesOfFirst(c, Stack::Decoder);
  return {{"vocab_size", c.target_vocabulary},
          {"max_position_embeddings", c.target_length},
          {"hidden_size", c.hidden},
          {inner, s.feed_forward},
          {"num_hidden_layers", c.decoder_layers.size()},
          {"num_attention_heads", s.heads * s.group},
          {"tie_word_embeddings", c.tie_output}};
}

/// The same with what turns and the epsilon of all norms.
nlohmann::ordered_json turnedFields(const ModelConfig& c) {
  const LayerSizes s = sizesOfFirst(c, Stack::Decoder);
  nlohmann::ordered_json fields = decoderFields(c);
  fields["hidden_act"] = activationName(c.activation);
  fields["layer_norm_eps"] = s.norm_eps;
  fields.update(nlohmann::ordered_json::parse(rotaryFields(c, {s.key_size, c.target_length, 1.0})));
  return fields;
}

// --- GPT-NeoX -----------------------------------------------------------------------------------

ModelConfig gptNeoXConfig(std::string_view text, const std::string& where) {
  const nlohmann::json object = io::parseJson(text, where);
  ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "a GPT-NeoX");
  ModelConfig c = decoderOf(s, reader.get("layer_norm_eps", 1e-5));
  readRotary(reader, {s.head(), s.positions, 0.25}, c);
  c.parallel_blocks = reader.get("use_parallel_residual", true);
  c.attention_bias = reader.get("attention_bias", true);
  c.tie_output = reader.get("tie_word_embeddings", false);
  c.activation = activationFrom(reader, "gelu");
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

std::string gptNeoXFields(const ModelConfig& c, std::int64_t) {
  nlohmann::ordered_json fields = turnedFields(c);
  fields["use_parallel_residual"] = c.parallel_blocks;
  fields["attention_bias"] = c.attention_bias;
  return fields.dump();
}

constexpr const char* kJoint = "attention.query_key_value";
constexpr std::array kGptNeoXParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embed_in"},
    ForeignPart{BlockKind{}, ParameterPart::FinalNorm, "final_layer_norm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "embed_out"},
    ForeignPart{kAttends, ParameterPart::Norm, "input_layernorm"},
    ForeignPart{kAttends, ParameterPart::Query, kJoint, false, 0},
    ForeignPart{kAttends, ParameterPart::Key, kJoint, false, 1},
    ForeignPart{kAttends, ParameterPart::Value, kJoint, false, 2},
    ForeignPart{kAttends, ParameterPart::Output, "attention.dense"},
    ForeignPart{kFeeds, ParameterPart::Norm, "post_attention_layernorm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "mlp.dense_h_to_4h"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "mlp.dense_4h_to_h"}};

ForeignTensor gptNeoXTensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kGptNeoXParts, "layers.", p);
  const ParameterPart& part = p.tag.part;
  const bool joint =
      part == ParameterPart::Query || part == ParameterPart::Key || part == ParameterPart::Value;
  if (joint) {
    const auto* attention = model.config.decoder_layers.front().first<SelfAttention>();
    // Thirds of each head, not of the matrix.
    tensor.block = attention->sizes.key_size;
    tensor.every = 3 * tensor.block;
    tensor.first /= attention->sizes.heads;
  }
  const bool output = part == ParameterPart::Output && p.tag.site.kind == BlockKind{};
  if (output || (part == ParameterPart::Embedding && model.config.tie_output))
    tensor.other = output ? kOutputName : "embed_out.weight";
  return tensor;
}

// --- Phi ----------------------------------------------------------------------------------------

ModelConfig phiConfig(std::string_view text, const std::string& where) {
  const nlohmann::json object = io::parseJson(text, where);
  ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "a Phi");
  const std::int64_t key_heads = keyHeads(reader, s.heads, s.heads);
  const double eps = reader.get("layer_norm_eps", 1e-5);
  ModelConfig c = decoderOf(s, eps);
  setUniform(c, 0, s.layers, {key_heads, s.head(), s.head(), s.inner, eps, s.heads / key_heads});
  readRotary(reader, {s.head(), s.positions, 0.5}, c);
  c.parallel_blocks = c.output_bias = true;
  requireSwitch(reader, "qk_layernorm", false);
  requireSwitch(reader, "tie_word_embeddings", false);
  c.activation = activationFrom(reader, "gelu_new");
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

std::string phiFields(const ModelConfig& c, std::int64_t) {
  nlohmann::ordered_json fields = turnedFields(c);
  fields["num_key_value_heads"] = sizesOfFirst(c, Stack::Decoder).heads;
  fields["qk_layernorm"] = false;
  fields.erase("rotary_pct");
  return fields.dump();
}

constexpr std::array kPhiParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embed_tokens"},
    ForeignPart{BlockKind{}, ParameterPart::FinalNorm, "final_layernorm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "lm_head"},
    ForeignPart{kAttends, ParameterPart::Norm, "input_layernorm"},
    ForeignPart{kAttends, ParameterPart::Query, "self_attn.q_proj"},
    ForeignPart{kAttends, ParameterPart::Key, "self_attn.k_proj"},
    ForeignPart{kAttends, ParameterPart::Value, "self_attn.v_proj"},
    ForeignPart{kAttends, ParameterPart::Output, "self_attn.dense"},
    ForeignPart{kFeeds, ParameterPart::Norm, "input_layernorm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "mlp.fc1"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "mlp.fc2"}};

ForeignTensor phiTensor(const ForeignModel&, const ParameterInfo& p) {
  return foreignTensor(kPhiParts, "layers.", p);
}

// --- OPT ----------------------------------------------------------------------------------------

ModelConfig optConfig(std::string_view text, const std::string& where) {
  const nlohmann::json object = io::parseJson(text, where);
  ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "an OPT", {.inner = "ffn_dim"});
  ModelConfig c = decoderOf(s, 1e-5);
  c.positions = Positions::Learned;
  c.tie_output = reader.get("tie_word_embeddings", true);
  c.activation = activationFrom(reader, "relu", "activation_function");
  for (const char* usual : {"do_layer_norm_before", "enable_bias", "layer_norm_elementwise_affine"})
    requireSwitch(reader, usual, true);
  requireSwitch(reader, "_remove_final_layer_norm", false);
  if (sizeOr(reader, "word_embed_proj_dim", s.hidden) != s.hidden)
    reader.throwInvalid("word_embed_proj_dim", "hidden_size, " + std::to_string(s.hidden));
  for (const char* of_training : {"dropout", "init_std", "layerdrop"}) reader.child(of_training);
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

std::string optFields(const ModelConfig& c, std::int64_t) {
  nlohmann::ordered_json fields = decoderFields(c, "ffn_dim");
  fields["activation_function"] = activationName(c.activation);
  fields["do_layer_norm_before"] = true;
  fields["word_embed_proj_dim"] = c.hidden;
  return fields.dump();
}

constexpr std::array kOptParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embed_tokens"},
    ForeignPart{BlockKind{}, ParameterPart::Positions, "embed_positions"},
    ForeignPart{BlockKind{}, ParameterPart::FinalNorm, "final_layer_norm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "lm_head"},
    ForeignPart{kAttends, ParameterPart::Norm, "self_attn_layer_norm"},
    ForeignPart{kAttends, ParameterPart::Query, "self_attn.q_proj"},
    ForeignPart{kAttends, ParameterPart::Key, "self_attn.k_proj"},
    ForeignPart{kAttends, ParameterPart::Value, "self_attn.v_proj"},
    ForeignPart{kAttends, ParameterPart::Output, "self_attn.out_proj"},
    ForeignPart{kFeeds, ParameterPart::Norm, "final_layer_norm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "fc1"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "fc2"}};

ForeignTensor optTensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kOptParts, "layers.", p);
  if (p.tag.part == ParameterPart::Positions) {
    tensor.first = 2;
    tensor.shape.front() += 2;
  }
  if (p.tag.part == ParameterPart::Embedding && model.config.tie_output) tensor.other = kOutputName;
  return tensor;
}

}  // namespace

Family gptNeoXFamily() {
  return {.type = "gpt_neox",
          .words = "GPT-NeoX",
          .config = gptNeoXConfig,
          .tensor = gptNeoXTensor,
          .begins = "GPTNeoXFor",
          .prefix = "gpt_neox.",
          .marks = {"embed_in.", "gpt_neox.embed_in."},
          .ignored = {"attention.bias", "attention.masked_bias", "rotary_emb.inv_freq"},
          .fields = gptNeoXFields,
          .class_name = "GPTNeoXForCausalLM"};
}

Family phiFamily() {
  return {.type = "phi",
          .words = "Phi",
          .config = phiConfig,
          .tensor = phiTensor,
          .begins = "PhiFor",
          .prefix = "model.",
          .marks = {"embed_tokens.", "model.embed_tokens."},
          .ignored = {"rotary_emb.inv_freq"},
          .fields = phiFields,
          .class_name = "PhiForCausalLM"};
}

Family optFamily() {
  return {.type = "opt",
          .words = "OPT",
          .config = optConfig,
          .tensor = optTensor,
          .begins = "OPT",
          .prefix = "model.decoder.",
          .marks = {"decoder.embed_tokens.", "model.decoder.embed_tokens."},
          .fields = optFields,
          .class_name = "OPTForCausalLM"};
}

}  // namespace tfm
