// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/foreign_config.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

/// What an encoder computes for a text does not depend on these: they are of training, of heads, of
/// writing, of tokens, or say how the library computes.
constexpr std::array kHarmless{"_attn_implementation_autoset",
                               "_commit_hash",
                               "_name_or_path",
                               "activation_dropout",
                               "architectures",
                               "attention_dropout",
                               "attention_probs_dropout_prob",
                               "attn_pdrop",
                               "bad_words_ids",
                               "begin_suppress_tokens",
                               "bos_token_id",
                               "chunk_size_feed_forward",
                               "classifier_dropout",
                               "cls_token_id",
                               "decoder_start_token_id",
                               "directionality",
                               "diversity_penalty",
                               "do_sample",
                               "dtype",
                               "early_stopping",
                               "embd_pdrop",
                               "encoder_no_repeat_ngram_size",
                               "eos_token_id",
                               "exponential_decay_length_penalty",
                               "finetuning_task",
                               "forced_bos_token_id",
                               "forced_eos_token_id",
                               "gradient_checkpointing",
                               "hidden_dropout",
                               "hidden_dropout_prob",
                               "id2label",
                               "initializer_range",
                               "initializer_std",
                               "label2id",
                               "language",
                               "length_penalty",
                               "max_length",
                               "min_length",
                               "model_type",
                               "n_ctx",
                               "name",
                               "no_repeat_ngram_size",
                               "num_beam_groups",
                               "num_beams",
                               "num_labels",
                               "num_return_sequences",
                               "output_attentions",
                               "output_hidden_states",
                               "output_past",
                               "output_scores",
                               "pad_token_id",
                               "pooler_fc_size",
                               "pooler_num_attention_heads",
                               "pooler_num_fc_layers",
                               "pooler_size_per_head",
                               "pooler_type",
                               "prefix",
                               "pretraining_tp",
                               "problem_type",
                               "remove_invalid_values",
                               "reorder_and_upcast_attn",
                               "repetition_penalty",
                               "resid_pdrop",
                               "return_dict",
                               "return_dict_in_generate",
                               "sep_token_id",
                               "summary_activation",
                               "summary_first_dropout",
                               "summary_proj_to_labels",
                               "summary_type",
                               "summary_use_proj",
                               "suppress_tokens",
                               "task_specific_params",
                               "temperature",
                               "tf_legacy_loss",
                               "tie_encoder_decoder",
                               "tie_word_embeddings",
                               "tokenizer_class",
                               "top_k",
                               "top_p",
                               "torch_dtype",
                               "torchscript",
                               "transformers_version",
                               "type_vocab_size",
                               "typical_p",
                               "use_bfloat16",
                               "use_cache",
                               "xla_device"};

/// Fields with the one value, as JSON, that leaves an encoder as it is.
struct UsualValue {
  const char* field;
  const char* json;
};
constexpr std::array kUsual{
    UsualValue{"add_cross_attention", "false"}, UsualValue{"is_decoder", "false"},
    UsualValue{"position_embedding_type", "\"absolute\""}, UsualValue{"pruned_heads", "{}"}};

}  // namespace

void readNeeded(io::ObjectReader& reader, std::span<const io::Field> fields,
                const std::string& whom) {
  for (const io::Field& field : fields)
    if (reader.child(field.name) == nullptr)
      throw Error("'" + std::string(field.name) + "' is missing", reader.where(),
                  "Use the config.json of " + whom + " with " + io::allowedText(field));
  reader.readFields(fields);
  io::checkFields(fields, reader.where());
}

void readSizes(io::ObjectReader& reader, std::span<const io::Field> needed,
               std::span<const io::Field> others, const std::string& whom) {
  readNeeded(reader, needed, whom);
  reader.readFields(others);
  io::checkFields(others, reader.where());
}

