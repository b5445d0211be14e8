// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/model/delight_layers.h"
#include "tests/core/model/model_run.h"
#include "tests/named_rows.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::test::ModelRun;

namespace {

struct Variant {
  const char* name;
  ModelConfig config;
};

ModelConfig decoder() {
  ModelConfig c;
  c.architecture = tfm::Architecture::Decoder;
  c.target_vocabulary = 5;
  c.target_length = 4;
  c.hidden = 6;
  c.embedding_deviation = c.position_deviation = 0.5;
  c.initializer = tfm::InitialValues::HeNormal;
  tfm::setUniform(c, 0, 2, {2, 3, 2, 5, 1e-5});
  return c;
}

ModelConfig encoderDecoder() {
  ModelConfig c = decoder();
  c.architecture = tfm::Architecture::EncoderDecoder;
  c.source_vocabulary = 4;
  c.source_length = 3;
  tfm::setUniform(c, 1, 1, {2, 3, 2, 5, 1e-5});
  return c;
}

ModelConfig encoder(tfm::OutputKind output) {
  ModelConfig c = encoderDecoder();
  c.architecture = tfm::Architecture::Encoder;
  c.output = output;
  c.output_size = output == tfm::OutputKind::None ? 0 : 3;
  c.target_vocabulary = c.target_length = 0;
  c.decoder_layers.clear();
  return c;
}

/// An encoder whose second layer pools; `more` layers pool or up-sample after it.
ModelConfig pooled(tfm::OutputKind output, std::initializer_list<tfm::LengthChange> more = {}) {
  ModelConfig c = encoder(output);
  c.source_length = 7;
  tfm::setUniform(c, 2 + std::int64_t(more.size()), 0, {2, 3, 2, 5, 1e-5});
  c.encoder_layers[1].before = tfm::LengthChange::Pool;
  std::ranges::transform(more, c.encoder_layers.begin() + 2, [&](tfm::LengthChange before) {
    tfm::LayerConfig layer = c.encoder_layers.front();
    layer.before = before;
    return layer;
  });
  return c;
}

/// Every choice of a model at least once.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  const auto add = [&](const char* name, ModelConfig config,
                       const std::function<void(ModelConfig&)>& change = {}) {
    if (change) change(config);
    all.push_back({name, std::move(config)});
  };
  using C = ModelConfig&;
  add("decoder", decoder());
  add("post-norm", decoder(), [](C c) { c.norm_placement = tfm::NormPlacement::Post; });
  add("RMS norm", decoder(), [](C c) { c.norm = tfm::NormKind::RmsNorm; });
  add("post RMS norm, no final norm", decoder(), [](C c) {
    c.norm = tfm::NormKind::RmsNorm;
    c.norm_placement = tfm::NormPlacement::Post;
    c.final_norm = false;
  });
  add("GELU", decoder(), [](C c) { c.activation = tfm::Activation::Gelu; });
  add("GELU tanh", decoder(), [](C c) { c.activation = tfm::Activation::GeluTanh; });
  add("SiLU", decoder(), [](C c) { c.activation = tfm::Activation::Silu; });
  add("learned positions", decoder(), [](C c) { c.positions = tfm::Positions::Learned; });
  add("no positions, scaled embedding", decoder(), [](C c) {
    c.positions = tfm::Positions::None;
    c.embedding_scale = 2.5;
  });
  add("narrow sinusoid", decoder(), [](C c) { c.sinusoid_size = 4; });
  add("no biases", decoder(),
      [](C c) { c.attention_bias = c.feed_forward_bias = c.output_bias = false; });
  add("tied output", decoder(), [](C c) { c.tie_output = true; });
  add("tied output without bias", decoder(), [](C c) {
    c.tie_output = true;
    c.output_bias = false;
  });
  add("shared layers", decoder(), [](C c) { c.share_layers = true; });
  add("a layer that repeats, and another", decoder(), [](C c) {
    c.decoder_layers.insert(c.decoder_layers.begin() + 1, c.decoder_layers.front());
    c.decoder_layers[1].repeats = true;
    c.decoder_layers[2].first<tfm::FeedForward>()->width = 3;
  });
  add("layers of different sizes", decoder(), [](C c) {
    c.decoder_layers[1].first<tfm::SelfAttention>()->sizes = {1, 5, 7};
    c.decoder_layers[1].first<tfm::FeedForward>()->width = 3;
    c.decoder_layers[1].blocks[1].norm_eps = 0.1;
  });
  add("memory from outside", decoder(), [](C c) {
    c.memory_size = 3;
    c.source_length = 3;
    tfm::setUniform(c, 0, 2, {2, 3, 2, 5, 1e-5});
  });
  add("states of a decoder", decoder(), [](C c) { c.output = tfm::OutputKind::None; });
  add("encoder-decoder", encoderDecoder());
  add("encoder-decoder, shared, tied, post-norm", encoderDecoder(), [](C c) {
    c.share_layers = c.tie_output = true;
    c.norm_placement = tfm::NormPlacement::Post;
  });
  add("classes", encoder(tfm::OutputKind::Classes));
  add("labels", encoder(tfm::OutputKind::Labels));
  add("states of an encoder", encoder(tfm::OutputKind::None));
  add("features", encoder(tfm::OutputKind::Labels),
      [](C c) { c.input = tfm::InputKind::Features; });
  add("one attention", encoder(tfm::OutputKind::None), [](C c) {
    c.architecture = tfm::Architecture::Attention;
    c.input = tfm::InputKind::Features;
    c.positions = tfm::Positions::None;
    c.encoder_layers.front().blocks.resize(1);
    c.encoder_layers.resize(1);
  });
  add("blocks in another order", encoderDecoder(), [](C c) {
    for (auto* layers : {&c.encoder_layers, &c.decoder_layers}) {
      const std::vector<tfm::BlockConfig> usual = layers->front().blocks;
      layers->front().blocks = {usual.rbegin(), usual.rend()};
    }
  });
  add("two feed-forwards and no attention", decoder(), [](C c) {
    auto& blocks = c.decoder_layers[1].blocks;
    blocks = {{tfm::FeedForward{3}, 1e-5}, {tfm::FeedForward{4}, 0.1}};
  });
  add("norm after the embeddings", encoderDecoder(), [](C c) { c.embedding_norm = true; });
  add("norm after features and positions", encoder(tfm::OutputKind::Classes), [](C c) {
    c.input = tfm::InputKind::Features;
    c.embedding_norm = true;
    c.embedding_norm_eps = 0.1;
  });
  add("narrow features", encoder(tfm::OutputKind::Labels), [](C c) {
    c.input = tfm::InputKind::Features;
    c.feature_size = 4;
  });
  add("rotary positions, grouped queries, gated feed-forward", encoderDecoder(), [](C c) {
    c.positions = tfm::Positions::Rotary;
    c.rotary_base = 10.0;
    c.gated_feed_forward = true;
    c.activation = tfm::Activation::Silu;
    tfm::setUniform(c, 2, 2, {2, 4, 3, 5, 1e-5, 3});
  });
  add("part of the key turned", decoder(), [](C c) {
    c.positions = tfm::Positions::Rotary;
    c.rotary_size = 2;
    tfm::setUniform(c, 0, 2, {2, 5, 3, 5, 1e-5, 1});
  });
  add("norms without gains, parallel blocks", encoderDecoder(), [](C c) {
    c.norm_gain = false;
    c.parallel_blocks = true;
  });
  add("RMS norms without gains", decoder(), [](C c) {
    c.norm = tfm::NormKind::RmsNorm;
    c.norm_gain = false;
  });
  add("normed queries and keys", encoderDecoder(), [](C c) {
    c.positions = tfm::Positions::Rotary;
    c.query_key_norm = true;
    c.query_key_norm_eps = 0.1;
    tfm::setUniform(c, 2, 2, {2, 4, 3, 5, 1e-5, 2});
  });
  add("buckets of distances, a window", encoderDecoder(), [](C c) {
    c.positions = tfm::Positions::Buckets;
    c.distance_buckets = 4;
    c.distance_furthest = 3;
    c.initial_deviation = 0.5;
    tfm::setUniform(c, 2, 2, {2, 4, 3, 5, 1e-5, 2, 2});
  });
  add("transformed before the tied output", decoder(), [](C c) {
    c.tie_output = c.output_transform = true;
    c.sinusoid_halves = true;
  });
  add("labels read off the token table", encoder(tfm::OutputKind::Labels), [](C c) {
    c.output_size = c.source_vocabulary;
    c.tie_output = c.output_transform = c.embedding_norm = true;
    c.positions = tfm::Positions::Learned;
    c.embedding_size = 3;
    c.embedding_map = true;
  });
  add("repeated sinusoid", decoder(), [](C c) {
    c.sinusoid_size = 2;
    c.sinusoid_repeats = true;
  });
  add("gated layer", decoder(), [](C c) { c.decoder_layers[1].gated = true; });
  add("gated layers, shared, post-norm", decoder(), [](C c) {
    c.share_layers = true;
    c.norm_placement = tfm::NormPlacement::Post;
    for (tfm::LayerConfig& layer : c.decoder_layers) layer.gated = true;
  });
  add("gated encoder-decoder", encoderDecoder(),
      [](C c) { c.encoder_layers[0].gated = c.decoder_layers[0].gated = true; });
  using enum tfm::LengthChange;
  const auto relative = [](C c) {
    c.positions = tfm::Positions::Relative;
    c.embedding_norm = true;
    c.initial_deviation = 0.5;
  };
  const auto post = [](C c) {
    c.norm_placement = tfm::NormPlacement::Post;
    c.final_norm = false;
  };
  add("pooled, classes", pooled(tfm::OutputKind::Classes));
  add("pooled twice, states, post-norm", pooled(tfm::OutputKind::None, {None, Pool}), post);
  add("pooled everywhere by the maximum", pooled(tfm::OutputKind::Classes), [](C c) {
    c.pooling.kind = tfm::Pooling::Max;
    c.pooling.queries_only = false;
  });
  add("pooled without [CLS], padding spreads", pooled(tfm::OutputKind::Classes), [](C c) {
    c.pooling.separate_cls = false;
    c.pooling.padding_spreads = true;
  });
  add("pooled and up-sampled", pooled(tfm::OutputKind::Labels, {Pool, Upsample, None}));
  add("Funnel", pooled(tfm::OutputKind::Labels, {Pool, Upsample}), [&](C c) {
    relative(c);
    post(c);
    c.activation = tfm::Activation::GeluTanh;
  });
  add("Funnel, pre-norm, not truncated", pooled(tfm::OutputKind::Classes), [&](C c) {
    relative(c);
    c.pooling.truncate = false;
  });
  add("Funnel without [CLS]", pooled(tfm::OutputKind::Classes, {Pool}), [&](C c) {
    relative(c);
    post(c);
    c.pooling.separate_cls = false;
  });
  add("Funnel whose layers repeat", pooled(tfm::OutputKind::Classes, {None, Pool, None}), [&](C c) {
    relative(c);
    c.encoder_layers[2].repeats = c.encoder_layers[4].repeats = true;
  });
  add("Funnel, shared, gated", pooled(tfm::OutputKind::Labels, {Upsample}), [&](C c) {
    relative(c);
    c.share_layers = true;
    for (tfm::LayerConfig& layer : c.encoder_layers) layer.gated = true;
  });
  add("relative positions alone", encoder(tfm::OutputKind::Labels), relative);
  add("pooled encoder with a decoder", encoderDecoder(), [](C c) {
    c.source_length = 6;
    c.encoder_layers.push_back(c.encoder_layers.front());
    c.encoder_layers[1].before = Pool;
  });
  add("half a mask", encoderDecoder(), [](C c) {
    c.mask_size = 4;
    c.mask_begin = 9;
    c.mask_steps = 4;
  });
  add("closed mask, post-norm", decoder(), [](C c) {
    c.norm_placement = tfm::NormPlacement::Post;
    c.mask_size = 4;
    c.mask_begin = 11;
  });
  const auto delight = [](C c) {
    c.hidden = 8;
    tfm::setDelightLayers(c, c.hasEncoder() ? 1 : 0, 1, {3, 3, 2.0});
    for (auto* layers : {&c.encoder_layers, &c.decoder_layers})
      for (tfm::LayerConfig& layer : *layers) layer.first<tfm::DelightAttention>()->most_groups = 4;
  };
  add("DeLighT, shared table, tied, post-norm", encoderDecoder(), [&](C c) {
    delight(c);
    c.norm_placement = tfm::NormPlacement::Post;
    c.source_vocabulary = c.target_vocabulary;
    c.embedding_size = 6;
    c.share_embeddings = c.tie_output = true;
  });
  add("DeLighT without shuffle and mixer, dropout", decoder(), [&](C c) {
    delight(c);
    c.activation = tfm::Activation::Gelu;
    c.feed_forward_dropout = 0.2;
    auto& attention = *c.decoder_layers.front().first<tfm::DelightAttention>();
    attention.shuffle = attention.mixer = attention.rising_groups = false;
  });
  add("attention dropout", encoderDecoder(), [](C c) { c.attention_dropout = 0.3; });
  add("residual dropout", encoderDecoder(), [](C c) { c.residual_dropout = 0.3; });
  add("feed-forward dropout", encoderDecoder(), [](C c) { c.feed_forward_dropout = 0.3; });
  add("all dropouts", decoder(),
      [](C c) { c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.2; });
  return all;
}

