// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <functional>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/model/config_fields.h"
#include "core/model/presets.h"
#include "tests/test_program.h"

using tfm::ModelConfig;

namespace {

/// A valid model, what makes it invalid, and what the message must name: field, value, what is
/// allowed.
struct Mistake {
  const char* preset;
  const char* field;
  const char* value;
  const char* allowed;
  std::function<void(ModelConfig&)> make;
};

constexpr const char* kDecoder = "character-model";
constexpr const char* kBoth = "annotated-rot13";
constexpr const char* kTagger = "small-tagger";
constexpr const char* kAttention = "annotated-attention";
constexpr const char* kFeatures = "expansions-notebook";  // hidden 5, RMS norm

/// Replaces the first layer's attention.
tfm::DelightAttention& withDelight(ModelConfig& config, std::int64_t hidden) {
  config.hidden = hidden;
  config.positions = tfm::Positions::Learned;
  tfm::AnyBlock& block = config.encoder_layers.front().blocks.front().f;
  return block.emplace<tfm::DelightAttention>();
}

std::vector<Mistake> fieldMistakes() {
  using C = ModelConfig&;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {
      {kBoth, "hidden", "0", "1 to 65536", [](C c) { c.hidden = 0; }},
      {kBoth, "hidden", "7", "even", [](C c) { c.hidden = 7; }},
      {kBoth, "sinusoid_size", "10", "even width up to hidden", [](C c) { c.sinusoid_size = 10; }},
      {kBoth, "sinusoid_size", "3", "even width up to hidden", [](C c) { c.sinusoid_size = 3; }},
      {kBoth, "source_vocabulary", "0", "at least 1", [](C c) { c.source_vocabulary = 0; }},
      {kBoth, "source_vocabulary", "-1", "0 to 10000000", [](C c) { c.source_vocabulary = -1; }},
      {kBoth, "target_vocabulary", "0", "at least 1", [](C c) { c.target_vocabulary = 0; }},
      {kBoth, "source_length", "0", "at least 1", [](C c) { c.source_length = 0; }},
      {kBoth, "target_length", "0", "at least 1", [](C c) { c.target_length = 0; }},
      {kBoth, "memory_size", "8", "0 unless", [](C c) { c.memory_size = 8; }},
      {kDecoder, "source_length", "0", "external", [](C c) { c.memory_size = 8; }},
      {kTagger, "output", "vocabulary", "labels",
       [](C c) { c.output = tfm::OutputKind::Vocabulary; }},
      {kBoth, "output", "classes", "vocabulary", [](C c) { c.output = tfm::OutputKind::Classes; }},
      {kTagger, "output_size", "0", "at least 1", [](C c) { c.output_size = 0; }},
      {kTagger, "tie_output", "true", "labels as many as",
       [](C c) {
         c.tie_output = true;
         ++c.output_size;
       }},
      {kTagger, "output_transform", "true", "false unless",
       [](C c) {
         c.output = tfm::OutputKind::None;
         c.output_transform = true;
       }},
      {kTagger, "embedding_map", "true", "embedding_size is above 0",
       [](C c) { c.embedding_map = true; }},
      {kTagger, "encoder_layers.0.self_attention.window", "2", "0 unless in a decoder",
       [](C c) { c.encoder_layers[0].first<tfm::SelfAttention>()->window = 2; }},
      {kDecoder, "distance_buckets", "6", "a multiple of 4",
       [](C c) {
         c.positions = tfm::Positions::Buckets;
         c.distance_buckets = 6;
       }},
      {kDecoder, "distance_furthest", "16", "above half of",
       [](C c) {
         c.positions = tfm::Positions::Buckets;
         c.distance_furthest = 16;
       }},
      {kAttention, "output", "not none", "none",
       [](C c) {
         c.output = tfm::OutputKind::Labels;
         c.output_size = 2;
       }},
      {kAttention, "input", "tokens", "features",
       [](C c) {
         c.input = tfm::InputKind::Tokens;
         c.source_vocabulary = 5;
       }},
      {kBoth, "encoder_layers", "0", "1 to 1024 layers", [](C c) { c.encoder_layers.clear(); }},
      {kBoth, "decoder_layers", "0", "1 to 1024 layers", [](C c) { c.decoder_layers.clear(); }},
      {kDecoder, "encoder_layers", "1", "no layers", [](C c) { c.encoder_layers.emplace_back(); }},
      {kBoth, "encoder_layers.0.self_attention.heads", "0", "1 to 1024",
       [](C c) { c.encoder_layers[0].first<tfm::SelfAttention>()->sizes.heads = 0; }},
      {kBoth, "decoder_layers.0.cross_attention.key_size", "-3", "1 to 8192",
       [](C c) { c.decoder_layers[0].first<tfm::CrossAttention>()->sizes.key_size = -3; }},
      {kBoth, "decoder_layers.0.self_attention.value_size", "8193", "1 to 8192",
       [](C c) { c.decoder_layers[0].first<tfm::SelfAttention>()->sizes.value_size = 8193; }},
      {kBoth, "encoder_layers.0.feed_forward.width", "0", "1 to",
       [](C c) { c.encoder_layers[0].first<tfm::FeedForward>()->width = 0; }},
      {kBoth, "encoder_layers.0.self_attention.norm_eps", "0", "above 0",
       [](C c) { c.encoder_layers[0].blocks[0].norm_eps = 0.0; }},
      {kBoth, "decoder_layers.0.feed_forward.norm_eps", "1", "below 1",
       [](C c) { c.decoder_layers[0].blocks[2].norm_eps = 1.0; }},
      {kBoth, "encoder_layers.0.blocks", "0", "1 to 16",
       [](C c) { c.encoder_layers[0].blocks.clear(); }},
      {kAttention, "encoder_layers.0.blocks", "2", "1 to 1",
       [](C c) { c.encoder_layers[0].blocks.emplace_back(); }},
      {kAttention, "encoder_layers.0", "feed_forward", "architecture has",
       [](C c) { c.encoder_layers[0].blocks[0] = {tfm::FeedForward{}}; }},
      {kBoth, "encoder_layers.0", "cross_attention", "architecture has",
       [](C c) { c.encoder_layers[0].blocks[0] = {tfm::CrossAttention{}}; }},
      {kBoth, "decoder_layers", "without cross-attention", "at least one layer",
       [](C c) { c.decoder_layers[0].blocks.erase(c.decoder_layers[0].blocks.begin() + 1); }},
      {kBoth, "decoder_final_norm_eps", "nan", "above 0",
       [=](C c) { c.decoder_final_norm_eps = nan; }},
      {kBoth, "attention_dropout", "1", "0 to below 1", [](C c) { c.attention_dropout = 1.0; }},
      {kBoth, "residual_dropout", "-0.1", "0 to below 1", [](C c) { c.residual_dropout = -0.1; }},
      {kBoth, "feed_forward_dropout", "nan", "0 to below 1",
       [=](C c) { c.feed_forward_dropout = nan; }},
      {kBoth, "embedding_scale", "0", "1e-06 to below 1e+06", [](C c) { c.embedding_scale = 0.0; }},
      {kBoth, "initial_deviation", "-1", "0 to below 1000",
       [](C c) { c.initial_deviation = -1.0; }},
      {kBoth, "norm", "7", "layer_norm, rms_norm", [](C c) { c.norm = tfm::NormKind(7); }},
      {"annotated-encoder-decoder", "share_layers", "true", "equal sizes",
       [](C c) {
         c.share_layers = true;
         c.encoder_layers[1].first<tfm::FeedForward>()->width = 99;
       }},
      {"annotated-encoder-decoder", "share_layers", "true", "equal",
       [](C c) {
         c.share_layers = true;
         c.decoder_layers[2].gated = true;
       }},
      {"annotated-encoder-decoder", "encoder_layers.0.repeats", "true", "first layer",
       [](C c) { c.encoder_layers[0].repeats = true; }},
      {"annotated-encoder-decoder", "decoder_layers.2.repeats", "true", "equal to the previous",
       [](C c) {
         c.decoder_layers[2].repeats = true;
         c.decoder_layers[1].blocks[0].norm_eps = 1e-3;
       }},
      {"annotated-encoder-decoder", "decoder_layers.1.repeats", "true", "equal to the previous",
       [](C c) { c.decoder_layers[1].gated = c.decoder_layers[1].repeats = true; }},
      {"annotated-encoder-decoder", "encoder_layers.1.repeats", "true", "share_layers",
       [](C c) { c.share_layers = c.encoder_layers[1].repeats = true; }},
      {kAttention, "gated", "true", "single attention",
       [](C c) { c.encoder_layers[0].gated = true; }},
      {kAttention, "embedding_norm", "true", "single attention",
       [](C c) { c.embedding_norm = true; }},
      {kBoth, "embedding_norm_eps", "0", "above 0", [](C c) { c.embedding_norm_eps = 0.0; }},
      {kBoth, "feature_size", "4", "0 unless the input is features",
       [](C c) { c.feature_size = 4; }},
      {kFeatures, "feature_size", "6", "a width up to hidden, 5", [](C c) { c.feature_size = 6; }},
      {kFeatures, "feature_size", "-1", "0 to 65536", [](C c) { c.feature_size = -1; }},
      {kBoth, "sinusoid_repeats", "true", "multiple of sinusoid_size",
       [](C c) {
         c.sinusoid_size = 6;
         c.sinusoid_repeats = true;
       }},
      {kDecoder, "sinusoid_repeats", "true", "positions are sinusoidal",
       [](C c) { c.sinusoid_repeats = true; }},
      {kFeatures, "mask_size", "2", "layer_norm", [](C c) { c.mask_size = 2; }},
      {kBoth, "mask_size", "9", "a size up to hidden, 8", [](C c) { c.mask_size = 9; }},
      {kBoth, "mask_size", "-1", "0 to 65536", [](C c) { c.mask_size = -1; }},
      {kBoth, "mask_begin", "-1", "0 to 1000000000", [](C c) { c.mask_begin = -1; }},
      {kBoth, "mask_steps", "0", "1 to 1000000000", [](C c) { c.mask_steps = 0; }},
      {kBoth, "hidden", "7", "even", [](C c) { withDelight(c, 7); }},
      {kBoth, "share_embeddings", "true", "28 and 29",
       [](C c) {
         c.share_embeddings = true;
         c.target_vocabulary = 29;
       }},
      {kFeatures, "embedding_size", "4", "nothing reads tokens", [](C c) { c.embedding_size = 4; }},
      {kBoth, "embedding_base", "4", "0 where embedding_size is 0",
       [](C c) { c.embedding_base = 4; }},
      {kBoth, "embedding_base", "10", "up to hidden, 8",
       [](C c) {
         c.embedding_size = 4;
         c.embedding_base = 10;
       }},
      {kBoth, "hidden", "70", "a multiple of 4",
       [](C c) {
         c.hidden = 70;
         c.embedding_size = 4;
       }},
      {kBoth, "tie_output", "true", "grown beyond",
       [](C c) {
         c.tie_output = true;
         c.embedding_size = c.embedding_base = 4;
       }},
      {kBoth, "encoder_layers.0.delight_attention.depth", "1", "2 to",
       [](C c) { withDelight(c, 8).depth = 1; }},
      {kBoth, "encoder_layers.0.delight_attention.width", "0.4", "0.5",
       [](C c) { withDelight(c, 8).width = 0.4; }},
      {kBoth, "encoder_layers.0.delight_attention.most_groups", "8", "half the hidden size, 4",
       [](C c) { withDelight(c, 8) = {.depth = 6, .most_groups = 8}; }},
      {kBoth, "encoder_layers.0.delight_attention.most_groups", "3", "power of two",
       [](C c) { withDelight(c, 12).most_groups = 3; }},
      {kBoth, "encoder_layers.0.delight_attention.most_groups", "4", "another hidden size",
       [](C c) { withDelight(c, 100); }},
      {kBoth, "encoder_layers.0.delight_attention.base_size", "10", "up to hidden, 8",
       [](C c) { withDelight(c, 8).base_size = 10; }},
      {kDecoder, "hidden", "65536", "length times hidden",
       [](C c) {
         c.hidden = 65536;
         c.target_length = 1000000;
       }},
  };
}

}  // namespace

