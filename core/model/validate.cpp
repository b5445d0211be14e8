// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/model/config_fields.h"
#include "core/model/delight.h"

namespace tfm {
namespace {

constexpr std::int64_t kMaxPositionNumbers = std::int64_t{1} << 28;

template <class Value>
[[noreturn]] void refuse(std::string_view field, Value value, const std::string& allowed) {
  std::ostringstream text;
  text << field << " is " << value;
  throw Error(text.str(), "model config", "Allowed: " + allowed);
}

void checkSize(const std::string& field, std::int64_t value, std::int64_t highest) {
  if (value < 1 || value > highest)
    refuse(field, value, "a whole number from 1 to " + std::to_string(highest));
}

void checkEps(const std::string& field, double eps) {
  if (!(eps > 0.0 && eps < 1.0)) refuse(field, eps, "a number above 0 and below 1");
}

/// Whether a stack may contain a block.
bool fits(const ModelConfig& c, Stack stack, const BlockConfig& block) {
  if (c.architecture == Architecture::Attention) return block.standsAlone();
  return !block.attendsToMemory() || (stack == Stack::Decoder && c.hasCrossAttention());
}

void checkBlocks(const ModelConfig& c, Stack stack, const std::string& where,
                 const std::vector<BlockConfig>& blocks) {
  const bool alone = c.architecture == Architecture::Attention;
  const std::int64_t most = alone ? 1 : kMaxBlocks;
  checkSize(where + ".blocks", std::ssize(blocks), most);
  for (BlockConfig block : blocks) {
    const std::string owner = where + "." + std::string(block.kind().name) + ".";
    if (!fits(c, stack, block))
      refuse(where, block.kind().name, "blocks that the architecture has in this stack");
    io::checkFields(block.fields(), "model config", owner);
    const auto* attention = std::get_if<SelfAttention>(&block.f);
    if (attention != nullptr && attention->window > 0 && stack != Stack::Decoder)
      refuse(owner + "window", attention->window, "0 unless in a decoder");
    block.check(owner, c.hidden);
    checkEps(owner + "norm_eps", block.norm_eps);
  }
}

/// Layers that share parameters must be equal.
void checkSharing(const ModelConfig& c, const std::string& name,
                  const std::vector<LayerConfig>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string where = name + "." + std::to_string(i);
    if (c.share_layers && layers[i].repeats)
      refuse(where + ".repeats", "true", "false if share_layers is true, which covers all layers");
    const auto equals = [&](const LayerConfig& other) {
      return layers[i].blocks == other.blocks && layers[i].gated == other.gated;
    };
    if (c.share_layers && !equals(layers.front()))
      refuse("share_layers", "true", "true only for layers of equal sizes");
    if (!layers[i].repeats) continue;
    if (i == 0) refuse(where + ".repeats", "true", "false for the first layer of a stack");
    if (!equals(layers[i - 1]))
      refuse(where + ".repeats", "true", "true only for a layer equal to the previous one");
  }
}

/// Where a stack may change its length.
void checkLengths(const ModelConfig& c, Stack stack, const std::string& name) {
  const std::vector<LayerConfig>& layers = c.layers(stack);
  bool pooled = false, upsampled = false;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].before == LengthChange::None) continue;
    const bool pools = layers[i].before == LengthChange::Pool;
    const std::string where = name + "." + std::to_string(i) + ".before";
    const std::string_view word = pools ? "pool" : "upsample";
    if (stack == Stack::Decoder)
      refuse(where, word, "none in a decoder, whose positions may not see later ones");
    if (c.architecture == Architecture::Attention)
      refuse(where, word, "none for a single attention, which has no layers");
    if (layers[i].repeats) refuse(where, word, "none for a repeat of the previous layer");
    if (pools && i == 0)
      refuse(where, word, "none for the first layer: the first block has the whole length");
    if (pools && upsampled) refuse(where, word, "none after the layer that up-samples");
    if (!pools && upsampled) refuse(where, word, "none after another layer that up-samples");
    if (!pools && !pooled) refuse(where, word, "none where no layer before has pooled");
    const bool attends = std::holds_alternative<SelfAttention>(layers[i].blocks.front().f);
    if (pools && c.pooling.queries_only && !attends)
      refuse(where, word,
             "a layer that starts with self_attention, or pooling.queries_only false: pooled "
             "queries attend to the unpooled states");
    (pools ? pooled : upsampled) = true;
  }
  if (c.output == OutputKind::Labels && pooled && !upsampled)
    refuse("output", "labels",
           "a layer of the encoder that up-samples (before: upsample): " +
               std::string("pooled states have no label for every position"));
}

