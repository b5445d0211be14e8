// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/funnel_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/encoder_config.h"

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

}  // namespace tfm
