// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/bert.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

/// The output of the model, not that of an attention.
bool isOutput(const ParameterInfo& p) {
  return p.tag.site.kind == BlockKind{} && p.tag.part == ParameterPart::Output;
}

constexpr std::string_view kTypes = "embeddings.token_type_embeddings.weight";

ModelConfig encoderOf(io::ObjectReader& reader, const PretrainedSizes& s, double eps) {
  ModelConfig c = pretrainedEncoder(reader, s.vocabulary, s.positions, s.hidden, "gelu");
  c.positions = Positions::Learned;
  setUniform(c, s.layers, 0, {s.heads, s.head(), s.head(), s.inner, eps});
  return c;
}

nlohmann::ordered_json encoderFields(const ModelConfig& c) {
  const LayerSizes s = sizesOfFirst(c, Stack::Encoder);
  return {{"vocab_size", c.source_vocabulary},
          {"max_position_embeddings", c.source_length},
          {"hidden_size", c.hidden},
          {"intermediate_size", s.feed_forward},
          {"num_hidden_layers", c.encoder_layers.size()},
          {"num_attention_heads", s.heads},
          {"hidden_act", activationName(c.activation)},
          {"layer_norm_eps", s.norm_eps},
          {"type_vocab_size", kWrittenTypes}};
}

std::string bertFields(const ModelConfig& c, std::int64_t) { return encoderFields(c).dump(); }

/// BERT's names of the maps and norms of an encoder.
constexpr std::array kBertParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embeddings.word_embeddings"},
    ForeignPart{BlockKind{}, ParameterPart::Positions, "embeddings.position_embeddings"},
    ForeignPart{BlockKind{}, ParameterPart::EmbeddingNorm, "embeddings.LayerNorm"},
    ForeignPart{kAttends, ParameterPart::Query, "attention.self.query"},
    ForeignPart{kAttends, ParameterPart::Key, "attention.self.key"},
    ForeignPart{kAttends, ParameterPart::Value, "attention.self.value"},
    ForeignPart{kAttends, ParameterPart::Output, "attention.output.dense"},
    ForeignPart{kAttends, ParameterPart::Norm, "attention.output.LayerNorm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "intermediate.dense"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "output.dense"},
    ForeignPart{kFeeds, ParameterPart::Norm, "output.LayerNorm"},
    ForeignPart{BlockKind{}, ParameterPart::Transform, "cls.predictions.transform.dense"},
    ForeignPart{BlockKind{}, ParameterPart::TransformNorm, "cls.predictions.transform.LayerNorm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "cls.predictions"}};

/// Texts have a single segment, so the embedding of segment 0 belongs to every position.
ForeignTensor bertTensor(const ForeignModel&, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kBertParts, "encoder.layer.", p);
  if (p.tag.part == ParameterPart::Positions) tensor.added = kTypes;
  if (p.tag.part == ParameterPart::Embedding) tensor.copies = {"cls.predictions.decoder.weight"};
  if (isOutput(p)) tensor.copies = {"cls.predictions.decoder.bias"};
  // The names in early releases, converted from TensorFlow checkpoints.
  if (p.tag.ofNorm())
    tensor.other = tensor.name.substr(0, tensor.name.rfind('.')) +
                   (p.tag.term == Term::Gain ? ".gamma" : ".beta");
  return tensor;
}

// --- DistilBERT ---------------------------------------------------------------------------------

/// As BERT, with other names and without segments; its epsilon is in no file.
ModelConfig distilBertConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "a DistilBERT encoder",
                                                {"dim", "n_layers", "n_heads", "hidden_dim"});
  ModelConfig c = encoderOf(reader, s, 1e-12);
  c.activation = activationFrom(reader, "gelu", "activation");
  // Of training, of heads, and how the position table began.
  for (const char* harmless :
       {"dropout", "qa_dropout", "seq_classif_dropout", "sinusoidal_pos_embds", "tie_weights_"})
    reader.child(harmless);
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

std::string distilBertFields(const ModelConfig& c, std::int64_t) {
  const LayerSizes s = sizesOfFirst(c, Stack::Encoder);
  return nlohmann::ordered_json{{"vocab_size", c.source_vocabulary},
                                {"max_position_embeddings", c.source_length},
                                {"dim", c.hidden},
                                {"hidden_dim", s.feed_forward},
                                {"n_layers", c.encoder_layers.size()},
                                {"n_heads", s.heads},
                                {"activation", activationName(c.activation)}}
      .dump();
}