/// The longest sequence must be long enough for every pooling.
void checkPoolable(const ModelConfig& c) {
  const auto poolings =
      std::ranges::count(c.encoder_layers, LengthChange::Pool, &LayerConfig::before);
  const auto pools = [&](std::int64_t length) {
    for (std::int64_t i = 0; i < poolings; ++i) {
      if (length < c.pooling.shortest()) return false;
      length = c.pooling.of(length).pooledLength();
    }
    return true;
  };
  if (poolings == 0 || c.source_length < 1 || pools(c.source_length)) return;
  std::int64_t enough = c.source_length;
  while (enough <= kMaxPositions && !pools(enough)) ++enough;
  refuse("source_length", c.source_length,
         (enough > kMaxPositions ? "fewer layers that pool; "
                                 : "at least " + std::to_string(enough) + "; ") +
             "too short to pool " + std::to_string(poolings) +
             (poolings == 1 ? " time" : " times"));
}

void checkLayers(const ModelConfig& c, Stack stack, bool wanted) {
  const std::string name = std::string(stackName(stack)) + "_layers";
  const std::vector<LayerConfig>& layers = c.layers(stack);
  if (!wanted) {
    if (!layers.empty())
      refuse(name, layers.size(), "no layers: the architecture has no such stack");
    return;
  }
  if (layers.empty() || std::int64_t(layers.size()) > kMaxLayers)
    refuse(name, layers.size(), "1 to " + std::to_string(kMaxLayers) + " layers");
  for (std::size_t i = 0; i < layers.size(); ++i)
    checkBlocks(c, stack, name + "." + std::to_string(i), layers[i].blocks);
  checkSharing(c, name, layers);
  checkLengths(c, stack, name);
}

void checkSinusoid(const ModelConfig& c) {
  const std::int64_t width = c.sinusoid_size > 0 ? c.sinusoid_size
                             : c.embedding_map   ? c.embedding_size
                                                 : c.hidden;
  const bool sines = c.positions == Positions::Sinusoidal || c.positions == Positions::Relative;
  if (sines && c.architecture != Architecture::Attention)
    if (width % 2 != 0 || width > c.hidden)
      refuse(c.sinusoid_size > 0 ? "sinusoid_size" : "hidden", width,
             "an even width up to hidden: sines and cosines come in pairs");
  if (!c.sinusoid_repeats) return;
  if (c.positions != Positions::Sinusoidal)
    refuse("sinusoid_repeats", "true", "false unless positions are sinusoidal");
  if (c.hidden % width != 0)
    refuse("sinusoid_repeats", "true", "false unless hidden is a multiple of sinusoid_size");
}

void checkRotary(const ModelConfig& c) {
  const std::vector<double>& frequencies = c.rotary_frequencies;
  if (!frequencies.empty() && 2 * std::ssize(frequencies) != c.rotary_size)
    refuse("rotary_frequencies", std::to_string(frequencies.size()) + " numbers",
           "half as many as rotary_size, " + std::to_string(c.rotary_size));
  for (const double frequency : frequencies)
    if (!(frequency >= 0.0 && frequency <= 100.0))
      refuse("rotary_frequencies", frequency, "angles from 0 to 100");
  if (!(c.rotary_magnitude > 0.0 && c.rotary_magnitude <= 100.0))
    refuse("rotary_magnitude", c.rotary_magnitude, "above 0, at most 100");
  if (c.positions != Positions::Rotary) return;
  if (c.architecture == Architecture::Attention)
    refuse("positions", "rotary", "none for a single attention");
  if (c.changesLength())
    refuse("positions", "rotary", "another one where layers change the length");
  for (const Stack stack : {Stack::Encoder, Stack::Decoder})
    for (const LayerConfig& layer : c.layers(stack)) {
      if (layer.first<DelightAttention>() != nullptr)
        refuse("positions", "rotary", "another one where a layer has delight_attention");
      for (const BlockConfig& block : layer.blocks) {
        const auto* attention = std::get_if<SelfAttention>(&block.f);
        if (attention == nullptr) continue;
        const std::int64_t key = attention->sizes.key_size;
        const std::int64_t size = c.rotary_size > 0 ? c.rotary_size : key;
        if (size % 2 != 0 || size > key)
          refuse(
              c.rotary_size > 0 ? "rotary_size" : "key_size", size,
              "an even size up to key_size, " + std::to_string(key) + ": components turn in pairs");
        for (const std::int64_t own : attention->sizes.key_sizes)
          if (own < size) refuse("key_sizes", own, "at least rotary_size, " + std::to_string(size));
      }
    }
}

