// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/t5.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

using io::ObjectReader;

struct T5Sizes {
  std::int64_t vocabulary = 0, hidden = 0, layers = 0, heads = 0, head = 0, inner = 0;
  double eps = 1e-6;
};

T5Sizes sizesOf(ObjectReader& reader) {
  using io::IntegerSlot;
  constexpr std::int64_t kMax = kMaxPretrainedSize;
  T5Sizes s;
  const std::vector<io::Field> needed{
      {"vocab_size", "Tokens", IntegerSlot{&s.vocabulary, 1, kMax}},
      {"d_model", "Width of the hidden states", IntegerSlot{&s.hidden, 1, kMax}},
      {"num_layers", "Layers of the encoder", IntegerSlot{&s.layers, 1, kMaxLayers}},
      {"num_heads", "Heads", IntegerSlot{&s.heads, 1, kMax}},
      {"d_kv", "Size of a head", IntegerSlot{&s.head, 1, kMax}},
      {"d_ff", "Feed-forward width", IntegerSlot{&s.inner, 1, kMax}}};
  const std::vector<io::Field> others{
      {"layer_norm_epsilon", "Epsilon of the norms", io::RealSlot{&s.eps, 0.0, 1.0}}};
  readSizes(reader, needed, others, "a T5");
  return s;
}

/// "relu", "gated-gelu" (its tanh form) or "gated-silu".
void readFeedForward(ObjectReader& reader, ModelConfig& c) {
  const auto words = reader.get<std::string>("feed_forward_proj", "relu");
  c.gated_feed_forward = words.starts_with("gated-");
  const std::string name = c.gated_feed_forward ? words.substr(6) : words;
  if (name == "relu")
    c.activation = Activation::Relu;
  else if (name == "silu")
    c.activation = Activation::Silu;
  else if (name == "gelu")
    c.activation = c.gated_feed_forward ? Activation::GeluTanh : Activation::Gelu;
  else if (name == "gelu_new")
    c.activation = Activation::GeluTanh;
  else
    reader.throwInvalid("feed_forward_proj", "relu, gelu, gated-gelu or gated-silu");
  // Follow from it.
  for (const char* derived : {"dense_act_fn", "is_gated_act"}) reader.child(derived);
}

ModelConfig t5Config(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  ObjectReader reader(object, where);
  const T5Sizes s = sizesOf(reader);
  ModelConfig c = pretrainedEncoderDecoder();
  c.source_vocabulary = c.target_vocabulary = s.vocabulary;
  c.hidden = s.hidden;
  c.norm = NormKind::RmsNorm;
  c.final_norm = true;
  c.attention_bias = c.feed_forward_bias = c.output_bias = false;
  c.share_embeddings = true;
  c.tie_output = reader.get("tie_word_embeddings", true);
  c.positions = Positions::Buckets;
  c.distance_buckets = sizeOr(reader, "relative_attention_num_buckets", 32);
  c.distance_furthest = sizeOr(reader, "relative_attention_max_distance", 128);
  c.source_length = c.target_length = std::min(sizeOr(reader, "n_positions", 512), kLongestContext);
  readFeedForward(reader, c);
  setUniform(c, s.layers, sizeOr(reader, "num_decoder_layers", s.layers),
             {s.heads, s.head, s.head, s.inner, s.eps});
  for (const char* of_training : {"dropout_rate", "initializer_factor"}) reader.child(of_training);
  reader.get("scale_decoder_outputs", true);
  refuseOtherFields(reader, true);
  validateAt(c, where);
  return c;
}

std::string t5Fields(const ModelConfig& c, std::int64_t) {
  const LayerSizes s = sizesOfFirst(c, Stack::Encoder);
  const std::string name = c.activation == Activation::GeluTanh && c.gated_feed_forward
                               ? "gelu"
                               : activationName(c.activation);
  return nlohmann::ordered_json{
      {"vocab_size", c.source_vocabulary},
      {"n_positions", c.source_length},
      {"d_model", c.hidden},
      {"d_kv", s.key_size},
      {"d_ff", s.feed_forward},
      {"num_layers", c.encoder_layers.size()},
      {"num_decoder_layers", c.decoder_layers.size()},
      {"num_heads", s.heads},
      {"relative_attention_num_buckets", c.distance_buckets},
      {"relative_attention_max_distance", c.distance_furthest},
      {"layer_norm_epsilon", s.norm_eps},
      {"feed_forward_proj", (c.gated_feed_forward ? "gated-" : "") + name},
      {"is_encoder_decoder", true},
      {"tie_word_embeddings", c.tie_output}}
      .dump();
}

