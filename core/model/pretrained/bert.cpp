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

constexpr std::string_view kTypes = "embeddings.token_type_embeddings.weight";

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
    ForeignPart{kFeeds, ParameterPart::Norm, "output.LayerNorm"}};

/// Texts have a single segment, so the embedding of segment 0 belongs to every position.
ForeignTensor bertTensor(const ForeignModel&, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kBertParts, "encoder.layer.", p);
  if (p.tag.part == ParameterPart::Positions) tensor.added = kTypes;
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
  ModelConfig c = pretrainedEncoder(reader, s.vocabulary, s.positions, s.hidden, "gelu");
  c.activation = activationFrom(reader, "gelu", "activation");
  c.positions = Positions::Learned;
  setUniform(c, s.layers, 0, {s.heads, s.head(), s.head(), s.inner, 1e-12});
  // Of training, of heads, and how the position table began.
  for (const char* harmless :
       {"dropout", "qa_dropout", "seq_classif_dropout", "sinusoidal_pos_embds", "tie_weights_"})
    reader.child(harmless);
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
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
    ForeignPart{kFeeds, ParameterPart::Norm, "output_layer_norm"}};

ForeignTensor distilBertTensor(const ForeignModel&, const ParameterInfo& p) {
  return foreignTensor(kDistilBertParts, "transformer.layer.", p);
}

}  // namespace

ModelConfig bertConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const PretrainedSizes s = readPretrainedSizes(reader, "a BERT encoder");
  ModelConfig c = pretrainedEncoder(reader, s.vocabulary, s.positions, s.hidden, "gelu");
  c.positions = Positions::Learned;
  setUniform(c, s.layers, 0,
             {s.heads, s.head(), s.head(), s.inner, reader.get("layer_norm_eps", 1e-12)});
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
          .ignored = {"embeddings.position_ids"}};
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
          .ignored = {"embeddings.position_ids"}};
}

}  // namespace tfm
