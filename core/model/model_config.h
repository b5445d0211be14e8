// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/backend/op_arguments.h"
#include "core/model/blocks/blocks.h"
#include "core/program/parameter_layout.h"

namespace tfm {

/// Attention: one multi-head attention and nothing else. Decoder: with memory_size > 0 it also
/// looks at an encoder output that comes from outside.
enum class Architecture { Attention, Encoder, Decoder, EncoderDecoder };
enum class InputKind { Tokens, Features };
/// None: the last hidden states. Classes: one answer a sequence, from the mean over its real
/// positions. Labels: one a position. Vocabulary: the next token at every position.
enum class OutputKind { None, Classes, Labels, Vocabulary };
/// Pre: x + f(norm(x)) (Xiong et al. 2020). Post: norm(x + f(x)) (Vaswani et al. 2017).
enum class NormPlacement { Pre, Post };
enum class NormKind { LayerNorm, RmsNorm };
enum class Positions { None, Learned, Sinusoidal };

struct LayerConfig {
  std::vector<BlockConfig> blocks;  ///< in the order in which they run
  /// The layer answers x + gate (layer(x) - x) with a learned number that starts at 0.
  bool gated = false;
  /// The layer before runs once more: with its parameters, and thus its blocks.
  bool repeats = false;
  bool operator==(const LayerConfig&) const = default;

  /// The first block of a kind, such as first<FeedForward>(), or null.
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

/// Everything that decides a model's parameters and what it computes.
struct ModelConfig {
  Architecture architecture = Architecture::EncoderDecoder;
  InputKind input = InputKind::Tokens;
  OutputKind output = OutputKind::Vocabulary;
  std::int64_t source_vocabulary = 0;  ///< tokens the encoder knows
  std::int64_t target_vocabulary = 0;  ///< tokens the decoder knows
  std::int64_t output_size = 0;  ///< classes, labels or features; vocabulary: the target vocabulary
  std::int64_t memory_size = 0;  ///< width of an encoder output from outside; 0: none
  std::int64_t source_length = 0;  ///< most positions of the encoder
  std::int64_t target_length = 0;  ///< most positions of the decoder
  std::int64_t hidden = 1;
  std::int64_t feature_size = 0;  ///< width of the input features; 0: hidden. Else zeros follow
  std::vector<LayerConfig> encoder_layers;
  std::vector<LayerConfig> decoder_layers;
  bool share_layers = false;  ///< all layers of a stack use the parameters of the first

  NormPlacement norm_placement = NormPlacement::Pre;
  NormKind norm = NormKind::LayerNorm;
  /// Hidden components that every LayerNorm counts fully; 0: all. The others count with the weight
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
  bool feed_forward_bias = true;
  bool output_bias = true;
  Positions positions = Positions::Sinusoidal;
  std::int64_t sinusoid_size = 0;  ///< width that the sinusoid is computed for; 0: hidden
  bool sinusoid_repeats = false;   ///< columns beyond it repeat it; else they are zero
  double embedding_scale = 1.0;    ///< a stored constant, so that it survives growth
  bool tie_output = false;         ///< the output uses the decoder's embedding

  double attention_dropout = 0.0;
  double residual_dropout = 0.0;      ///< on the output of each sub-layer
  double feed_forward_dropout = 0.0;  ///< after the activation
  InitialValues initializer = InitialValues::XavierUniform;
  double initial_deviation = 0.02;    ///< of the normal initializer
  double embedding_deviation = 0.02;  ///< of token tables
  double position_deviation = 0.02;   ///< of learned positions

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
  /// Whether the decoder looks at an encoder's output.
  bool hasCrossAttention() const {
    return architecture == Architecture::EncoderDecoder || (hasDecoder() && memory_size > 0);
  }

  /// Whether some layers run with the parameters of others, now or when more are added.
  bool sharesLayers() const;
  /// The layer whose parameters a layer runs with: itself, or the first of those that share them.
  std::int64_t holderOf(Stack stack, std::int64_t layer) const;
  /// Gives every layer parameters of its own.
  void unshareLayers();
};

/// The sizes that all blocks have in common.
struct LayerSizes {
  std::int64_t heads = 1;
  std::int64_t key_size = 1;
  std::int64_t value_size = 1;
  std::int64_t feed_forward = 1;
  double norm_eps = 1e-5;
  bool operator==(const LayerSizes&) const = default;

  /// The one for blocks' sizes along an axis (BlockSize::axis), or null.
  std::int64_t* along(Axis axis);
};

/// A block with those of the sizes that it has.
BlockConfig blockOf(const AnyBlock& kind, LayerSizes sizes);
/// A layer as its stack usually has them: self-attention, cross-attention where there is something
/// to look at, feed-forward. A single attention is nothing but that.
LayerConfig usualLayer(const ModelConfig& config, Stack stack, const LayerSizes& sizes);
/// Gives every norm of the model the same eps and its stacks so many usual layers of the same
/// sizes. The architecture and memory_size must be set.
void setUniform(ModelConfig& config, std::int64_t encoder_layers, std::int64_t decoder_layers,
                const LayerSizes& sizes);
/// The sizes with which setUniform() gives this config; nothing where none do.
std::optional<LayerSizes> uniformSizes(const ModelConfig& config);

/// Throws Error that names the first field that is wrong, its value and what is allowed.
void validate(const ModelConfig& config);

/// One JSON object; usual layers that are all alike are written as a number and one set of sizes.
std::string toJson(const ModelConfig& config);
/// Reads what toJson wrote, now or ever; a missing field has its usual value. `where` names the
/// source in errors.
ModelConfig modelConfigFromJson(std::string_view json, const std::string& where);

}  // namespace tfm