PretrainedSizes readPretrainedSizes(io::ObjectReader& reader, const std::string& whom,
                                    const SizeNames& names) {
  using io::IntegerSlot;
  constexpr std::int64_t kMax = kMaxPretrainedSize;
  PretrainedSizes s;
  const std::vector<io::Field> fields{
      {"vocab_size", "Tokens", IntegerSlot{&s.vocabulary, 1, kMax}},
      {"max_position_embeddings", "Positions", IntegerSlot{&s.positions, 1, kMax}},
      {names.hidden, "Width of the hidden states", IntegerSlot{&s.hidden, 1, kMax}},
      {names.layers, "Layers", IntegerSlot{&s.layers, 1, kMaxLayers}},
      {names.heads, "Heads", IntegerSlot{&s.heads, 1, kMax}},
      {names.inner, "Feed-forward width", IntegerSlot{&s.inner, 1, kMax}}};
  readNeeded(reader, fields, whom);
  if (s.hidden % s.heads != 0)
    throw Error(
        std::string(names.hidden) + " is " + std::to_string(s.hidden), reader.where(),
        "Allowed: a multiple of " + std::string(names.heads) + ", " + std::to_string(s.heads));
  return s;
}

std::int64_t keyHeads(io::ObjectReader& reader, std::int64_t heads, std::int64_t usual) {
  const std::int64_t key_heads = sizeOr(reader, "num_key_value_heads", usual);
  if (heads % key_heads != 0)
    throw Error("num_attention_heads is " + std::to_string(heads), reader.where(),
                "Allowed: a multiple of num_key_value_heads, " + std::to_string(key_heads));
  return key_heads;
}

ModelConfig pretrainedEncoder(io::ObjectReader& reader, std::int64_t vocabulary,
                              std::int64_t positions, std::int64_t hidden,
                              const std::string& usual_activation) {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.source_vocabulary = vocabulary;
  c.source_length = positions;
  c.hidden = hidden;
  c.norm_placement = NormPlacement::Post;
  c.embedding_norm = true;
  c.final_norm = false;
  c.activation = activationFrom(reader, usual_activation);
  return c;
}

std::int64_t sizeOr(io::ObjectReader& reader, const char* name, std::int64_t usual) {
  const nlohmann::json* value = reader.child(name);
  if (value == nullptr || value->is_null()) return usual;
  const auto size = reader.get<std::int64_t>(name, usual);
  if (size < 1 || size > kMaxPretrainedSize) reader.throwInvalid(name, "a whole number from 1");
  return size;
}

ModelConfig pretrainedDecoder(std::int64_t vocabulary, std::int64_t positions,
                              std::int64_t hidden) {
  ModelConfig c;
  c.architecture = Architecture::Decoder;
  c.output = OutputKind::Vocabulary;
  c.target_vocabulary = vocabulary;
  c.target_length = positions;
  c.hidden = hidden;
  c.norm_placement = NormPlacement::Pre;
  c.final_norm = true;
  c.output_bias = false;
  return c;
}

ModelConfig pretrainedEncoderDecoder() {
  ModelConfig c;
  c.architecture = Architecture::EncoderDecoder;
  c.output = OutputKind::Vocabulary;
  return c;
}

void requireSwitch(io::ObjectReader& reader, const char* name, bool usual) {
  if (reader.get(name, usual) != usual) reader.throwInvalid(name, usual ? "true" : "false");
}

void refuseOtherFields(io::ObjectReader& reader, bool encoder_decoder) {
  requireSwitch(reader, "is_encoder_decoder", encoder_decoder);
  for (const UsualValue& usual : kUsual) {
    const nlohmann::json* value = reader.child(usual.field);
    if (value != nullptr && !value->is_null() && *value != nlohmann::json::parse(usual.json))
      reader.throwInvalid(usual.field, usual.json);
  }
  for (const char* name : kHarmless) reader.child(name);
  reader.refuseUnknown("this field is not read, and the states may depend on it",
                       "If they do not, remove it from the file");
}

LayerSizes sizesOfFirst(const ModelConfig& config, Stack stack) {
  LayerSizes sizes;
  if (config.layers(stack).empty()) return sizes;
  const LayerConfig& first = config.layers(stack).front();
  if (!first.blocks.empty()) sizes.norm_eps = first.blocks.front().norm_eps;
  if (const auto* attention = first.first<SelfAttention>()) {
    sizes.heads = attention->sizes.heads;
    sizes.group = attention->sizes.group;
    sizes.key_size = attention->sizes.key_size;
    sizes.value_size = attention->sizes.value_size;
    sizes.window = attention->window;
  }
  if (const auto* feeds = first.first<FeedForward>()) sizes.feed_forward = feeds->width;
  return sizes;
}

void validateAt(const ModelConfig& config, const std::string& where) {
  try {
    validate(config);
  } catch (const Error& error) {
    throw Error(error.problem(), where, error.hint());
  }
}

}  // namespace tfm
