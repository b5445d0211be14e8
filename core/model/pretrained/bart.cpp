// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/bart.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

using io::ObjectReader;

constexpr double kEps = 1e-5;  // in no file
constexpr std::int64_t kRowsBeforePositions = 2;

/// The layers of a stack, whose sizes have its name in front.
void readStack(ObjectReader& reader, Stack stack, std::int64_t vocabulary, ModelConfig& c) {
  const std::string name(stackName(stack));
  const auto size = [&](const std::string& field, std::int64_t most) {
    const auto value = reader.get<std::int64_t>(field, 0);
    if (value < 1 || value > most)
      reader.throwInvalid(field, "a whole number from 1 to " + std::to_string(most));
    return value;
  };
  const std::int64_t layers = size(name + "_layers", kMaxLayers);
  const std::int64_t heads = size(name + "_attention_heads", kMaxPretrainedSize);
  const std::int64_t inner = size(name + "_ffn_dim", kMaxPretrainedSize);
  if (c.hidden % heads != 0)
    throw Error("d_model is " + std::to_string(c.hidden), reader.where(),
                "Allowed: a multiple of " + name + "_attention_heads, " + std::to_string(heads));
  const std::int64_t head = c.hidden / heads;
  c.layers(stack).assign(std::size_t(layers),
                         defaultLayer(c, stack, {heads, head, head, inner, kEps}));
  (stack == Stack::Encoder ? c.source_vocabulary : c.target_vocabulary) = vocabulary;
}

ModelConfig readBoth(ObjectReader& reader, bool marian) {
  using io::IntegerSlot;
  std::int64_t vocabulary = 0, positions = 0;
  ModelConfig c = pretrainedEncoderDecoder();
  const std::vector<io::Field> fields{
      {"vocab_size", "Tokens", IntegerSlot{&vocabulary, 1, kMaxPretrainedSize}},
      {"max_position_embeddings", "Positions", IntegerSlot{&positions, 1, kMaxPretrainedSize}},
      {"d_model", "Width of the hidden states", IntegerSlot{&c.hidden, 1, kMaxPretrainedSize}}};
  readNeeded(reader, fields, marian ? "a Marian" : "a BART");
  c.norm_placement = NormPlacement::Post;
  c.final_norm = false;
  c.embedding_norm = !marian;
  c.embedding_norm_eps = c.encoder_final_norm_eps = c.decoder_final_norm_eps = kEps;
  c.source_length = c.target_length = std::min(positions, kLongestContext);
  c.activation = activationFrom(reader, "gelu", "activation_function");
  if (reader.get("scale_embedding", false)) c.embedding_scale = std::sqrt(double(c.hidden));
  c.positions = marian ? Positions::Sinusoidal : Positions::Learned;
  c.sinusoid_halves = marian;
  readStack(reader, Stack::Encoder, vocabulary, c);
  readStack(reader, Stack::Decoder,
            marian ? sizeOr(reader, "decoder_vocab_size", vocabulary) : vocabulary, c);
  c.share_embeddings = !marian || reader.get("share_encoder_decoder_embeddings", true);
  c.tie_output = c.output_bias = true;
  // Of training and heads, and what early releases wrote that is always so.
  for (const char* harmless :
       {"dropout", "encoder_layerdrop", "decoder_layerdrop", "init_std", "classif_dropout",
        "num_hidden_layers", "extra_pos_embeddings", "static_position_embeddings",
        "force_bos_token_to_be_generated", "add_bias_logits"})
    reader.child(harmless);
  requireSwitch(reader, "normalize_before", false);
  requireSwitch(reader, "add_final_layer_norm", false);
  requireSwitch(reader, "normalize_embedding", !marian);
  requireSwitch(reader, "tie_word_embeddings", true);
  refuseOtherFields(reader, true);
  return c;
}