class TestModelValidation : public QObject {
  Q_OBJECT

 private:
  static tfm::Error refusalOf(const ModelConfig& config) {
    try {
      tfm::validate(config);
    } catch (const tfm::Error& e) {
      return e;
    }
    return tfm::Error("accepted");
  }

 private slots:
  void aMistakeIsNamedWithItsValueAndWhatIsAllowed_data() {
    QTest::addColumn<int>("index");
    const std::vector<Mistake> all = fieldMistakes();
    for (std::size_t i = 0; i < all.size(); ++i)
      QTest::addRow("%s = %s", all[i].field, all[i].value) << int(i);
  }
  void aMistakeIsNamedWithItsValueAndWhatIsAllowed() {
    QFETCH(int, index);
    const Mistake mistake = fieldMistakes()[std::size_t(index)];
    ModelConfig config = tfm::presetNamed(mistake.preset).config();
    QCOMPARE(refusalOf(config).problem(), std::string("accepted"));
    mistake.make(config);
    const tfm::Error e = refusalOf(config);
    const std::string starts = std::string(mistake.field) + " is " + mistake.value;
    QVERIFY2(e.problem().starts_with(starts), e.what());
    QVERIFY2(e.hint().find(mistake.allowed) != std::string::npos, e.what());
    QVERIFY_EXCEPTION_THROWN(tfm::buildProgram(config, {1, 1, 1}, {}), tfm::Error);
  }

  void sequencesLongerThanTheModelAreRefused() {
    const ModelConfig config = tfm::presetNamed(kBoth).config();
    for (const tfm::BatchShape& shape :
         {tfm::BatchShape{1, 16, 15}, tfm::BatchShape{1, 15, 16}, tfm::BatchShape{1, 0, 15}})
      QVERIFY_EXCEPTION_THROWN(tfm::buildProgram(config, shape, {}), tfm::Error);
    tfm::buildProgram(config, {1, 15, 15}, {});
  }

  void everyFieldIsExplained() {
    ModelConfig config;
    for (const tfm::io::Field& field : tfm::configFields(config)) {
      QVERIFY(!field.meaning.empty());
      QVERIFY(!tfm::io::allowedText(field).empty());
    }
  }
};

TFM_TEST(TestModelValidation)
#include "test_model_validation.moc"