void checkBuckets(const ModelConfig& c) {
  if (c.positions != Positions::Buckets) return;
  if (c.architecture == Architecture::Attention)
    refuse("positions", "buckets", "none for a single attention");
  if (c.changesLength())
    refuse("positions", "buckets", "another one where layers change the length");
  for (const auto* layers : {&c.encoder_layers, &c.decoder_layers})
    for (const LayerConfig& layer : *layers)
      if (layer.first<DelightAttention>() != nullptr)
        refuse("positions", "buckets", "another one where a layer has delight_attention");
  if (c.distance_buckets % 4 != 0)
    refuse("distance_buckets", c.distance_buckets,
           "a multiple of 4: half for each side, and half of these for a distance each");
  if (c.distance_furthest <= c.distance_buckets / 2)
    refuse("distance_furthest", c.distance_furthest,
           "above half of distance_buckets, " + std::to_string(c.distance_buckets / 2));
}

void checkGrown(const ModelConfig& c) {
  if (c.feature_size > 0 && c.input != InputKind::Features)
    refuse("feature_size", c.feature_size, "0 unless the input is features");
  if (c.feature_size > c.hidden)
    refuse("feature_size", c.feature_size, "a width up to hidden, " + std::to_string(c.hidden));
  if (c.architecture == Architecture::Attention)
    for (const LayerConfig& layer : c.encoder_layers)
      if (layer.gated) refuse("gated", "true", "false for a single attention, which has no layers");
  if (c.mask_size > 0 && c.norm != NormKind::LayerNorm)
    refuse("mask_size", c.mask_size, "0 unless the norm is layer_norm");
  if (c.mask_size > c.hidden)
    refuse("mask_size", c.mask_size, "a size up to hidden, " + std::to_string(c.hidden));
}

void checkEmbeddings(const ModelConfig& c) {
  const bool both = c.architecture == Architecture::EncoderDecoder;
  if (c.share_embeddings && both && c.input != InputKind::Tokens)
    refuse("share_embeddings", "true", "false where the encoder reads features");
  if (c.share_embeddings && both && c.source_vocabulary != c.target_vocabulary)
    refuse("share_embeddings", "true",
           "false unless both vocabularies are the same: here they have " +
               std::to_string(c.source_vocabulary) + " and " + std::to_string(c.target_vocabulary) +
               " tokens");
  if (c.embedding_map && (c.embedding_size == 0 || c.mask_size > 0))
    refuse("embedding_map", "true", "false unless embedding_size is above 0 and mask_size is 0");
  if (c.embedding_map && c.sinusoid_size > 0)
    refuse("sinusoid_size", c.sinusoid_size, "0 with an embedding_map");
  if (c.output_transform && c.mask_size > 0)
    refuse("output_transform", "true", "false where mask_size is not 0");
  if (c.embedding_size == 0) {
    if (c.embedding_base > 0)
      refuse("embedding_base", c.embedding_base, "0 where embedding_size is 0");
    return;
  }
  if (!c.readsTokens()) refuse("embedding_size", c.embedding_size, "0 where nothing reads tokens");
  if (c.embedding_base > c.hidden)
    refuse("embedding_base", c.embedding_base, "a size up to hidden, " + std::to_string(c.hidden));
  if (c.embedding_map) return;
  const std::int64_t base = c.embeddingBase();
  const std::int64_t groups = dextraGroups(base);
  if (base % (2 * groups) != 0)
    refuse(c.embedding_base > 0 ? "embedding_base" : "hidden", base,
           "with an embedding_size, a multiple of " + std::to_string(2 * groups) +
               ": a DExTra unit divides half of it into " + std::to_string(groups) + " groups");
  if (c.tie_output && !c.projectsOutput() && c.embedding_size != c.hidden)
    refuse("tie_output", "true",
           "false where hidden has grown beyond an embedding_size that was the same");
}

