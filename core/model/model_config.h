// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/backend/op_arguments.h"
#include "core/model/blocks/blocks.h"
#include "core/program/parameter_layout.h"
#include "core/program/tensor_change.h"

namespace tfm {

/// Attention: a single multi-head attention. Decoder: with memory_size > 0 it also attends to an
/// external encoder output.
enum class Architecture { Attention, Encoder, Decoder, EncoderDecoder };
enum class InputKind { Tokens, Features };
/// None: the last hidden states. Classes: one class per sequence, from the mean over the positions
/// of the last layer, pooled ones where it pools, without padding. Labels: one per position.
/// Vocabulary: the next token at every position.
enum class OutputKind { None, Classes, Labels, Vocabulary };
/// Pre: x + f(norm(x)) (Xiong et al. 2020). Post: norm(x + f(x)) (Vaswani et al. 2017).
enum class NormPlacement { Pre, Post };
enum class NormKind { LayerNorm, RmsNorm };
/// Relative: attention between positions by their distance (Dai et al. 2020, appendix A.2) in the
/// self-attentions of an encoder. Rotary: queries and keys of every self-attention are turned by
/// their position (Su et al. 2021, RoFormer). Buckets: their scores have a learned number added for
/// the distance of query and key, one a head (Raffel et al. 2020, T5). The others are added to the
/// embeddings.
enum class Positions { None, Learned, Sinusoidal, Relative, Rotary, Buckets };

/// What happens to the length of the states before a layer. Upsample: the states of the layer
/// before are repeated up to the stack's whole length and added to those before the first pooling.
enum class LengthChange { None, Pool, Upsample };

/// How layers with LengthChange::Pool shorten their sequence (Dai et al. 2020, section 2.1, and the
/// official code). A sequence that is too short for another pooling keeps its length.
struct PoolingConfig {
  Pooling kind = Pooling::Mean;
  bool separate_cls = true;  ///< the first position is not mixed
  bool truncate = true;      ///< the last position goes, so that lengths stay powers of two
  bool queries_only = true;  ///< keys and values come from the unpooled states
  /// A pooled position is padding if all that it holds is (official code), or if any of it is
  /// (transformers package).
  bool padding_spreads = false;
  bool operator==(const PoolingConfig&) const = default;

  /// How a sequence of a length is pooled.
  SequencePooling of(std::int64_t length) const { return {length, separate_cls, truncate}; }
  /// The shortest sequence that is pooled.
  std::int64_t shortest() const { return separate_cls ? 3 : 2; }
};

struct LayerConfig {
  std::vector<BlockConfig> blocks;  ///< in execution order
  /// The layer computes x + gate (layer(x) - x) with a learned scalar gate that starts at 0.
  bool gated = false;
  /// The previous layer runs again: same blocks, same parameters, no change of length.
  bool repeats = false;
  LengthChange before = LengthChange::None;
  bool operator==(const LayerConfig&) const = default;

  /// The first block of a kind, e.g. first<FeedForward>(), or null.
  template <class Kind>
  const Kind* first() const {
    for (const BlockConfig& block : blocks)
      if (const Kind* found = std::get_if<Kind>(&block.f)) return found;
    return nullptr;
  }
  template <class Kind>
  Kind* first() {
    return const_cast<Kind*>(std::as_const(*this).template first<Kind>());
  }
};

/// Everything that determines a model's parameters and the function it computes.
struct ModelConfig {
  Architecture architecture = Architecture::EncoderDecoder;
  InputKind input = InputKind::Tokens;
  OutputKind output = OutputKind::Vocabulary;
  std::int64_t source_vocabulary = 0;  ///< of the encoder
  std::int64_t target_vocabulary = 0;  ///< of the decoder
  /// Classes, labels or features; vocabulary: the target vocabulary. None: the numbers that a row
  /// of states is compared with, 0: all.
  std::int64_t output_size = 0;
  std::int64_t memory_size = 0;    ///< width of an external encoder output; 0: none
  std::int64_t source_length = 0;  ///< maximum length of the encoder's input
  std::int64_t target_length = 0;  ///< maximum length of the decoder's input
  std::int64_t hidden = 1;
  std::int64_t feature_size = 0;  ///< width of the input features, padded to hidden; 0: hidden
  std::vector<LayerConfig> encoder_layers;
  std::vector<LayerConfig> decoder_layers;
  bool share_layers = false;  ///< all layers of a stack use the parameters of the first
  PoolingConfig pooling;      ///< of layers that pool