template <bool marian>
std::string fieldsOf(const ModelConfig& c, std::int64_t) {
  nlohmann::ordered_json fields{{"vocab_size", c.source_vocabulary},
                                {"max_position_embeddings", c.source_length},
                                {"d_model", c.hidden},
                                {"activation_function", activationName(c.activation)},
                                {"scale_embedding", c.embedding_scale != 1.0},
                                {"is_encoder_decoder", true}};
  for (const Stack stack : {Stack::Encoder, Stack::Decoder}) {
    const LayerSizes s = sizesOfFirst(c, stack);
    const std::string name(stackName(stack));
    fields[name + "_layers"] = c.layers(stack).size();
    fields[name + "_attention_heads"] = s.heads;
    fields[name + "_ffn_dim"] = s.feed_forward;
  }
  if (marian) {
    fields["decoder_vocab_size"] = c.target_vocabulary;
    fields["share_encoder_decoder_embeddings"] = c.share_embeddings;
  }
  return fields.dump();
}

template <bool marian>
ModelConfig configOf(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  ObjectReader reader(object, where);
  const ModelConfig c = readBoth(reader, marian);
  validateAt(c, where);
  return c;
}

constexpr std::array kBartParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embed_tokens"},
    ForeignPart{BlockKind{}, ParameterPart::Positions, "embed_positions"},
    ForeignPart{BlockKind{}, ParameterPart::EmbeddingNorm, "layernorm_embedding"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "final_logits"},
    ForeignPart{kAttends, ParameterPart::Query, "self_attn.q_proj"},
    ForeignPart{kAttends, ParameterPart::Key, "self_attn.k_proj"},
    ForeignPart{kAttends, ParameterPart::Value, "self_attn.v_proj"},
    ForeignPart{kAttends, ParameterPart::Output, "self_attn.out_proj"},
    ForeignPart{kAttends, ParameterPart::Norm, "self_attn_layer_norm"},
    ForeignPart{kCrosses, ParameterPart::Query, "encoder_attn.q_proj"},
    ForeignPart{kCrosses, ParameterPart::Key, "encoder_attn.k_proj"},
    ForeignPart{kCrosses, ParameterPart::Value, "encoder_attn.v_proj"},
    ForeignPart{kCrosses, ParameterPart::Output, "encoder_attn.out_proj"},
    ForeignPart{kCrosses, ParameterPart::Norm, "encoder_attn_layer_norm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "fc1"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "fc2"},
    ForeignPart{kFeeds, ParameterPart::Norm, "final_layer_norm"}};

constexpr const char* kShared = "shared.weight";
constexpr const char* kLogitsBias = "final_logits_bias";

ForeignTensor bartTensor(const ForeignModel&, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kBartParts, "layers.", p);
  const Stack stack = p.tag.site.stack;
  const bool outside = p.tag.site.kind == BlockKind{};
  if (outside && p.tag.part == ParameterPart::Output) {
    // Encoders and decoders saved without the output have no such tensor.
    tensor.name = kLogitsBias;
    tensor.optional = true;
    tensor.shape.insert(tensor.shape.begin(), 1);
    return tensor;
  }
  if (stack != Stack::None) tensor.name = std::string(stackName(stack)) + "." + tensor.name;
  if (p.tag.part == ParameterPart::Embedding) {
    if (stack == Stack::None) {
      tensor.name = kShared;
      tensor.other = "encoder.embed_tokens.weight";
      tensor.copies = {"decoder.embed_tokens.weight"};
    }
    if (stack != Stack::Encoder) tensor.copies.emplace_back(kOutputName);
  }
  if (p.tag.part == ParameterPart::Positions) {
    tensor.first = kRowsBeforePositions;
    tensor.shape.front() += kRowsBeforePositions;
  }
  return tensor;
}

template <bool marian>
Family familyOf(std::string_view type, std::string_view words, std::string_view begins,
                std::string_view class_name) {
  return {.type = type,
          .words = words,
          .config = configOf<marian>,
          .tensor = bartTensor,
          .begins = begins,
          .prefix = "model.",
          .marks = {"encoder.layers.", "model.encoder.layers."},
          .parts = {"encoder.", "decoder.", "shared."},
          .fields = fieldsOf<marian>,
          .class_name = class_name};
}

}  // namespace

Family bartFamily() {
  return familyOf<false>("bart", "BART", "Bart", "BartForConditionalGeneration");
}

Family marianFamily() {
  Family family = familyOf<true>("marian", "Marian", "Marian", "MarianMTModel");
  family.ignored = {"embed_positions.weight"};
  return family;
}

}  // namespace tfm
