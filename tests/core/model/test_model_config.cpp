// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/error.h"
#include "core/model/config_fields.h"
#include "core/model/presets.h"
#include "tests/test_program.h"

using tfm::ModelConfig;

namespace {

ModelConfig reread(const ModelConfig& config) {
  return tfm::modelConfigFromJson(tfm::toJson(config), "test");
}

/// The message that reading this JSON gives; "" where it is read.
std::string refusal(const std::string& json) {
  try {
    tfm::modelConfigFromJson(json, "model.json");
  } catch (const tfm::Error& e) {
    return e.problem() + " | " + e.where() + " | " + e.hint();
  }
  return {};
}

/// The JSON of the rot13 model with one text in it replaced.
std::string alteredRot13(const std::string& from, const std::string& to) {
  std::string json = tfm::toJson(tfm::presetNamed("rot13").config());
  const std::size_t at = json.find(from);
  if (at == std::string::npos) return "not found";
  return json.replace(at, from.size(), to);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

class TestModelConfig : public QObject {
  Q_OBJECT

 private slots:
  void everyPresetSurvivesJson_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < tfm::presets().size(); ++i)
      QTest::newRow(std::string(tfm::presets()[i].name).c_str()) << int(i);
  }
  void everyPresetSurvivesJson() {
    QFETCH(int, index);
    const ModelConfig config = tfm::presets()[std::size_t(index)].config();
    QVERIFY(reread(config) == config);
  }

  void everyFieldSurvivesJson() {
    // Each field in turn gets another value than usual; the JSON without that change is a different
    // one.
    const ModelConfig usual = tfm::presetNamed("rot13").config();
    ModelConfig counted = usual;
    const std::size_t fields = tfm::configFields(counted).size();
    for (std::size_t i = 0; i < fields; ++i) {
      ModelConfig c = usual;
      const tfm::io::Field field = tfm::configFields(c)[i];
      if (const auto* s = std::get_if<tfm::io::IntegerSlot>(&field.slot)) *s->value += 2;
      if (const auto* s = std::get_if<tfm::io::RealSlot>(&field.slot)) *s->value = 0.1 + 1e-16;
      if (const auto* s = std::get_if<tfm::io::SwitchSlot>(&field.slot)) *s->value = !*s->value;
      if (const auto* s = std::get_if<tfm::io::ChoiceSlot>(&field.slot))
        s->set((s->get() + 1) % int(s->words.size()));
      QVERIFY2(c != usual, field.name.data());
      QVERIFY2(tfm::toJson(c) != tfm::toJson(usual), field.name.data());
      try {
        QVERIFY2(reread(c) == c, field.name.data());
      } catch (const tfm::Error&) {
        // The change alone makes a model that cannot be (an encoder-decoder with a class as its
        // answer).
      }
    }
  }

  /// So that older versions read models that have nothing new.
  void laterFieldsAreWrittenOnlyIfTheySaySomething() {
    ModelConfig c = tfm::presetNamed("rot13").config();
    for (const char* name : {"share_embeddings", "embedding_size", "embedding_base"})
      QVERIFY(tfm::toJson(c).find(name) == std::string::npos);
    c.share_embeddings = true;
    QVERIFY(tfm::toJson(c).find("share_embeddings") != std::string::npos);
  }

  void differentLayersSurviveJson() {
    ModelConfig c = tfm::presetNamed("annotated-encoder-decoder").config();
    c.encoder_layers[1].first<tfm::SelfAttention>()->sizes.key_size = 9;
    c.decoder_layers[2].first<tfm::CrossAttention>()->sizes.value_size = 11;
    c.decoder_layers[0].first<tfm::FeedForward>()->width = 14;
    c.decoder_layers[1].blocks[1].norm_eps = 3e-6;
    c.decoder_final_norm_eps = 0.1;
    QVERIFY(reread(c) == c);
    QVERIFY(!(reread(c) == tfm::presetNamed("annotated-encoder-decoder").config()));
  }

