// SPDX-License-Identifier: GPL-3.0-or-later
// A BERT that the transformers library saved, read from its own files and run beside its numbers.
#include <QTest>
#include <filesystem>
#include <functional>

#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/feature_extractor.h"
#include "core/model/pretrained/bert.h"
#include "core/model/pretrained/pretrained_model.h"
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

const std::filesystem::path kFolder = TFM_TEST_DATA "/goldens/bert";

ModelConfig configOfFile() {
  return bertConfig(io::readTextFile(kFolder / "config.json"), "config.json");
}

io::NamedTensors tensorsOfFile() {
  return io::readSafetensors(kFolder / "model.safetensors").tensors;
}

/// The names of what the golden holds: after the embeddings and after every layer.
std::vector<std::string> bertStateNames(const ModelConfig& config) {
  std::vector<std::string> names{config.embedding_norm ? "encoder.embedding_norm"
                                                       : "encoder.positions"};
  for (std::size_t i = 0; i < config.encoder_layers.size(); ++i)
    names.push_back("encoder.layers." + std::to_string(i) + ".feed_forward_norm");
  return names;
}

/// The largest difference of any hidden state in double precision, from parameters that were read
/// for the file's own config.
double worstOf(const Golden& golden, const ModelConfig& config, const io::NamedTensors& tensors) {
  const std::vector<std::size_t> shape = golden.at("ids").shape();
  ModelRun run(config, {std::int64_t(shape[0]), std::int64_t(shape[1]), 0}, {});
  test::runOn(run, golden, parameterLayout(configOfFile()),
              test::parametersOf<double>("bert", configOfFile(), tensors, "model.safetensors"));
  double worst = 0.0;
  const std::vector<std::string> names = bertStateNames(config);
  for (std::size_t i = 0; i < names.size(); ++i)
    worst = std::max(worst, test::worstDifference(run.values(names[i]),
                                                  golden.at("hidden_states").at(i).numbers()));
  return worst;
}

std::vector<Mistake> bertMistakes() {
  using C = ModelConfig&;
  using T = io::NamedTensors&;
  return {
      {"eps", [](C c, T) { c.encoder_layers[1].blocks.back().norm_eps = 1e-8; }},
      {"eps of the embeddings' norm", [](C c, T) { c.embedding_norm_eps = 1e-8; }},
      {"tanh GELU", [](C c, T) { c.activation = Activation::GeluTanh; }},
      {"no norm after the embeddings", [](C c, T) { c.embedding_norm = false; }},
      {"pre-norm", [](C c, T) { c.norm_placement = NormPlacement::Pre; }},
      {"no segment embedding",
       [](C, T t) {
         const std::vector<float> zeros(64);
         t["embeddings.token_type_embeddings.weight"] = io::makeTensor({2, 32}, zeros);
       }},
      {"the other segment's embedding",
       [](C, T t) {
         io::NamedTensor& types = t.at("embeddings.token_type_embeddings.weight");
         std::rotate(types.bytes.begin(), types.bytes.begin() + 32 * 4, types.bytes.end());
       }},
      {"query and key of a layer exchanged",
       [](C, T t) {
         std::swap(t.at("encoder.layer.1.attention.self.query.weight"),
                   t.at("encoder.layer.1.attention.self.key.weight"));
       }},
  };
}

}  // namespace

class TestBertEncoder : public QObject {
  Q_OBJECT

 private:
  const Golden golden_ = Golden::read("bert_encoder");

 private slots:
  void theConfigIsReadAsItIs() {
    const ModelConfig c = configOfFile();
    QCOMPARE(c.source_vocabulary, 61);
    QCOMPARE(c.source_length, 64);
    QCOMPARE(c.hidden, 32);
    QCOMPARE(c.encoder_layers.size(), std::size_t{2});
    QVERIFY((c.encoder_layers[0].first<SelfAttention>()->sizes == AttentionSizes{4, 8, 8}));
    QCOMPARE(c.encoder_layers[0].first<FeedForward>()->width, 64);
    QCOMPARE(c.embedding_norm_eps, 1e-12);
    QCOMPARE(c.encoder_layers[1].blocks.back().norm_eps, 1e-12);
    QVERIFY(c.activation == Activation::Gelu);
  }

