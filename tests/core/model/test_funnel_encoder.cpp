// SPDX-License-Identifier: GPL-3.0-or-later
// Funnel-Transformers that the transformers library saved, read from its own files and run beside
// its numbers.
#include <QTest>
#include <filesystem>

#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/feature_extractor.h"
#include "core/model/pretrained/funnel.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/foreign_parameters.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"
#include "tests/named_rows.h"
#include "tests/test_program.h"

using namespace tfm;
using tfm::test::Golden;
using tfm::test::Mistake;
using tfm::test::ModelRun;

namespace {

std::filesystem::path folderOf(const std::string& name) {
  return std::filesystem::path(TFM_TEST_DATA "/goldens") / name;
}

std::string configText(const std::string& name) {
  return io::readTextFile(folderOf(name) / "config.json");
}

ModelConfig configOfFile(const std::string& name) {
  return funnelConfig(configText(name), "config.json");
}

io::NamedTensors tensorsOf(const std::string& name) {
  return io::readSafetensors(folderOf(name) / "model.safetensors").tensors;
}

/// The names of what the golden holds: after the embeddings, after every layer, and before the
/// first one behind the up-sampling.
std::vector<std::string> funnelStateNames(const ModelConfig& config) {
  std::vector<std::string> names{"encoder.embedding_norm"};
  for (std::size_t i = 0; i < config.encoder_layers.size(); ++i) {
    const std::string layer = "encoder.layers." + std::to_string(i);
    if (config.encoder_layers[i].before == LengthChange::Upsample)
      names.push_back(layer + ".upsampled_residual");
    names.push_back(layer + ".feed_forward_norm");
  }
  return names;
}

/// The largest difference of any hidden state and probability in double precision, from parameters
/// that were read for the file's own config.
double worstOf(const std::string& name, const ModelConfig& config,
               const io::NamedTensors& tensors) {
  const Golden golden = Golden::read("funnel_model").at(name);
  const std::vector<std::size_t> shape = golden.at("ids").shape();
  ModelRun run(config, {std::int64_t(shape[0]), std::int64_t(shape[1]), 0}, {});
  test::runOn(
      run, golden, parameterLayout(configOfFile(name)),
      test::parametersOf<double>("funnel", configOfFile(name), tensors, "model.safetensors"));
  double worst = 0.0;
  const auto compare = [&](const std::string& tensor, const Golden& expected) {
    worst = std::max(worst, test::worstDifference(run.values(tensor), expected.numbers()));
  };
  const std::vector<std::string> states = funnelStateNames(config);
  if (states.size() != golden.at("hidden_states").size()) return 1e300;
  for (std::size_t i = 0; i < states.size(); ++i)
    compare(states[i], golden.at("hidden_states").at(i));
  for (std::size_t i = 0; i < config.encoder_layers.size(); ++i)
    compare("encoder.layers." + std::to_string(i) + ".self_attention.probabilities",
            golden.at("probabilities").at(i));
  return worst;
}

std::vector<Mistake> funnelMistakes() {
  using C = ModelConfig&;
  using T = io::NamedTensors&;
  return {
      {"padding does not spread", [](C c, T) { c.pooling.padding_spreads = false; }},
      {"maximum", [](C c, T) { c.pooling.kind = Pooling::Max; }},
      {"[CLS] is mixed", [](C c, T) { c.pooling.separate_cls = false; }},
      {"pooled everywhere", [](C c, T) { c.pooling.queries_only = false; }},
      {"erf GELU", [](C c, T) { c.activation = Activation::Gelu; }},
      {"eps", [](C c, T) { c.encoder_layers[4].blocks.back().norm_eps = 1e-5; }},
      {"pre-norm", [](C c, T) { c.norm_placement = NormPlacement::Pre; }},
      {"maps of distances exchanged",
       [](C, T t) {
         std::swap(t.at("encoder.blocks.1.0.attention.r_kernel"),
                   t.at("encoder.blocks.2.0.attention.r_kernel"));
       }},
      {"other and same segment exchanged",
       [](C, T t) {
         io::NamedTensor& segments = t.at("encoder.blocks.0.1.attention.seg_embed");
         std::rotate(segments.bytes.begin(), segments.bytes.begin() + 10 * 4, segments.bytes.end());
       }},
      {"layers of the decoder exchanged",
       [](C, T t) {
         std::swap(t.at("decoder.layers.0.ffn.linear_1.bias"),
                   t.at("decoder.layers.1.ffn.linear_1.bias"));
       }},
  };
}

}  // namespace