  NormPlacement norm_placement = NormPlacement::Pre;
  NormKind norm = NormKind::LayerNorm;
  /// Norms have learned factors, and those of layer norms shifts. Not those of DExTra units, which
  /// always have.
  bool norm_gain = true;
  /// All blocks of a layer read the layer's input, and their outputs are added to it: x +
  /// f(norm(x))
  /// + g(norm(x)), with a norm of each (Wang and Komatsuzaki 2021, GPT-J; Black et al. 2022,
  /// GPT-NeoX).
  bool parallel_blocks = false;
  /// Hidden components that every LayerNorm weights fully; 0: all. The others have weight
  /// clamp((step - mask_begin) / mask_steps, 0, 1) (Yao et al. 2024, masked structural growth).
  std::int64_t mask_size = 0;
  std::int64_t mask_begin = 0;  ///< training step
  std::int64_t mask_steps = 1;  ///< at least 1
  bool embedding_norm = false;  ///< a norm after the embeddings and positions of each stack
  double embedding_norm_eps = 1e-5;
  bool final_norm = true;  ///< one more norm after the last layer of each stack
  double encoder_final_norm_eps = 1e-5;
  double decoder_final_norm_eps = 1e-5;
  Activation activation = Activation::Relu;
  bool attention_bias = true;
  /// Self-attentions bring each query and key to mean square 1, head by head, with factors that the
  /// heads share, before they turn (Dehghani et al. 2023; Qwen3).
  bool query_key_norm = false;
  double query_key_norm_eps = 1e-6;
  bool feed_forward_bias = true;
  /// Feed-forward blocks multiply the activations by a second map of their input (Shazeer 2020,
  /// GLU variants): SwiGLU with Silu.
  bool gated_feed_forward = false;
  bool output_bias = true;
  /// Labels and the vocabulary are read off norm(activation(map(states))) (Devlin et al. 2019, the
  /// masked-token head of BERT's code).
  bool output_transform = false;
  Positions positions = Positions::Sinusoidal;
  std::int64_t sinusoid_size = 0;  ///< width the sinusoid is computed for; 0: hidden
  bool sinusoid_repeats = false;   ///< columns beyond repeat it; otherwise zero
  bool sinusoid_halves = false;    ///< all sines, then all cosines (Marian)
  double rotary_base = 1e4;        ///< frequencies fall from 1 to about 1 / rotary_base
  /// Turned components of a query or key, the first ones, an even number; 0: all. Stored, so that
  /// growth does not change it.
  std::int64_t rotary_size = 0;
  /// Angle from one position to the next of each pair of turned components, rotary_size / 2 of
  /// them, instead of those that follow from rotary_base: as models for longer contexts scale them
  /// (Chen et al. 2023; Peng et al. 2023, YaRN; Llama 3.1). Empty: those.
  std::vector<double> rotary_frequencies;
  double rotary_magnitude = 1.0;  ///< factor of turned components (YaRN)
  /// Positions::Buckets: the numbers of a head, and the distance from which on the last is used.
  std::int64_t distance_buckets = 32, distance_furthest = 128;
  double embedding_scale = 1.0;   ///< stored, so that growth does not change it
  bool tie_output = false;        ///< the output uses the embedding of the last stack
  bool share_embeddings = false;  ///< both stacks read the same token table
  /// Width of the token tables. A DExTra unit in each stack brings them to hidden, and a map
  /// without bias the states to a tied output (Mehta et al. 2021, official code). 0: hidden,
  /// without unit.
  std::int64_t embedding_size = 0;
  /// Instead of the unit a map with bias, after positions and norm, which have that width, too (Lan
  /// et al. 2020, ALBERT). An output transform goes back to it.
  bool embedding_map = false;
  /// The hidden size that the units' sizes follow from, stored so that growth does not change them;
  /// 0: hidden.
  std::int64_t embedding_base = 0;

  double attention_dropout = 0.0;
  double residual_dropout = 0.0;      ///< on the output of each sub-layer
  double feed_forward_dropout = 0.0;  ///< after the activation
  InitialValues initializer = InitialValues::XavierUniform;
  double initial_deviation = 0.02;    ///< of the normal initializer
  double embedding_deviation = 0.02;  ///< of token tables
  double position_deviation = 0.02;   ///< of learned positions

  /// Interventions in force (core/ask/what_if.h), for every program of the model. Not saved; a
  /// model with changes cannot be trained.
  std::vector<TensorChange> changes;

  bool operator==(const ModelConfig&) const = default;

