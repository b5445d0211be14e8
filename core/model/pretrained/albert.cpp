// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/albert.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

/// Layer i is run i of group i * groups / layers.
std::int64_t groupOf(std::int64_t layer, std::int64_t groups, std::int64_t layers) {
  return layer * groups / layers;
}

ModelConfig albertConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "an ALBERT encoder");
  ModelConfig c = pretrainedEncoder(reader, s.vocabulary, s.positions, s.hidden, "gelu_new");
  c.positions = Positions::Learned;
  c.embedding_size = sizeOr(reader, "embedding_size", 128);
  c.embedding_map = true;
  setUniform(c, s.layers, 0,
             {s.heads, s.head(), s.head(), s.inner, reader.get("layer_norm_eps", 1e-12)});
  const std::int64_t groups = sizeOr(reader, "num_hidden_groups", 1);
  if (groups > s.layers)
    reader.throwInvalid("num_hidden_groups",
                        "at most num_hidden_layers, " + std::to_string(s.layers));
  for (std::int64_t i = 1; i < s.layers; ++i)
    c.encoder_layers[std::size_t(i)].repeats =
        groupOf(i, groups, s.layers) == groupOf(i - 1, groups, s.layers);
  if (sizeOr(reader, "inner_group_num", 1) != 1) reader.throwInvalid("inner_group_num", "1");
  // Of training, and what early releases wrote but nobody read.
  for (const char* harmless : {"classifier_dropout_prob", "down_scale_factor", "gap_size",
                               "net_structure_type", "num_memory_blocks"})
    reader.child(harmless);
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

std::string albertFields(const ModelConfig& c, std::int64_t) {
  const LayerSizes s = sizesOfFirst(c, Stack::Encoder);
  const auto first_of_group = [](const LayerConfig& layer) { return !layer.repeats; };
  return nlohmann::ordered_json{
      {"vocab_size", c.source_vocabulary},
      {"max_position_embeddings", c.source_length},
      {"embedding_size", c.embedding_size},
      {"hidden_size", c.hidden},
      {"intermediate_size", s.feed_forward},
      {"num_hidden_layers", c.encoder_layers.size()},
      {"num_hidden_groups", std::ranges::count_if(c.encoder_layers, first_of_group)},
      {"inner_group_num", 1},
      {"num_attention_heads", s.heads},
      {"hidden_act", activationName(c.activation)},
      {"layer_norm_eps", s.norm_eps},
      {"type_vocab_size", kWrittenTypes}}
      .dump();
}

constexpr std::array kAlbertParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embeddings.word_embeddings"},
    ForeignPart{BlockKind{}, ParameterPart::Positions, "embeddings.position_embeddings"},
    ForeignPart{BlockKind{}, ParameterPart::EmbeddingNorm, "embeddings.LayerNorm"},
    ForeignPart{BlockKind{}, ParameterPart::EmbeddingMap, "encoder.embedding_hidden_mapping_in"},
    ForeignPart{kAttends, ParameterPart::Query, "albert_layers.0.attention.query"},
    ForeignPart{kAttends, ParameterPart::Key, "albert_layers.0.attention.key"},
    ForeignPart{kAttends, ParameterPart::Value, "albert_layers.0.attention.value"},
    ForeignPart{kAttends, ParameterPart::Output, "albert_layers.0.attention.dense"},
    ForeignPart{kAttends, ParameterPart::Norm, "albert_layers.0.attention.LayerNorm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "albert_layers.0.ffn"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "albert_layers.0.ffn_output"},
    ForeignPart{kFeeds, ParameterPart::Norm, "albert_layers.0.full_layer_layer_norm"},
    ForeignPart{BlockKind{}, ParameterPart::Transform, "predictions.dense"},
    ForeignPart{BlockKind{}, ParameterPart::TransformNorm, "predictions.LayerNorm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "predictions"}};

ForeignTensor albertTensor(const ForeignModel& model, const ParameterInfo& p) {
  // A group is named by its number, a layer of ours by the first that runs it.
  ParameterInfo of_group = p;
  std::int64_t& layer = of_group.tag.site.layer;
  for (std::int64_t i = layer; i >= 0; --i)
    if (i > 0 && model.config.encoder_layers[std::size_t(i)].repeats) --layer;
  ForeignTensor tensor = foreignTensor(kAlbertParts, "encoder.albert_layer_groups.", of_group);
  if (p.tag.part == ParameterPart::Positions)
    tensor.added = "embeddings.token_type_embeddings.weight";
  if (p.tag.part == ParameterPart::Embedding) tensor.copies = {"predictions.decoder.weight"};
  if (tensor.name == "predictions.bias") tensor.copies = {"predictions.decoder.bias"};
  return tensor;
}

}  // namespace

Family albertFamily() {
  return {.type = "albert",
          .words = "ALBERT encoder",
          .config = albertConfig,
          .tensor = albertTensor,
          .begins = "Albert",
          .prefix = "albert.",
          .marks = {"embeddings.word_embeddings", "albert.embeddings.word_embeddings"},
          .parts = {"encoder.", "embeddings."},
          .ignored = {"embeddings.position_ids"},
          .masked_head = "predictions.dense.weight",
          .fields = albertFields,
          .class_name = "AlbertForMaskedLM",
          .bare_class = "AlbertModel"};
}

}  // namespace tfm