class TestFunnelEncoder : public QObject {
  Q_OBJECT

 private slots:
  void theConfigIsReadAsItIs() {
    const ModelConfig c = configOfFile("funnel");
    QCOMPARE(c.source_vocabulary, 23);
    QCOMPARE(c.source_length, 512);
    QCOMPARE(c.hidden, 12);
    QCOMPARE(c.encoder_layers.size(), std::size_t(2 + 2 + 1 + 2));
    QVERIFY(c.encoder_layers[2].before == LengthChange::Pool);
    QVERIFY(c.encoder_layers[3].repeats && c.encoder_layers[3].before == LengthChange::None);
    QVERIFY(c.encoder_layers[5].before == LengthChange::Upsample);
    QVERIFY((c.encoder_layers[0].first<SelfAttention>()->sizes == AttentionSizes{2, 5, 5}));
    QCOMPARE(c.embedding_norm_eps, 1e-9);
    QVERIFY(c.activation == Activation::GeluTanh);
    const ModelConfig base = configOfFile("funnel_base");
    QCOMPARE(base.encoder_layers.size(), std::size_t{3});
    QVERIFY(base.pooling == (PoolingConfig{Pooling::Max, false, false, false, true}));
    QVERIFY(base.activation == Activation::Gelu);
    // Every tensor of both files is taken, once.
    for (const char* name : {"funnel", "funnel_base"}) {
      std::int64_t in_file = 0;
      for (const auto& [tensor, values] : tensorsOf(name))
        in_file += std::int64_t(values.bytes.size()) / 4;
      QCOMPARE(parameterLayout(configOfFile(name)).total, in_file);
    }
  }

  void everyTensorIsThatOfTransformers() {
    for (const char* name : {"funnel", "funnel_base"}) {
      const double worst = worstOf(name, configOfFile(name), tensorsOf(name));
      QVERIFY2(worst <= 1e-10, qPrintable(QString("%1: %2").arg(name).arg(worst)));
    }
  }

  /// In float, as features are made: a row for each token.
  void featuresAreThoseOfTransformers() {
    PretrainedModel encoder = readPretrainedModel(folderOf("funnel"));
    const FeatureExtractor extractor(encoder.config, encoder.parameters);
    const Golden golden = Golden::read("funnel_model").at("funnel");
    const std::vector<std::int32_t> ids = test::idsOf(golden.at("ids"));
    const std::vector<FeatureExtractor::Text> texts{{ids.begin(), ids.begin() + 11}};
    const Golden states = golden.at("hidden_states");
    const std::vector<double> expected = states.at(states.size() - 1).numbers();
    double worst = 1.0;
    extractor.extract(texts, 1, [&](std::size_t, MatrixView<const float> features) {
      worst = features.rows == 11 ? 0.0 : 1.0;
      for (std::int64_t i = 0; i < features.size(); ++i)
        worst = std::max(worst, std::abs(double(features.data[i]) - expected[std::size_t(i)]));
      return true;
    });
    QVERIFY2(worst <= 1e-5, qPrintable(QString::number(worst)));
  }