  /// Every number of every tensor is where it belongs; the position table carries segment 0.
  void everyTensorIsTaken() {
    const ModelConfig config = configOfFile();
    const io::NamedTensors tensors = tensorsOfFile();
    const AlignedVector<float> arena = test::parametersOf<float>("bert", config, tensors, "");
    const ParameterLayout layout = parameterLayout(config);
    const auto ours = [&](const char* name) {
      const auto first = arena.begin() + layout.find(name)->offset;
      return std::vector<float>(first, first + layout.find(name)->size());
    };
    const auto theirs = [&](const char* name) { return io::floatValues(tensors.at(name)); };
    QVERIFY(ours("encoder.embedding.weight") == theirs("embeddings.word_embeddings.weight"));
    QVERIFY(ours("encoder.embedding_norm.bias") == theirs("embeddings.LayerNorm.bias"));
    QVERIFY(ours("encoder.layers.1.feed_forward.linear2.weight") ==
            theirs("encoder.layer.1.output.dense.weight"));
    std::vector<float> positions = theirs("embeddings.position_embeddings.weight");
    const std::vector<float> types = theirs("embeddings.token_type_embeddings.weight");
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += types[i % 32];
    QVERIFY(ours("encoder.positions.weight") == positions);
    // What is not taken: the pooler, and the segments once they are in the table.
    std::int64_t in_file = 0;
    for (const auto& [name, tensor] : tensors) in_file += std::int64_t(tensor.bytes.size()) / 4;
    QCOMPARE(layout.total, in_file - (32 * 32 + 32) - 2 * 32);
  }

  void hiddenStatesAreThoseOfTransformers() {
    const double worst = worstOf(golden_, configOfFile(), tensorsOfFile());
    QVERIFY2(worst <= 1e-10, qPrintable(QString::number(worst)));
  }

  /// In float, unpadded and a text at a time, as features are made.
  void featuresAreThoseOfTransformers() {
    PretrainedModel encoder = readPretrainedModel(kFolder);
    const FeatureExtractor extractor(encoder.config, encoder.parameters);
    const std::vector<std::int32_t> ids = test::idsOf(golden_.at("ids"));
    const std::vector<std::int32_t> pad = test::idsOf(golden_.at("pad"));
    const std::vector<double> expected = golden_.at("hidden_states").at(std::size_t{2}).numbers();
    const std::size_t length = golden_.at("ids").shape()[1];
    std::vector<FeatureExtractor::Text> texts(ids.size() / length);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (pad[i] == 0) texts[i / length].push_back(ids[i]);
    std::size_t seen = 0;
    double worst = 0.0;
    extractor.extract(texts, 2, [&](std::size_t text, MatrixView<const float> features) {
      seen += std::size_t(features.rows);
      for (std::int64_t r = 0; r < features.rows; ++r)
        for (std::int64_t c = 0; c < features.cols; ++c)
          worst = std::max(
              worst, std::abs(double(features.at(r, c)) -
                              expected[(text * length + std::size_t(r)) * 32 + std::size_t(c)]));
      return true;
    });
    QCOMPARE(seen, std::size_t(8 + 11 + 3));
    QVERIFY2(worst <= 2e-5, qPrintable(QString::number(worst)));
  }

  void aMistakeIsSeen_data() { addNamedRows(bertMistakes()); }
  void aMistakeIsSeen() {
    QFETCH(int, index);
    ModelConfig config = configOfFile();
    io::NamedTensors tensors = tensorsOfFile();
    bertMistakes()[std::size_t(index)].make(config, tensors);
    const double worst = worstOf(golden_, config, tensors);
    QVERIFY2(worst > 1e-9, qPrintable(QString::number(worst)));
  }

  /// BERT-mini's file has 11,170,560 floats: this model's, both segments (which stand in the table
  /// here) and the pooler.
  void bertMiniHasItsSize() {
    const ModelConfig mini = bertConfig(R"({"hidden_size": 256, "num_hidden_layers": 4,
        "num_attention_heads": 4, "intermediate_size": 1024, "vocab_size": 30522,
        "max_position_embeddings": 512})",
                                        "bert-mini");
    const std::int64_t segments = 2 * 256, pooler = 256 * 256 + 256;
    QCOMPARE(parameterLayout(mini).total + segments + pooler, 11'170'560);
    QCOMPARE(mini.encoder_layers[0].first<SelfAttention>()->sizes.key_size, 64);
    QCOMPARE(mini.embedding_norm_eps, 1e-12);
  }
};

TFM_TEST(TestBertEncoder)
#include "test_bert_encoder.moc"
