// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/document_presets.h"

#include <cmath>

namespace tfm {
namespace {

constexpr std::int64_t kAnnotatedTokens = 28;  // a ... z, <start>, <pad>

/// The annotated encoder-decoder (flax notebook): post-norm, biases, sinusoidal positions,
/// embeddings scaled by sqrt(hidden).
ModelConfig annotated(std::int64_t hidden, std::int64_t layers, const LayerSizes& sizes) {
  ModelConfig c;
  c.source_vocabulary = c.target_vocabulary = kAnnotatedTokens;
  c.source_length = c.target_length = 15;
  c.hidden = hidden;
  c.norm_placement = NormPlacement::Post;
  c.final_norm = false;
  c.embedding_scale = std::sqrt(double(hidden));
  c.embedding_deviation = 1.0 / std::sqrt(double(hidden));
  c.initializer = InitialValues::LecunNormal;
  setUniform(c, layers, layers, sizes);
  return c;
}

/// The encoder-layer notebook: PyTorch's TransformerEncoderLayer, repeated.
ModelConfig encoderLayerNotebook(bool shared) {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.input = InputKind::Features;
  c.output = OutputKind::None;
  c.source_length = 3;
  c.hidden = 4;
  c.share_layers = shared;
  c.final_norm = false;
  c.activation = Activation::Gelu;
  c.positions = Positions::None;
  c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.2;
  setUniform(c, 3, 0, {2, 2, 2, 64, 1e-5});
  return c;
}

}  // namespace

ModelConfig annotatedRot13() { return annotated(8, 1, {7, 5, 5, 5, 1e-6}); }
ModelConfig annotatedEncoderDecoder() { return annotated(30, 3, {7, 3, 3, 13, 1e-6}); }

ModelConfig annotatedEncoder() {
  ModelConfig c = annotated(30, 3, {7, 17, 17, 13, 1e-6});
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.target_vocabulary = c.target_length = 0;
  c.decoder_layers.clear();
  return c;
}

ModelConfig annotatedDecoder() {
  ModelConfig c = annotated(30, 3, {7, 17, 17, 13, 1e-6});
  c.architecture = Architecture::Decoder;
  c.memory_size = kAnnotatedTokens;
  c.source_vocabulary = 0;
  c.encoder_layers.clear();
  return c;
}

ModelConfig annotatedAttention() {
  const LayerSizes sizes{2, 2, 2, 1, 1e-6};
  ModelConfig c = annotated(3, 1, sizes);
  c.architecture = Architecture::Attention;
  c.input = InputKind::Features;
  c.output = OutputKind::None;
  c.positions = Positions::None;
  c.source_vocabulary = c.target_vocabulary = c.target_length = 0;
  c.source_length = 5;
  setUniform(c, 1, 0, sizes);
  return c;
}

/// The expansions notebook (Gesmundo and Maile 2023): pre-norm RMSNorm, learned positions,
/// features as input.
ModelConfig expansionsNotebook() {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.input = InputKind::Features;
  c.output = OutputKind::Labels;
  c.output_size = 2;
  c.source_length = 2;
  c.hidden = 5;
  c.norm = NormKind::RmsNorm;
  c.final_norm = false;
  c.attention_bias = c.output_bias = false;
  c.positions = Positions::Learned;
  setUniform(c, 2, 0, {2, 6, 6, 4, 1e-6});
  return c;
}

/// Its components alone. A layer and a feed-forward end with a map of their states to as many
/// numbers, since growth keeps the size of an output.
ModelConfig expansionsLayer() {
  ModelConfig c = expansionsNotebook();
  c.output_size = c.hidden;
  c.positions = Positions::None;
  setUniform(c, 1, 0, {2, 6, 6, 4, 1e-6});
  return c;
}

ModelConfig expansionsFeedForward() {
  ModelConfig c = expansionsLayer();
  c.encoder_layers.front().blocks = {blockOf(FeedForward{}, {2, 6, 6, 6, 1e-6})};
  return c;
}

ModelConfig expansionsAttention() {
  ModelConfig c = expansionsLayer();
  c.architecture = Architecture::Attention;
  c.output = OutputKind::None;
  c.output_size = 0;
  setUniform(c, 1, 0, {2, 6, 6, 4, 1e-6});
  return c;
}

ModelConfig encoderLayerShared() { return encoderLayerNotebook(true); }
ModelConfig encoderLayerIndependent() { return encoderLayerNotebook(false); }

}  // namespace tfm
