// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/expand/small_models.h"

#include <stdexcept>

#include "core/base/error.h"
#include "core/model/delight_layers.h"
#include "core/tensor/random.h"

namespace tfm::test {
namespace {

ModelConfig base(Architecture architecture, NormPlacement placement, NormKind norm) {
  ModelConfig c;
  c.architecture = architecture;
  c.norm_placement = placement;
  c.norm = norm;
  c.final_norm = placement == NormPlacement::Pre;
  c.hidden = 6;
  c.positions = Positions::Learned;
  c.embedding_scale = 2.0;
  c.embedding_deviation = 0.5;
  const bool encoder = architecture != Architecture::Decoder;
  const bool decoder = architecture != Architecture::Encoder;
  if (encoder) c.source_vocabulary = 11;
  if (encoder) c.source_length = 5;
  if (decoder) c.target_vocabulary = 9;
  if (decoder) c.target_length = 4;
  c.output = decoder ? OutputKind::Vocabulary : OutputKind::Classes;
  if (!decoder) c.output_size = 3;
  setUniform(c, encoder ? 2 : 0, decoder ? 2 : 0, {2, 3, 4, 7, 1e-5});
  return c;
}

/// An encoder with a layer for each change of length.
ModelConfig pooled(NormPlacement placement, NormKind norm,
                   std::initializer_list<LengthChange> changes) {
  ModelConfig c = base(Architecture::Encoder, placement, norm);
  c.source_length = 7;
  setUniform(c, std::int64_t(changes.size()), 0, {2, 3, 4, 7, 1e-5});
  std::size_t layer = 0;
  for (const LengthChange change : changes) c.encoder_layers[layer++].before = change;
  return c;
}

}  // namespace

std::vector<SmallModel> funnelModels() {
  using enum LengthChange;
  ModelConfig labels =
      pooled(NormPlacement::Post, NormKind::LayerNorm, {None, Pool, None, Upsample});
  labels.encoder_layers[2].repeats = true;
  labels.output = OutputKind::Labels;
  labels.embedding_norm = true;
  labels.positions = Positions::Relative;
  labels.activation = Activation::GeluTanh;
  labels.initial_deviation = 0.5;
  ModelConfig largest = pooled(NormPlacement::Pre, NormKind::RmsNorm, {None, Pool, Pool});
  largest.pooling = {.kind = Pooling::Max, .separate_cls = false, .queries_only = false};
  largest.positions = Positions::Relative;
  return {{"Funnel with labels", labels},
          {"Funnel pre layer", pooled(NormPlacement::Pre, NormKind::LayerNorm, {None, Pool})},
          {"Funnel max rms", largest}};
}

std::vector<SmallModel> smallModels() {
  std::vector<SmallModel> models;
  const auto add = [&](std::string name, ModelConfig config) {
    models.push_back({std::move(name), std::move(config)});
  };
  using enum Architecture;
  for (const auto& [word, architecture] :
       {std::pair{"encoder", Encoder}, {"decoder", Decoder}, {"both", EncoderDecoder}})
    for (const auto& [place, placement] :
         {std::pair{"pre", NormPlacement::Pre}, {"post", NormPlacement::Post}})
      for (const auto& [kind, norm] :
           {std::pair{"layer", NormKind::LayerNorm}, {"rms", NormKind::RmsNorm}})
        add(std::string(word) + " " + place + " " + kind, base(architecture, placement, norm));

  ModelConfig c = base(EncoderDecoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.positions = Positions::Sinusoidal;
  add("sinusoid rms", c);
  c.norm = NormKind::LayerNorm;
  add("sinusoid layer", c);
  c = base(EncoderDecoder, NormPlacement::Post, NormKind::LayerNorm);
  c.positions = Positions::Sinusoidal;
  c.activation = Activation::Gelu;
  add("sinusoid post", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.attention_bias = c.feed_forward_bias = c.output_bias = false;
  c.tie_output = true;
  add("tied without biases", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::LayerNorm);
  c.tie_output = true;
  c.activation = Activation::GeluTanh;
  add("tied layer", c);
  c = base(EncoderDecoder, NormPlacement::Pre, NormKind::LayerNorm);
  c.final_norm = false;
  c.positions = Positions::None;
  add("no final norm", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.share_layers = true;
  add("shared", c);
  c = base(EncoderDecoder, NormPlacement::Post, NormKind::LayerNorm);
  c.decoder_layers[1].repeats = true;
  add("repeats", c);
  c = base(EncoderDecoder, NormPlacement::Pre, NormKind::LayerNorm);
  c.embedding_norm = true;
  add("embedding norm, pre layer", c);
  c.norm = NormKind::RmsNorm;
  add("embedding norm, pre rms", c);
  c = base(Encoder, NormPlacement::Post, NormKind::LayerNorm);
  c.embedding_norm = true;
  add("embedding norm, post layer", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.positions = Positions::Rotary;
  c.rotary_base = 10.0;
  c.gated_feed_forward = true;
  c.activation = Activation::Silu;
  c.attention_bias = c.feed_forward_bias = c.output_bias = false;
  setUniform(c, 0, 2, {2, 4, 3, 5, 1e-5, 3});
  add("rotary grouped gated", c);
  c = base(EncoderDecoder, NormPlacement::Post, NormKind::LayerNorm);
  c.positions = Positions::Rotary;
  c.rotary_size = 2;
  c.gated_feed_forward = true;
  setUniform(c, 2, 2, {2, 4, 3, 7, 1e-5, 2});
  add("rotary in part, both post", c);
  c = base(EncoderDecoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.positions = Positions::Buckets;
  c.distance_buckets = 4;
  c.distance_furthest = 3;
  c.initial_deviation = 0.5;
  setUniform(c, 2, 2, {2, 4, 3, 7, 1e-5, 2, 3});
  add("buckets of distances, a window", c);
  for (const NormPlacement placement : {NormPlacement::Pre, NormPlacement::Post}) {
    c = base(Encoder, placement, NormKind::LayerNorm);
    c.output = OutputKind::Labels;
    c.output_size = c.source_vocabulary;
    c.tie_output = c.output_transform = c.embedding_norm = true;
    c.embedding_size = 3;
    c.embedding_map = true;
    add(placement == NormPlacement::Pre ? "masked head, pre" : "masked head, post", c);
  }
  c = base(Decoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.norm_gain = false;
  c.embedding_norm = true;
  c.final_norm = false;
  c.positions = Positions::Learned;
  add("rms without gains, embedding norm", c);
  c = base(EncoderDecoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.norm_gain = false;
  c.parallel_blocks = true;
  add("rms without gains, parallel", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::LayerNorm);
  c.parallel_blocks = true;
  add("parallel", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::RmsNorm);
  c.positions = Positions::Rotary;
  c.query_key_norm = true;
  setUniform(c, 0, 2, {2, 4, 3, 5, 1e-5, 2});
  add("queries and keys normed", c);
  for (SmallModel& funnel : funnelModels()) models.push_back(std::move(funnel));

  const auto delight = [&](const char* name, ModelConfig config) {
    setDelightLayers(config, config.hasEncoder() ? 2 : 0, config.hasDecoder() ? 2 : 0, {2, 3, 2.0});
    for (auto* layers : {&config.encoder_layers, &config.decoder_layers})
      for (LayerConfig& layer : *layers) layer.first<FeedForward>()->width = 7;
    add(name, config);
  };
  delight("delight both pre", base(EncoderDecoder, NormPlacement::Pre, NormKind::LayerNorm));
  delight("delight encoder post", base(Encoder, NormPlacement::Post, NormKind::LayerNorm));
  delight("delight decoder rms", base(Decoder, NormPlacement::Pre, NormKind::RmsNorm));
  c = base(EncoderDecoder, NormPlacement::Post, NormKind::LayerNorm);
  c.source_vocabulary = c.target_vocabulary;
  c.embedding_size = 4;
  c.share_embeddings = c.tie_output = true;
  delight("delight shared table", c);
  c = base(Decoder, NormPlacement::Pre, NormKind::LayerNorm);
  c.embedding_size = 4;
  delight("delight embedding unit", c);
  return models;
}

SmallModel smallModel(const std::string& name) {
  for (SmallModel& model : smallModels())
    if (model.name == name) return model;
  throw std::runtime_error("no small model " + name);
}

ModelState trainedState(const ModelConfig& config, std::uint64_t seed) {
  ModelState state = initialState(config, seed);
  const Random values(seed, 1), first(seed, 2), second(seed, 3);
  for (std::size_t i = 0; i < state.parameters.size(); ++i) {
    state.parameters[i] += float(0.3 * values.normal(i));
    state.first_moment[i] = float(first.normal(i));
    state.second_moment[i] = float(second.uniform(i));
  }
  state.step = state.optimizer_step = 40;
  return state;
}

Batch probeBatch(const ModelConfig& config) {
  Batch batch;
  batch.size = 2;
  const Random random(7, 7);
  std::uint64_t drawn = 0;
  const auto tokens = [&](std::int64_t count, std::int64_t known) {
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < count; ++i)
      ids.push_back(std::int32_t(random.integer(drawn++, known)));
    return ids;
  };
  if (config.architecture != Architecture::Decoder) {
    batch.source_length = config.source_length;
    if (config.input == InputKind::Tokens)
      batch.source = tokens(2 * batch.source_length, config.source_vocabulary);
    const std::int64_t width = config.feature_size > 0 ? config.feature_size : config.hidden;
    for (std::int64_t i = 0;
         config.input == InputKind::Features && i < 2 * batch.source_length * width; ++i)
      batch.source_features.push_back(random.normal(drawn++));
    batch.source_pad.assign(std::size_t(2 * batch.source_length), 0);
    batch.source_pad.back() = 1;
  }
  if (config.hasDecoder()) {
    batch.target_length = config.target_length;
    batch.target = tokens(2 * batch.target_length, config.target_vocabulary);
  }
  const bool each = config.output == OutputKind::Vocabulary || config.output == OutputKind::Labels;
  const std::int64_t positions = config.hasDecoder() ? batch.target_length : batch.source_length;
  const std::int64_t labels = each ? 2 * positions : 2;
  batch.labels =
      tokens(labels, config.hasDecoder() ? config.target_vocabulary : config.output_size);
  batch.label_weights.assign(std::size_t(labels), float(1.0 / double(labels)));
  return batch;
}

expand::Verdict grownVerdict(const ModelConfig& config, const expand::Plan& plan) {
  const ModelState before = trainedState(config);
  return expand::verify(before, expand::grow(before, plan), probeBatch(config));
}

std::string refusal(const ModelConfig& config, const expand::Plan& plan) {
  try {
    expand::grow(trainedState(config), plan);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace tfm::test