void checkTogether(const ModelConfig& c) {
  const bool tokens = c.input == InputKind::Tokens;
  const bool source = c.architecture != Architecture::Decoder;
  if (source && tokens && c.source_vocabulary < 1)
    refuse("source_vocabulary", c.source_vocabulary, "at least 1 where an encoder reads tokens");
  if (source && c.source_length < 1)
    refuse("source_length", c.source_length, "at least 1 where there is an encoder");
  if (c.hasDecoder() && c.target_vocabulary < 1)
    refuse("target_vocabulary", c.target_vocabulary, "at least 1 where there is a decoder");
  if (c.hasDecoder() && c.target_length < 1)
    refuse("target_length", c.target_length, "at least 1 where there is a decoder");
  if (c.memory_size > 0 && c.architecture != Architecture::Decoder)
    refuse("memory_size", c.memory_size, "0 unless the architecture is decoder");
  if (c.memory_size > 0 && c.source_length < 1)
    refuse("source_length", c.source_length, "at least 1 with an external encoder output");
  if (c.output == OutputKind::Vocabulary && !c.hasDecoder())
    refuse("output", "vocabulary", "labels, classes or none where there is no decoder");
  if ((c.output == OutputKind::Classes || c.output == OutputKind::Labels) && c.hasDecoder())
    refuse("output", "classes or labels", "vocabulary or none where there is a decoder");
  if ((c.output == OutputKind::Classes || c.output == OutputKind::Labels) && c.output_size < 1)
    refuse("output_size", c.output_size, "at least 1 for classes and labels");
  if (c.architecture == Architecture::Attention && c.output != OutputKind::None)
    refuse("output", "not none", "none for a single attention");
  if (c.architecture == Architecture::Attention && tokens)
    refuse("input", "tokens", "features for a single attention");
  if (c.architecture == Architecture::Attention && c.embedding_norm)
    refuse("embedding_norm", "true", "false for a single attention");
  const bool labels_tokens = c.output == OutputKind::Labels && tokens && !c.hasDecoder() &&
                             c.output_size == c.source_vocabulary;
  if (c.tie_output && c.output != OutputKind::Vocabulary && !labels_tokens)
    refuse("tie_output", "true",
           "false unless the output is the vocabulary, or labels as many as an encoder's tokens");
  if (c.output_transform && c.output != OutputKind::Vocabulary && c.output != OutputKind::Labels)
    refuse("output_transform", "true", "false unless the output is labels or the vocabulary");
  const auto looks = [](const LayerConfig& l) {
    return std::ranges::any_of(l.blocks, &BlockConfig::attendsToMemory);
  };
  if (c.hasCrossAttention() && std::ranges::none_of(c.decoder_layers, looks))
    refuse("decoder_layers", "without cross-attention", "at least one layer with cross-attention");
  if (c.positions == Positions::Relative && c.architecture != Architecture::Encoder)
    refuse("positions", "relative",
           "none, learned, sinusoidal or rotary unless the architecture is encoder");
  const auto expands = [](const LayerConfig& layer) {
    return layer.first<DelightAttention>() != nullptr;
  };
  checkBuckets(c);
  if (c.positions == Positions::Relative && std::ranges::any_of(c.encoder_layers, expands))
    refuse("positions", "relative",
           "none, learned or sinusoidal where a layer has delight_attention, whose scores know no "
           "distances");
  if (c.parallel_blocks && c.norm_placement == NormPlacement::Post)
    refuse("parallel_blocks", "true", "false with norms after the blocks");
  const auto norms_no_keys = [&](const LayerConfig& layer) {
    const auto* attention = layer.first<SelfAttention>();
    return expands(layer) || (attention != nullptr && !attention->sizes.key_sizes.empty());
  };
  if (c.query_key_norm && (c.positions == Positions::Relative || c.changesLength() ||
                           std::ranges::any_of(c.encoder_layers, norms_no_keys) ||
                           std::ranges::any_of(c.decoder_layers, norms_no_keys)))
    refuse("query_key_norm", "true",
           "false with relative positions, layers that change the length, delight_attention, and "
           "heads with sizes of their own");
  if (!c.norm_gain && c.mask_size > 0)
    refuse("norm_gain", "false", "true where mask_size is not 0");
  checkSinusoid(c);
  checkRotary(c);
  checkPoolable(c);
  checkEmbeddings(c);
  checkGrown(c);
  if (std::max(c.source_length, c.target_length) * c.hidden > kMaxPositionNumbers)
    refuse("hidden", c.hidden,
           "length times hidden up to " + std::to_string(kMaxPositionNumbers) + " numbers");
}

}  // namespace

void validate(const ModelConfig& config) {
  ModelConfig copy = config;
  io::checkFields(configFields(copy), "model config");
  io::checkFields(poolingFields(copy.pooling), "model config", "pooling.");
  const bool attention = config.architecture == Architecture::Attention;
  checkLayers(config, Stack::Encoder, config.hasEncoder() || attention);
  checkLayers(config, Stack::Decoder, config.hasDecoder());
  checkEps("embedding_norm_eps", config.embedding_norm_eps);
  checkEps("encoder_final_norm_eps", config.encoder_final_norm_eps);
  checkEps("decoder_final_norm_eps", config.decoder_final_norm_eps);
  checkTogether(config);
}

}  // namespace tfm