  void aMistakeIsSeen_data() { addNamedRows(funnelMistakes()); }
  void aMistakeIsSeen() {
    QFETCH(int, index);
    ModelConfig config = configOfFile("funnel");
    io::NamedTensors tensors = tensorsOf("funnel");
    funnelMistakes()[std::size_t(index)].make(config, tensors);
    const double worst = worstOf("funnel", config, tensors);
    QVERIFY2(worst > 1e-6, qPrintable(QString::number(worst)));
  }

  void wrongConfigsAreRefused_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("problem");
    const auto row = [](const char* from, const char* to, const char* problem) {
      QTest::newRow(to) << QByteArray(from) << QByteArray(to) << QByteArray(problem);
    };
    row("\"d_model\": 12", "\"width\": 12", "'d_model' is missing");
    row("\"d_model\": 12", "\"d_model\": 13", "13");
    row("\"n_head\": 2", "\"n_head\": 0", "n_head is 0");
    row("\"d_inner\": 20", "\"d_inner\": 20, \"stride\": 4", "\"stride\" is 4");
    row("\"pooling_type\": \"mean\"", "\"pooling_type\": \"top\"", "mean or max");
    row("\"attention_type\": \"relative_shift\"", "\"attention_type\": \"absolute\"", "factorized");
    row("\"num_decoder_layers\": 2", "\"num_decoder_layers\": 0", "num_decoder_layers is 0");
    row("\"num_decoder_layers\": 2", "\"num_decoder_layers\": 1024", "more than 1024");
    row("\"separate_cls\": true", "\"separate_cls\": 1", "true or false");
    row("\"block_repeats\": [\n    1,", "\"block_repeats\": [\n    2,", "1 for the first block");
    row("\"block_repeats\": [\n    1,", "\"block_repeats\": [", "one for each of block_sizes");
    row("\"block_sizes\": [\n    2,\n    1,\n    1\n  ]", "\"block_sizes\": [2]",
        "2 or more blocks");
    row("\"hidden_act\": \"gelu_new\"", "\"hidden_act\": \"mish\"", "gelu_new");
  }
  void wrongConfigsAreRefused() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, problem);
    std::string text = configText("funnel");
    const std::size_t at = text.find(from.constData());
    QVERIFY(at != std::string::npos);
    text.replace(at, std::size_t(from.size()), to.constData());
    TFM_VERIFY_ERROR(funnelConfig(text, "config.json"), problem);
  }

  void wrongTensorsAreNamed() {
    const auto refused = [](const std::function<void(io::NamedTensors&)>& change) {
      io::NamedTensors t = tensorsOf("funnel");
      change(t);
      return test::errorOf(
          [&] { test::parametersOf<float>("funnel", configOfFile("funnel"), t, "the file"); });
    };
    const std::string kernel = "encoder.blocks.1.0.attention.r_kernel";
    QVERIFY(refused([&](auto& t) { t.erase(kernel); }).contains("missing"));
    QVERIFY(refused([&](auto& t) { t[kernel].shape = {12, 10}; }).contains("12 x 2 x 5"));
    QVERIFY(refused([&](auto& t) { t["decoder.layers.2.x"] = t[kernel]; }).contains("not belong"));
    QCOMPARE(refused([](auto& t) {
               io::NamedTensors prefixed;
               for (auto& [name, tensor] : t) prefixed["funnel." + name] = tensor;
               prefixed["lm_head.bias"] = prefixed.begin()->second;
               t = prefixed;
             }),
             QByteArray("no error"));
    // The base model's folder has no decoder.
    TFM_VERIFY_ERROR(test::parametersOf<float>("funnel", configOfFile("funnel"),
                                               tensorsOf("funnel_base"), "the file"),
                     "missing");
  }

  /// A BERT's config goes on being read as one.
  void foldersSayWhatTheyAre() {
    QVERIFY(readPretrainedConfig(folderOf("funnel")) == configOfFile("funnel"));
    QVERIFY(readPretrainedConfig(folderOf("bert")).positions == Positions::Learned);
  }
};

TFM_TEST(TestFunnelEncoder)
#include "test_funnel_encoder.moc"