ModelRun trainingRun(const ModelConfig& config) {
  ModelRun run(config, tfm::fullShape(config, 3), {.training = true, .loss = true});
  tfm::test::setDrawnInputs(run, config);
  run.position = {7, 11, 0};
  // Biases and gains start at 0 and 1, where mistakes hide.
  const tfm::Random random(41, 3);
  for (std::size_t i = 0; i < run.parameters().size(); ++i)
    run.parameters()[i] += 0.1 * random.normal(i);
  return run;
}

struct Comparison {
  double worst = 0.0, largest = 0.0;
  bool agrees() const { return worst <= 1e-6 * std::max(largest, 1e-2); }
};

/// The gradients times `factor` against central differences. A difference that is off may cross the
/// kink of a ReLU: it is taken again with a tenth of the step.
Comparison compare(ModelRun& run, double factor) {
  run.backward();
  Comparison result;
  for (const double g : run.gradients()) result.largest = std::max(result.largest, std::abs(g));
  for (std::size_t i = 0; i < run.parameters().size(); ++i) {
    const double value = run.parameters()[i];
    const auto lossAt = [&](double v) {
      run.parameters()[i] = v;
      return run.forward();
    };
    const double got = factor * run.gradients()[i];
    double off = 0.0;
    for (const double step : {1e-5, 1e-6}) {
      off = std::abs((lossAt(value + step) - lossAt(value - step)) / (2.0 * step) - got);
      if (off <= 1e-6 * std::max(result.largest, 1e-2)) break;
    }
    run.parameters()[i] = value;
    result.worst = std::max(result.worst, off);
  }
  return result;
}

}  // namespace

class TestModelGradients : public QObject {
  Q_OBJECT

 private slots:
  void wholeModelsAgainstFiniteDifferences_data() { tfm::test::addNamedRows(variants()); }
  void wholeModelsAgainstFiniteDifferences() {
    QFETCH(int, index);
    const std::vector<Variant> all = variants();
    ModelRun run = trainingRun(all[std::size_t(index)].config);
    const Comparison c = compare(run, 1.0);
    QVERIFY2(c.agrees(), qPrintable(QString("%1 of %2").arg(c.worst).arg(c.largest)));
    QVERIFY(c.largest > 1e-3);
    QVERIFY(!compare(run, 1.001).agrees());
  }
};

TFM_TEST(TestModelGradients)
#include "test_model_gradients.moc"
