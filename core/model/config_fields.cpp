// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_fields.h"

namespace tfm {
namespace {

constexpr std::int64_t kMaxTokens = 10'000'000;
constexpr std::int64_t kMaxWidth = 65'536;
constexpr std::int64_t kMaxSteps = 1'000'000'000;

}  // namespace

std::vector<io::Field> configFields(ModelConfig& c) {
  using io::choice;
  using io::IntegerSlot;
  using io::RealSlot;
  using io::SwitchSlot;
  return {
      {"architecture", "Which stacks the model has",
       choice(c.architecture, {"attention", "encoder", "decoder", "encoder_decoder"})},
      {"input", "What the model reads: token ids or real vectors",
       choice(c.input, {"tokens", "features"})},
      {"output", "What the model answers with",
       choice(c.output, {"none", "classes", "labels", "vocabulary"})},
      {"source_vocabulary", "Vocabulary size of the encoder",
       IntegerSlot{&c.source_vocabulary, 0, kMaxTokens}},
      {"target_vocabulary", "Vocabulary size of the decoder",
       IntegerSlot{&c.target_vocabulary, 0, kMaxTokens}},
      {"output_size", "Number of classes, labels or features",
       IntegerSlot{&c.output_size, 0, kMaxTokens}},
      {"memory_size", "Width of an external encoder output; 0 for none",
       IntegerSlot{&c.memory_size, 0, kMaxWidth}},
      {"source_length", "Maximum length of the encoder's input",
       IntegerSlot{&c.source_length, 0, kMaxPositions}},
      {"target_length", "Maximum length of the decoder's input",
       IntegerSlot{&c.target_length, 0, kMaxPositions}},
      {"hidden", "Width of the residual stream", IntegerSlot{&c.hidden, 1, kMaxWidth}},
      {"feature_size", "Width of the input features; 0 is the hidden size",
       IntegerSlot{&c.feature_size, 0, kMaxWidth}},
      {"share_layers", "All layers of a stack use the parameters of the first",
       SwitchSlot{&c.share_layers}},
      {"norm_placement", "Norm before each sub-layer or after its residual",
       choice(c.norm_placement, {"pre", "post"})},
      {"norm", "The kind of norm", choice(c.norm, {"layer_norm", "rms_norm"})},
      {"norm_gain", "Norms have learned factors, and shifts where they are layer norms",
       SwitchSlot{&c.norm_gain}},
      {"parallel_blocks", "All blocks of a layer read its input, and their sum is added to it",
       SwitchSlot{&c.parallel_blocks}},
      {"mask_size", "Hidden components that norms weight fully; 0 for all",
       IntegerSlot{&c.mask_size, 0, kMaxWidth}},
      {"mask_begin", "Training step at which the others' weight starts to grow",
       IntegerSlot{&c.mask_begin, 0, kMaxSteps}},
      {"mask_steps", "Training steps until their weight is 1",
       IntegerSlot{&c.mask_steps, 1, kMaxSteps}},
      {"embedding_norm", "A norm after the embeddings and positions",
       SwitchSlot{&c.embedding_norm}},
      {"final_norm", "One more norm after the last layer", SwitchSlot{&c.final_norm}},
      {"activation", "Non-linearity of the feed-forward blocks",
       choice(c.activation, {"relu", "gelu", "gelu_tanh", "silu"})},
      {"attention_bias", "Biases of query, key, value and attention output",
       SwitchSlot{&c.attention_bias}},
      {"query_key_norm", "Queries and keys are brought to mean square 1, head by head",
       SwitchSlot{&c.query_key_norm}},
      {"query_key_norm_eps", "Epsilon of these norms", RealSlot{&c.query_key_norm_eps, 1e-30, 1.0}},
      {"feed_forward_bias", "Biases of the feed-forward blocks", SwitchSlot{&c.feed_forward_bias}},
      {"gated_feed_forward", "Feed-forward blocks multiply by a second map (SwiGLU with silu)",
       SwitchSlot{&c.gated_feed_forward}},
      {"output_bias", "Bias of the output", SwitchSlot{&c.output_bias}},
      {"output_transform", "A map, an activation and a norm before the output",
       SwitchSlot{&c.output_transform}},
      {"positions", "Positional encoding",
       choice(c.positions, {"none", "learned", "sinusoidal", "relative", "rotary", "buckets"})},
      {"sinusoid_size", "Width that the sinusoid is computed for; 0 is the hidden size",
       IntegerSlot{&c.sinusoid_size, 0, kMaxWidth}},
      {"sinusoid_repeats", "Columns beyond it repeat the sinusoid; else they are zero",
       SwitchSlot{&c.sinusoid_repeats}},
      {"sinusoid_halves", "All sines, then all cosines, instead of pairs",
       SwitchSlot{&c.sinusoid_halves}},
      {"distance_buckets", "Positions in buckets: numbers a head has for distances",
       IntegerSlot{&c.distance_buckets, 4, kMaxWidth}},
      {"distance_furthest", "Distance from which on all are in the last bucket",
       IntegerSlot{&c.distance_furthest, 2, kMaxPositions}},
      {"rotary_base", "Rotary positions: the larger, the slower the slowest pair turns",
       RealSlot{&c.rotary_base, 1.0, 1e12}},
      {"rotary_size", "Turned components of a query or key; 0 for all",
       IntegerSlot{&c.rotary_size, 0, kMaxWidth}},
      {"embedding_scale", "Factor applied to the embeddings",
       RealSlot{&c.embedding_scale, 1e-6, 1e6}},
      {"tie_output", "The output uses the embedding of the last stack", SwitchSlot{&c.tie_output}},
      {"share_embeddings", "Encoder and decoder read the same token table",
       SwitchSlot{&c.share_embeddings}},
      {"embedding_size", "Width of token tables, brought to hidden by DExTra units; 0 for none",
       IntegerSlot{&c.embedding_size, 0, kMaxWidth}},
      {"embedding_map", "Token tables of embedding_size are brought to hidden by a map, not a unit",
       SwitchSlot{&c.embedding_map}},
      {"embedding_base", "Hidden size from which the units' sizes are derived; 0 for the model's",
       IntegerSlot{&c.embedding_base, 0, kMaxWidth}},
      {"attention_dropout", "Share of attention probabilities dropped in training",
       RealSlot{&c.attention_dropout, 0.0, 1.0}},
      {"residual_dropout", "Share of each sub-layer's output dropped in training",
       RealSlot{&c.residual_dropout, 0.0, 1.0}},
      {"feed_forward_dropout", "Share of activations dropped in training",
       RealSlot{&c.feed_forward_dropout, 0.0, 1.0}},
      {"initializer", "How weights are initialized",
       choice(c.initializer, {"xavier_uniform", "lecun_normal", "he_normal", "normal"})},
      {"initial_deviation", "Standard deviation of the normal initializer",
       RealSlot{&c.initial_deviation, 0.0, 1e3}},
      {"embedding_deviation", "Standard deviation of initial token embeddings",
       RealSlot{&c.embedding_deviation, 0.0, 1e3}},
      {"position_deviation", "Standard deviation of initial learned positions",
       RealSlot{&c.position_deviation, 0.0, 1e3}},
  };
}

std::vector<io::Field> poolingFields(PoolingConfig& p) {
  using io::SwitchSlot;
  return {{"kind", "How two positions are combined", io::choice(p.kind, {"mean", "max"})},
          {"separate_cls", "The first position is not mixed", SwitchSlot{&p.separate_cls}},
          {"truncate", "The last position is dropped, so that lengths stay powers of two",
           SwitchSlot{&p.truncate}},
          {"queries_only", "Keys and values come from the unpooled states",
           SwitchSlot{&p.queries_only}},
          {"padding_spreads", "A pooled position is padding if one of the two is; else if both are",
           SwitchSlot{&p.padding_spreads}}};
}

std::vector<io::Field> lengthFields(LayerConfig& layer) {
  return {{"before", "What happens to the length before the layer",
           io::choice(layer.before, {"none", "pool", "upsample"})}};
}

}  // namespace tfm