  void blocksKeepTheirOrder() {
    ModelConfig c = tfm::presetNamed("annotated-encoder-decoder").config();
    c.encoder_layers[0].blocks = {{tfm::FeedForward{5}, 1e-3}, {tfm::FeedForward{6}, 1e-4}};
    const std::vector<tfm::BlockConfig> usual = c.decoder_layers[1].blocks;
    c.decoder_layers[1].blocks = {usual.rbegin(), usual.rend()};
    QVERIFY(reread(c) == c);
  }

  /// Files up to 2026 had members for the usual blocks.
  void layersOfOlderFilesAreRead() {
    const auto read = [](const std::string& layers) {
      return tfm::modelConfigFromJson(
          R"({"source_vocabulary": 9, "target_vocabulary": 9, "source_length": 5,
              "target_length": 5, "hidden": 8, "heads": 2, "key_size": 3, "value_size": 3,
              "encoder_layers": 1, "norm_eps": 0.25, "decoder_layers": )" +
              layers + "}",
          "test");
    };
    const ModelConfig
        usual = read("1"),
        c = read(
            R"([{"self_attention": {"heads": 3, "key_size": 4, "value_size": 5, "key_sizes": [4, 1, 2]},
             "cross_attention": {"heads": 1}, "feed_forward": 7, "self_attention_norm_eps": 1e-6,
             "cross_attention_norm_eps": 2e-6, "feed_forward_norm_eps": 3e-6, "gated": true}])");
    const tfm::LayerConfig expected{{{tfm::SelfAttention{{3, 4, 5, {4, 1, 2}}}, 1e-6},
                                     {tfm::CrossAttention{{1, 3, 3}}, 2e-6},
                                     {tfm::FeedForward{7}, 3e-6}},
                                    true};
    QVERIFY(c.decoder_layers == std::vector{expected});
    QVERIFY(c.encoder_layers == usual.encoder_layers);
    QVERIFY(read("[{}]") == usual);
    // What a layer says of a block that it does not have has always meant nothing.
    QVERIFY(tfm::modelConfigFromJson(R"({"architecture": "attention", "input": "features",
        "output": "none", "source_length": 5, "hidden": 8,
        "encoder_layers": [{"feed_forward": 9, "feed_forward_norm_eps": 0.5}]})",
                                     "test")
                .encoder_layers.front()
                .blocks.size() == 1);
    QVERIFY(tfm::modelConfigFromJson(R"({"architecture": "encoder", "output": "none",
        "source_vocabulary": 9, "source_length": 5, "hidden": 8,
        "encoder_layers": [{"cross_attention_norm_eps": 0.5}]})",
                                     "test")
                .encoder_layers.front()
                .blocks.size() == 2);
  }

  void anEpsOfItsOwnSurvivesJson() {
    const ModelConfig usual = tfm::presetNamed("annotated-encoder-decoder").config();
    ModelConfig c = usual;
    c.embedding_norm = true;
    QVERIFY(tfm::uniformSizes(c).has_value());
    c.embedding_norm_eps = 1e-12;
    QVERIFY(!tfm::uniformSizes(c).has_value());
    QVERIFY(reread(c) == c);
    tfm::setUniform(c, 3, 3, *tfm::uniformSizes(usual));
    QCOMPARE(c.embedding_norm_eps, 1e-6);
  }

  void whatGrowthAddsSurvivesJson() {
    ModelConfig c = tfm::presetNamed("annotated-rot13").config();
    c.sinusoid_size = 4;
    c.sinusoid_repeats = true;
    c.mask_size = 6;
    c.mask_begin = 1200;
    c.mask_steps = 500;
    QVERIFY(reread(c) == c);
    ModelConfig features = tfm::presetNamed("expansions-notebook").config();
    features.feature_size = 3;
    QVERIFY(reread(features) == features);
  }

  void aGatedLayerMakesAList() {
    ModelConfig c = tfm::presetNamed("annotated-encoder-decoder").config();
    QVERIFY(tfm::uniformSizes(c).has_value());
    for (tfm::LayerConfig& layer : c.decoder_layers) layer.gated = true;
    QVERIFY(!tfm::uniformSizes(c).has_value());
    QVERIFY(has(tfm::toJson(c), "\"gated\":true"));
    QVERIFY(reread(c) == c);
    for (tfm::LayerConfig& layer : c.encoder_layers) layer.gated = true;
    QVERIFY(!tfm::uniformSizes(c).has_value());
    QVERIFY(reread(c) == c);
    c.decoder_layers[1].gated = false;
    QVERIFY(reread(c) == c);
  }

  void aListWithoutGatesHasNone() {
    ModelConfig c = tfm::presetNamed("annotated-encoder-decoder").config();
    c.decoder_layers[1].first<tfm::FeedForward>()->width = 99;
    std::string json = tfm::toJson(c);
    const std::string gate = ",\"gated\":false";
    for (std::size_t at = json.find(gate); at != std::string::npos; at = json.find(gate))
      json.erase(at, gate.size());
    QVERIFY(json.size() < tfm::toJson(c).size());
    QVERIFY(tfm::modelConfigFromJson(json, "test") == c);
  }

  void repeatsAreANumber() {
    ModelConfig c = tfm::presetNamed("annotated-encoder-decoder").config();
    const std::string alone = tfm::toJson(c);
    for (auto* layers : {&c.encoder_layers, &c.decoder_layers}) layers->resize(6, layers->front());
    for (const std::size_t i : {1, 3, 4}) c.encoder_layers[i].repeats = true;
    c.encoder_layers[5].blocks[1].norm_eps = 0.1;
    const std::string json = tfm::toJson(c);
    QVERIFY(has(json, "\"repeats\":2") && has(json, "\"repeats\":3"));
    QVERIFY(!has(alone, "\"repeats\""));
    QVERIFY(reread(c) == c);
    QCOMPARE(c.holderOf(tfm::Stack::Encoder, 4), std::int64_t{2});
    QCOMPARE(c.holderOf(tfm::Stack::Encoder, 5), std::int64_t{5});
    QCOMPARE(c.holderOf(tfm::Stack::Decoder, 4), std::int64_t{4});
    c.unshareLayers();
    QVERIFY(!c.sharesLayers() && reread(c) == c);
    // What all layers share is still said once, as it always was.
    c.encoder_layers.resize(1);
    c.encoder_layers[0].gated = true;
    c.share_layers = true;
    QVERIFY(c.sharesLayers() && reread(c) == c && !has(tfm::toJson(c), "\"repeats\""));
  }

  void impossibleRepeatsAreRefused() {
    const auto read = [](const std::string& layers) {
      return refusal(R"({"architecture": "encoder", "output": "none", "source_vocabulary": 9,
                         "source_length": 5, "hidden": 8, "encoder_layers": )" +
                     layers + "}");
    };
    QVERIFY(read(R"([{"repeats": 2}, {"repeats": 1022}])").empty());
    QVERIFY(has(read(R"([{"repeats": 2}, {"repeats": 1023}])"), "runs 1023 times"));
    QVERIFY(has(read(R"([{"repeats": 1024}, {}])"), "runs 1 times"));
    QVERIFY(has(read(R"([{"repeats": 0}])"), "runs 0 times"));
    QVERIFY(has(read(R"([{"repeats": true}])"), "'repeats' is true"));
  }

  void uniformLayersAreWrittenOnce() {
    const std::string json = tfm::toJson(tfm::presetNamed("annotated-encoder-decoder").config());
    QVERIFY(has(json, "\"encoder_layers\":3"));
    QVERIFY(has(json, "\"heads\":7"));
  }

  void missingFieldsHaveTheirUsualValue() {
    const ModelConfig c = tfm::modelConfigFromJson(
        R"({"architecture": "decoder", "target_vocabulary": 9, "target_length": 5, "hidden": 8,
            "decoder_layers": 2, "heads": 2, "key_size": 4, "feed_forward": 16})",
        "test");
    QCOMPARE(c.decoder_layers.size(), std::size_t(2));
    QCOMPARE(c.decoder_layers[1].first<tfm::SelfAttention>()->sizes.value_size, 4);
    QVERIFY(c.norm_placement == ModelConfig{}.norm_placement);
    QCOMPARE(c.decoder_final_norm_eps, 1e-5);
  }

  void anUnknownFieldIsRefused() {
    const std::string message = refusal(alteredRot13("\"hidden\":", "\"hiden\":8,\"hidden\":"));
    QVERIFY(has(message, "'hiden'") && has(message, "model.json"));
    QVERIFY(refusal(alteredRot13("\"hidden\":", "\"hidden\":")).empty());
  }

  void aWrongTypeIsRefused_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("named");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* from, const char* to, const char* named, const char* expected) {
      QTest::newRow(to) << QByteArray(from) << QByteArray(to) << QByteArray(named)
                        << QByteArray(expected);
    };
    row("\"hidden\":8", "\"hidden\":\"eight\"", "'hidden' is \"eight\"", "whole number");
    row("\"hidden\":8", "\"hidden\":8.5", "'hidden' is 8.5", "whole number");
    row("\"hidden\":8", "\"hidden\":null", "'hidden' is null", "whole number");
    row("\"hidden\":8", "\"hidden\":[8]", "'hidden' is [8]", "whole number");
    row("\"final_norm\":false", "\"final_norm\":0", "'final_norm' is 0", "true or false");
    row("\"norm\":\"layer_norm\"", "\"norm\":1", "'norm' is 1", "text");
    row("\"norm\":\"layer_norm\"", "\"norm\":\"batch\"", "'norm' is \"batch\"",
        "layer_norm, rms_norm");
    row("\"attention_dropout\":0.0", "\"attention_dropout\":true", "'attention_dropout' is true",
        "a number");
    row("\"encoder_layers\":1", "\"encoder_layers\":\"one\"", "\"one\"", "whole number");
    row("\"encoder_layers\":1", "\"encoder_layers\":-1", "-1 layers", "0 to 1024");
    row("\"encoder_layers\":1", "\"encoder_layers\":99999", "99999 layers", "0 to 1024");
    row("\"encoder_layers\":1", "\"encoder_layers\":[{\"gated\":1}]", "'gated' is 1",
        "true or false");
    row("\"mask_size\":0", "\"mask_size\":1.5", "'mask_size' is 1.5", "whole number");
    row("\"feature_size\":0", "\"feature_size\":true", "'feature_size' is true", "whole number");
    row("\"sinusoid_repeats\":false", "\"sinusoid_repeats\":1", "'sinusoid_repeats' is 1",
        "true or false");
    row("\"encoder_layers\":1", "\"encoder_layers\":[7]", "encoder_layers.0", "object");
    row("\"encoder_layers\":1", "\"encoder_layers\":[{\"heds\":1}]", "'heds'", "encoder_layers.0");
  }
  void aWrongTypeIsRefused() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, named);
    QFETCH(QByteArray, expected);
    const std::string message = refusal(alteredRot13(from.toStdString(), to.toStdString()));
    QVERIFY2(has(message, named.constData()), message.c_str());
    QVERIFY2(has(message, expected.constData()), message.c_str());
    QVERIFY2(has(message, "model.json"), message.c_str());
  }

  void numbersBeyondTheirTypeAreRefused() {
    for (const char* huge : {"18446744073709551615", "9223372036854775808", "1e30"}) {
      const std::string message =
          refusal(alteredRot13("\"hidden\":8", "\"hidden\":" + std::string(huge)));
      QVERIFY2(has(message, "hidden"), huge);
    }
  }

  void textThatIsNoObjectIsRefused() {
    for (const char* text : {"", "{", "[]", "3", "\xff"}) QVERIFY2(!refusal(text).empty(), text);
  }
};

TFM_TEST(TestModelConfig)
#include "test_model_config.moc"