constexpr std::array kDistilBertParts{
    ForeignPart{BlockKind{}, ParameterPart::Embedding, "embeddings.word_embeddings"},
    ForeignPart{BlockKind{}, ParameterPart::Positions, "embeddings.position_embeddings"},
    ForeignPart{BlockKind{}, ParameterPart::EmbeddingNorm, "embeddings.LayerNorm"},
    ForeignPart{kAttends, ParameterPart::Query, "attention.q_lin"},
    ForeignPart{kAttends, ParameterPart::Key, "attention.k_lin"},
    ForeignPart{kAttends, ParameterPart::Value, "attention.v_lin"},
    ForeignPart{kAttends, ParameterPart::Output, "attention.out_lin"},
    ForeignPart{kAttends, ParameterPart::Norm, "sa_layer_norm"},
    ForeignPart{kFeeds, ParameterPart::Linear1, "ffn.lin1"},
    ForeignPart{kFeeds, ParameterPart::Linear2, "ffn.lin2"},
    ForeignPart{kFeeds, ParameterPart::Norm, "output_layer_norm"},
    ForeignPart{BlockKind{}, ParameterPart::Transform, "vocab_transform"},
    ForeignPart{BlockKind{}, ParameterPart::TransformNorm, "vocab_layer_norm"},
    ForeignPart{BlockKind{}, ParameterPart::Output, "vocab_projector"}};

ForeignTensor distilBertTensor(const ForeignModel&, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kDistilBertParts, "transformer.layer.", p);
  if (p.tag.part == ParameterPart::Embedding) tensor.copies = {"vocab_projector.weight"};
  return tensor;
}

// --- RoBERTa ------------------------------------------------------------------------------------

/// Positions begin after the row of pads.
std::int64_t firstRow(io::ObjectReader& reader) {
  const auto pad = reader.get<std::int64_t>("pad_token_id", 1);
  if (pad < 0 || pad > kMaxPretrainedSize)
    reader.throwInvalid("pad_token_id", "a whole number from 0");
  return pad + 1;
}

ModelConfig robertaConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "a RoBERTa encoder");
  const std::int64_t first = firstRow(reader);
  if (s.positions <= first)
    reader.throwInvalid("max_position_embeddings",
                        "more than the " + std::to_string(first) + " rows before the first");
  ModelConfig c = encoderOf(reader, s, reader.get("layer_norm_eps", 1e-12));
  c.source_length = s.positions - first;
  if (c.activation != Activation::Gelu) reader.throwInvalid("hidden_act", "\"gelu\"");
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

std::string robertaFields(const ModelConfig& c, std::int64_t pad) {
  nlohmann::ordered_json fields = encoderFields(c);
  fields["max_position_embeddings"] = c.source_length + pad + 1;
  fields["pad_token_id"] = pad;
  return fields.dump();
}

/// How many rows of the positions' table come before the first.
std::vector<double> rowsBefore(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  return {double(firstRow(reader))};
}

/// The library's name of a BERT's head.
std::string robertaHead(const std::string& name) {
  constexpr std::string_view kBert = "cls.predictions.";
  std::string rest = name.substr(kBert.size());
  if (rest.starts_with("transform.LayerNorm")) rest.replace(0, 19, "layer_norm");
  if (rest.starts_with("transform.dense")) rest.replace(0, 15, "dense");
  return "lm_head." + rest;
}

ForeignTensor robertaTensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = bertTensor(model, p);
  if (tensor.name.starts_with("cls.")) {
    tensor.name = robertaHead(tensor.name);
    tensor.other.clear();
  }
  for (std::string& copy : tensor.copies) copy = robertaHead(copy);
  if (p.tag.part != ParameterPart::Positions) return tensor;
  tensor.first = std::int64_t(model.factors.front());
  tensor.shape.front() += tensor.first;
  return tensor;
}

}  // namespace

ModelConfig bertConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "a BERT encoder");
  const ModelConfig c = encoderOf(reader, s, reader.get("layer_norm_eps", 1e-12));
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

Family bertFamily() {
  return {.type = "bert",
          .words = "BERT encoder",
          .config = bertConfig,
          .tensor = bertTensor,
          .begins = "Bert",
          .prefix = "bert.",
          .marks = {"embeddings.word_embeddings", "bert.embeddings.word_embeddings"},
          .parts = {"encoder.", "embeddings."},
          .ignored = {"embeddings.position_ids"},
          .masked_head = "cls.predictions.transform.dense.weight",
          .fields = bertFields,
          .class_name = "BertForMaskedLM",
          .bare_class = "BertModel"};
}

Family distilBertFamily() {
  return {.type = "distilbert",
          .words = "DistilBERT encoder",
          .config = distilBertConfig,
          .tensor = distilBertTensor,
          .begins = "DistilBert",
          .prefix = "distilbert.",
          .marks = {"embeddings.word_embeddings", "distilbert.embeddings.word_embeddings"},
          .parts = {"transformer.", "embeddings."},
          .ignored = {"embeddings.position_ids"},
          .masked_head = "vocab_transform.weight",
          .fields = distilBertFields,
          .class_name = "DistilBertForMaskedLM",
          .bare_class = "DistilBertModel"};
}

Family robertaFamily() {
  Family family = bertFamily();
  family.type = "roberta";
  family.words = "RoBERTa encoder";
  family.config = robertaConfig;
  family.tensor = robertaTensor;
  family.begins = "Roberta";
  family.prefix = "roberta.";
  family.marks = {"embeddings.word_embeddings", "roberta.embeddings.word_embeddings"};
  family.factors = rowsBefore;
  family.masked_head = "lm_head.dense.weight";
  family.fields = robertaFields;
  family.class_name = "RobertaForMaskedLM";
  family.bare_class = "RobertaModel";
  return family;
}

}  // namespace tfm
