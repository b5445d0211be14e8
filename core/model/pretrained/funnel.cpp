// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/funnel.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"

namespace tfm {
namespace {

struct FunnelSizes {
  std::int64_t vocabulary = 0, hidden = 0, heads = 0, head = 0, inner = 0;
  std::int64_t positions = 512, decoder_layers = 2;
  std::vector<std::int64_t> blocks, repeats;
};

/// The sizes that a file must have.
std::vector<io::Field> neededFields(FunnelSizes& s) {
  using io::IntegerSlot;
  constexpr std::int64_t kMax = kMaxPretrainedSize;
  return {{"vocab_size", "Tokens", IntegerSlot{&s.vocabulary, 1, kMax}},
          {"d_model", "Width of the hidden states", IntegerSlot{&s.hidden, 1, kMax}},
          {"n_head", "Heads", IntegerSlot{&s.heads, 1, kMax}},
          {"d_head", "Width of a head", IntegerSlot{&s.head, 1, kMax}},
          {"d_inner", "Feed-forward width", IntegerSlot{&s.inner, 1, kMax}},
          {"block_sizes", "Layers of each block", io::IntegersSlot{&s.blocks, 1, kMaxLayers}}};
}

/// Those that have a default.
std::vector<io::Field> otherFields(FunnelSizes& s) {
  using io::IntegerSlot;
  return {{"max_position_embeddings", "Positions", IntegerSlot{&s.positions, 1, kMaxPositions}},
          {"num_decoder_layers", "Layers after the up-sampling",
           IntegerSlot{&s.decoder_layers, 1, kMaxLayers}}};
}

/// Classes of the library that have no decoder.
constexpr std::array kWithoutDecoder{"FunnelBaseModel", "FunnelForSequenceClassification",
                                     "FunnelForMultipleChoice"};

FunnelSizes sizesFrom(io::ObjectReader& reader, bool decoder) {
  FunnelSizes sizes;
  readNeeded(reader, neededFields(sizes), "a Funnel-Transformer");
  const std::vector<io::Field> others = otherFields(sizes);
  reader.readFields(others);
  io::checkFields(decoder ? others : std::vector{others.front()}, reader.where());
  const std::int64_t least = decoder ? 2 : 1;
  if (std::ssize(sizes.blocks) < least)
    reader.throwInvalid("block_sizes", "the layers of " + std::to_string(least) +
                                           " or more blocks: nothing is up-sampled otherwise");
  const nlohmann::json* repeats = reader.child("block_repeats");
  if (repeats != nullptr && !repeats->is_null()) {
    const io::Field field{"block_repeats", "Runs of every layer of a block",
                          io::IntegersSlot{&sizes.repeats, 1, kMaxLayers}};
    reader.readFields({&field, 1});
    io::checkFields({&field, 1}, reader.where());
    if (sizes.repeats.size() != sizes.blocks.size())
      reader.throwInvalid("block_repeats", "one for each of block_sizes");
    // The library adds the states after so many runs as the first block has layers.
    if (decoder && sizes.repeats.front() != 1)
      reader.throwInvalid("block_repeats", "1 for the first block where there is a decoder");
  } else {
    sizes.repeats.assign(sizes.blocks.size(), 1);
  }
  return sizes;
}

bool hasDecoder(io::ObjectReader& reader) {
  const nlohmann::json* names = reader.child("architectures");
  if (names == nullptr || !names->is_array() || names->empty()) return true;
  return std::ranges::none_of(kWithoutDecoder,
                              [&](const char* name) { return names->front() == name; });
}

PoolingConfig poolingFrom(io::ObjectReader& reader) {
  PoolingConfig pooling;
  const auto kind = reader.get<std::string>("pooling_type", "mean");
  if (kind != "mean" && kind != "max") reader.throwInvalid("pooling_type", "mean or max");
  pooling.kind = kind == "mean" ? Pooling::Mean : Pooling::Max;
  pooling.separate_cls = reader.get("separate_cls", true);
  pooling.truncate = reader.get("truncate_seq", true);
  pooling.queries_only = reader.get("pool_q_only", true);
  pooling.padding_spreads = true;
  // Two ways to compute the same.
  const auto scores = reader.get<std::string>("attention_type", "relative_shift");
  if (scores != "relative_shift" && scores != "factorized")
    reader.throwInvalid("attention_type", "relative_shift or factorized");
  return pooling;
}

/// The library's names of what an encoder has, and how it stores a tensor that has the same numbers
/// in another shape.
struct FunnelPart {
  BlockKind kind;
  ParameterPart part;
  std::string_view name;
  Term term = Term::Weight;  ///< one name for both terms unless it is of a single tensor
  enum Form { Usual, PerHead, Transposed } form = Usual;
};
constexpr std::array kParts{
    FunnelPart{BlockKind{}, ParameterPart::Embedding, "embeddings.word_embeddings"},
    FunnelPart{BlockKind{}, ParameterPart::EmbeddingNorm, "embeddings.layer_norm"},
    FunnelPart{kAttends, ParameterPart::Query, "attention.q_head"},
    FunnelPart{kAttends, ParameterPart::Key, "attention.k_head"},
    FunnelPart{kAttends, ParameterPart::Value, "attention.v_head"},
    FunnelPart{kAttends, ParameterPart::Output, "attention.post_proj"},
    FunnelPart{kAttends, ParameterPart::Norm, "attention.layer_norm"},
    FunnelPart{kAttends, kContentPart, "attention.r_w_bias", Term::Bias, FunnelPart::PerHead},
    FunnelPart{kAttends, kPositionPart, "attention.r_r_bias", Term::Bias, FunnelPart::PerHead},
    FunnelPart{kAttends, kPositionPart, "attention.r_kernel", Term::Weight, FunnelPart::Transposed},
    FunnelPart{kAttends, kSegmentPart, "attention.r_s_bias", Term::Bias, FunnelPart::PerHead},
    FunnelPart{kAttends, kSegmentPart, "attention.seg_embed", Term::Weight, FunnelPart::PerHead},
    FunnelPart{kFeeds, ParameterPart::Linear1, "ffn.linear_1"},
    FunnelPart{kFeeds, ParameterPart::Linear2, "ffn.linear_2"},
    FunnelPart{kFeeds, ParameterPart::Norm, "ffn.layer_norm"}};

const FunnelPart& partOf(const ParameterTag& tag) {
  const auto is = [&](const FunnelPart& p) {
    return p.kind == tag.site.kind && p.part == tag.part &&
           (p.form == FunnelPart::Usual || p.term == tag.term);
  };
  const auto found = std::ranges::find_if(kParts, is);
  check(found != kParts.end(), "the library has every parameter of the encoder");
  return *found;
}

/// "encoder.blocks.1.0." or "decoder.layers.0." of each layer; a repeat has the name of its layer.
std::vector<std::string> layerNames(const ModelConfig& config) {
  std::vector<std::string> names;
  std::string owner = "encoder.blocks.0.";
  std::int64_t block = 0, number = 0;
  for (const LayerConfig& layer : config.encoder_layers) {
    if (layer.before != LengthChange::None) number = 0;
    if (layer.before == LengthChange::Pool)
      owner = "encoder.blocks." + std::to_string(++block) + ".";
    if (layer.before == LengthChange::Upsample) owner = "decoder.layers.";
    names.push_back(layer.repeats ? names.back() : owner + std::to_string(number++) + ".");
  }
  return names;
}

/// The shape that a parameter has in the file.
std::vector<std::int64_t> shapeIn(const ParameterInfo& p, FunnelPart::Form form) {
  if (form == FunnelPart::Usual) return sizes(p.shape);
  const Dimension& heads = form == FunnelPart::Transposed ? p.shape.front() : p.shape.back();
  std::vector<std::int64_t> shape;
  if (form == FunnelPart::Transposed) shape.push_back(p.cols());
  if (form == FunnelPart::PerHead && p.shape.size() > 1) shape.push_back(p.rows());
  for (const AxisSize& factor : heads.factors) shape.push_back(factor.size);
  return shape;
}

ForeignTensor funnelTensor(const ForeignModel& model, const ParameterInfo& p) {
  const FunnelPart& part = partOf(p.tag);
  const bool weight = p.tag.term == Term::Weight || p.tag.term == Term::Gain;
  return {.name = (p.tag.site.layer < 0 ? ""
                                        : layerNames(model.config)[std::size_t(p.tag.site.layer)]) +
                  std::string(part.name) +
                  (part.form != FunnelPart::Usual ? ""
                   : weight                       ? ".weight"
                                                  : ".bias"),
          .shape = shapeIn(p, part.form),
          .transposed = part.form == FunnelPart::Transposed};
}

}  // namespace

ModelConfig funnelConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const bool decoder = hasDecoder(reader);
  const FunnelSizes sizes = sizesFrom(reader, decoder);
  ModelConfig c =
      pretrainedEncoder(reader, sizes.vocabulary, sizes.positions, sizes.hidden, "gelu_new");
  c.positions = Positions::Relative;
  c.pooling = poolingFrom(reader);
  setUniform(
      c, 1, 0,
      {sizes.heads, sizes.head, sizes.head, sizes.inner, reader.get("layer_norm_eps", 1e-9)});
  refuseOtherFields(reader);
  const std::int64_t decoder_layers = decoder ? sizes.decoder_layers : 0;
  std::int64_t layers = decoder_layers;
  std::vector<FunnelBlock> blocks;
  for (std::size_t i = 0; i < sizes.blocks.size(); ++i) {
    blocks.push_back({sizes.blocks[i], sizes.repeats[i]});
    layers += sizes.blocks[i] * sizes.repeats[i];
  }
  if (layers > kMaxLayers)
    throw Error("there are more than " + std::to_string(kMaxLayers) + " layers", where,
                "Use an encoder with fewer block_sizes, block_repeats or num_decoder_layers");
  setFunnelLayers(c, blocks, decoder_layers);
  validateAt(c, where);
  return c;
}

Family funnelFamily() {
  return {.type = "funnel",
          .words = "Funnel encoder",
          .config = funnelConfig,
          .tensor = funnelTensor,
          .begins = "Funnel",
          .prefix = "funnel.",
          .marks = {"embeddings.word_embeddings", "funnel.embeddings.word_embeddings"},
          .parts = {"encoder.", "embeddings.", "decoder."}};
}

}  // namespace tfm