/// What the states are multiplied by before the output.
std::vector<double> outputFactor(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  ObjectReader reader(object, where);
  const bool tied = reader.get("tie_word_embeddings", true);
  const bool scaled = reader.get("scale_decoder_outputs", tied);
  return {scaled ? 1.0 / std::sqrt(double(reader.get<std::int64_t>("d_model", 1))) : 1.0};
}

constexpr std::array kT5Parts{
    ForeignPart{BlockKind{}, ParameterPart::FinalNorm, "final_layer_norm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "lm_head"},
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "shared"},
    ForeignPart{kAttends, ParameterPart::Query, "layer.0.SelfAttention.q"},
    ForeignPart{kAttends, ParameterPart::Key, "layer.0.SelfAttention.k"},
    ForeignPart{kAttends, ParameterPart::Value, "layer.0.SelfAttention.v"},
    ForeignPart{kAttends, ParameterPart::Output, "layer.0.SelfAttention.o"},
    ForeignPart{kAttends, kDistancePart, "layer.0.SelfAttention.relative_attention_bias", true},
    ForeignPart{kAttends, ParameterPart::Norm, "layer.0.layer_norm"},
    ForeignPart{kCrosses, ParameterPart::Query, "layer.1.EncDecAttention.q"},
    ForeignPart{kCrosses, ParameterPart::Key, "layer.1.EncDecAttention.k"},
    ForeignPart{kCrosses, ParameterPart::Value, "layer.1.EncDecAttention.v"},
    ForeignPart{kCrosses, ParameterPart::Output, "layer.1.EncDecAttention.o"},
    ForeignPart{kCrosses, ParameterPart::Norm, "layer.1.layer_norm"},
    // Of the decoder; the encoder has no layer.1 before.
    ForeignPart{kFeeds, ParameterPart::Linear1, "layer.2.DenseReluDense.wi"},
    ForeignPart{kFeeds, ParameterPart::Up, "layer.2.DenseReluDense.wi_1"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "layer.2.DenseReluDense.wo"},
    ForeignPart{kFeeds, ParameterPart::Norm, "layer.2.layer_norm"}};

ForeignTensor t5Tensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kT5Parts, "block.", p);
  const ParameterPart& part = p.tag.part;
  if (part == ParameterPart::Embedding) {
    tensor.other = "encoder.embed_tokens.weight";
    tensor.copies = {"decoder.embed_tokens.weight"};
    if (model.config.tie_output) tensor.copies.emplace_back(kOutputName);
  }
  const Stack stack = p.tag.site.stack;
  if (stack == Stack::None) return tensor;
  const auto replace = [&](std::string_view from, std::string_view by) {
    tensor.name.replace(tensor.name.find(from), from.size(), by);
  };
  const bool feeds = p.tag.site.kind == kFeeds;
  if (feeds && stack == Stack::Encoder) replace("layer.2.", "layer.1.");
  if (part == ParameterPart::Linear1 && model.config.gated_feed_forward) replace(".wi.", ".wi_0.");
  if (part == kDistancePart) replace("block." + std::to_string(p.tag.site.layer), "block.0");
  tensor.name = std::string(stackName(stack)) + "." + tensor.name;
  if (part == ParameterPart::Query && !model.factors.empty())
    tensor.factor = std::sqrt(
        double(model.config.encoder_layers.front().first<SelfAttention>()->sizes.key_size));
  if (part == ParameterPart::FinalNorm && stack == Stack::Decoder && !model.factors.empty())
    tensor.factor = model.factors.front();
  return tensor;
}

}  // namespace

Family t5Family() {
  return {.type = "t5",
          .words = "T5",
          .config = t5Config,
          .tensor = t5Tensor,
          .begins = "T5",
          .marks = {"encoder.block."},
          .factors = outputFactor,
          .fields = t5Fields,
          .class_name = "T5ForConditionalGeneration"};
}

}  // namespace tfm