  std::vector<LayerConfig>& layers(Stack stack) {
    return stack == Stack::Decoder ? decoder_layers : encoder_layers;
  }
  const std::vector<LayerConfig>& layers(Stack stack) const {
    return stack == Stack::Decoder ? decoder_layers : encoder_layers;
  }
  bool hasEncoder() const {
    return architecture == Architecture::Encoder || architecture == Architecture::EncoderDecoder;
  }
  bool hasDecoder() const {
    return architecture == Architecture::Decoder || architecture == Architecture::EncoderDecoder;
  }
  /// Whether some stack reads tokens.
  bool readsTokens() const { return input == InputKind::Tokens || hasDecoder(); }
  /// Numbers in a row of the features that it reads; 0 if it reads tokens.
  std::int64_t featureWidth() const {
    if (input == InputKind::Tokens) return 0;
    return feature_size > 0 ? feature_size : hidden;
  }
  /// The hidden size that the embeddings' sizes follow from.
  std::int64_t embeddingBase() const { return embedding_base > 0 ? embedding_base : hidden; }
  /// Whether a tied output needs a map from the states to the width of the token table.
  bool projectsOutput() const {
    return tie_output && !output_transform && embedding_size > 0 &&
           embedding_size != embeddingBase();
  }
  /// Whether DExTra units bring the embeddings to hidden.
  bool hasEmbeddingUnits() const { return embedding_size > 0 && !embedding_map; }
  /// Whether the decoder attends to an encoder's output.
  bool hasCrossAttention() const {
    return architecture == Architecture::EncoderDecoder || (hasDecoder() && memory_size > 0);
  }

  /// Whether some layers use the parameters of others, now or when more are added.
  bool sharesLayers() const;
  /// The layer whose parameters a layer uses: itself, or the first of those that share them.
  std::int64_t holderOf(Stack stack, std::int64_t layer) const;
  /// Gives every layer its own parameters.
  void unshareLayers();
  /// Whether the length changes on the way through the encoder.
  bool changesLength() const;
};

/// The number of positions that each layer of a stack outputs for an input of `length` (after its
/// pooling or up-sampling).
std::vector<std::int64_t> layerLengths(const ModelConfig& config, Stack stack, std::int64_t length);
/// The positions of the encoder's output for an input of `length`.
std::int64_t encodedLength(const ModelConfig& config, std::int64_t length);

/// The sizes of a model whose layers are alike.
struct LayerSizes {
  std::int64_t heads = 1;
  std::int64_t key_size = 1;
  std::int64_t value_size = 1;
  std::int64_t feed_forward = 1;
  double norm_eps = 1e-5;
  std::int64_t group = 1;   ///< see AttentionSizes
  std::int64_t window = 0;  ///< see SelfAttention; of decoders
  bool operator==(const LayerSizes&) const = default;

  /// The one along an axis (BlockSize::axis), or null.
  std::int64_t* along(Axis axis);
};

/// A block of a kind with the sizes that apply to it.
BlockConfig blockOf(const AnyBlock& kind, LayerSizes sizes);
/// The default layer of a stack: self-attention, cross-attention if the decoder has a memory,
/// feed-forward. Architecture::Attention has self-attention only.
LayerConfig defaultLayer(const ModelConfig& config, Stack stack, const LayerSizes& sizes);
/// Sets the stacks to default layers of the given sizes, and the eps of all norms. The architecture
/// and memory_size must be set.
void setUniform(ModelConfig& config, std::int64_t encoder_layers, std::int64_t decoder_layers,
                const LayerSizes& sizes);
/// Layers of a block of a Funnel-Transformer, and how often each of them runs.
struct FunnelBlock {
  std::int64_t layers = 0, runs = 1;
};
/// Replaces the encoder's layers by copies of the first in blocks, each at half the length of the
/// one before, and by `decoder_layers` more at the whole length.
void setFunnelLayers(ModelConfig& config, std::span<const FunnelBlock> blocks,
                     std::int64_t decoder_layers);
/// The sizes with which setUniform() gives this config, if there are any.
std::optional<LayerSizes> uniformSizes(const ModelConfig& config);

/// Throws Error naming the first invalid field, its value and what is allowed.
void validate(const ModelConfig& config);

/// One JSON object; equal default layers are written as a number and one set of sizes.
std::string toJson(const ModelConfig& config);
/// Reads what any version of toJson() wrote; missing fields have their default value. `where` names
/// the source in errors.
ModelConfig modelConfigFromJson(std::string_view json, const std::string& where);

}  // namespace tfm
