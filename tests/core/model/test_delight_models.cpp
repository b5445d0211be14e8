// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/delight_layers.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using test::agrees;
using test::Golden;
using test::ModelRun;

namespace {

std::vector<LayerConfig> layersOf(const ModelConfig& config, Stack stack, const Golden& units) {
  ModelConfig usual = config;
  const auto count = std::int64_t(units.size());
  setDelightLayers(usual, stack == Stack::Encoder ? count : 0, stack == Stack::Decoder ? count : 0,
                   {});
  std::vector<LayerConfig> layers = usual.layers(stack);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Golden unit = units.at(i);
    *layers[i].first<DelightAttention>() = {.depth = std::int64_t(unit.at("depth").number()),
                                            .width = unit.at("width").number(),
                                            .most_groups = std::int64_t(unit.at("groups").number()),
                                            .rising_groups = unit.at("rising").flag(),
                                            .shuffle = unit.at("shuffle").flag(),
                                            .mixer = unit.at("mixer").flag()};
  }
  return layers;
}

ModelConfig configOf(const Golden& g) {
  ModelConfig c;
  const bool encoder = g.at("encoder").size() > 0;
  c.architecture = encoder ? Architecture::EncoderDecoder : Architecture::Decoder;
  c.target_vocabulary = std::int64_t(g.at("vocabulary").number());
  c.target_length = 5;
  if (encoder) c.source_vocabulary = c.target_vocabulary;
  if (encoder) c.source_length = 6;
  c.hidden = std::int64_t(g.at("hidden").number());
  c.norm_placement =
      g.at("norm_placement").text() == "pre" ? NormPlacement::Pre : NormPlacement::Post;
  c.activation = g.at("activation").text() == "relu"   ? Activation::Relu
                 : g.at("activation").text() == "silu" ? Activation::Silu
                                                       : Activation::Gelu;
  c.embedding_size = std::int64_t(g.at("embedding_size").number());
  c.share_embeddings = g.at("shared").flag();
  c.tie_output = g.at("tied_output").flag();
  c.final_norm = g.at("final_norm").flag();
  c.output_bias = g.at("output_bias").flag();
  c.encoder_layers = layersOf(c, Stack::Encoder, g.at("encoder"));
  c.decoder_layers = layersOf(c, Stack::Decoder, g.at("decoder"));
  return c;
}

ModelRun goldenRun(const ModelConfig& config, const Golden& golden) {
  ModelRun run(config, fullShape(config, 3), {.loss = true});
  test::setParameters(run, golden.at("parameters"));
  const Golden batch = golden.at("batch");
  const auto set = [&](std::string_view name, const char* key) {
    if (run.program().find(name) != kNoTensor) run.setIds(name, test::idsOf(batch.at(key)));
  };
  set(names::kSourceIds, "source");
  set(names::kSourcePad, "source_pad");
  set(names::kTargetIds, "target");
  set(names::kLabels, "labels");
  run.setEqualWeights();
  return run;
}

/// Changes that leave all shapes as they are.
ModelConfig without(ModelConfig config, bool DelightAttention::*member) {
  for (auto* layers : {&config.encoder_layers, &config.decoder_layers})
    for (LayerConfig& layer : *layers) {
      bool& on = layer.first<DelightAttention>()->*member;
      on = !on;
    }
  return config;
}

}  // namespace

/// DeLighT models against an implementation in PyTorch.
class TestDelightModels : public QObject {
  Q_OBJECT

 private:
  const Golden golden_ = Golden::read("delight");

 private slots:
  void valuesAndGradients_data() {
    QTest::addColumn<QByteArray>("name");
    for (const std::string& name : golden_.keys())
      QTest::newRow(name.c_str()) << QByteArray(name.c_str());
  }
  void valuesAndGradients() {
    QFETCH(QByteArray, name);
    const Golden golden = golden_.at(name.toStdString());
    const ModelConfig config = configOf(golden.at("config"));
    ModelRun run = goldenRun(config, golden);
    QVERIFY(agrees(run.backward(), golden.at("loss").number()));
    QVERIFY(agrees(run.values(names::kOutput), golden.at("logits").numbers()));
    const std::string attention = test::wrongProbabilities(run, golden.at("probabilities"));
    QVERIFY2(attention.empty(), attention.c_str());
    const std::string wrong = test::wrongGradients(run, golden.at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  /// The control: without shuffle where there is one, and the other way round, all is different.
  void theShuffleMatters_data() { valuesAndGradients_data(); }
  void theShuffleMatters() {
    QFETCH(QByteArray, name);
    const Golden golden = golden_.at(name.toStdString());
    ModelRun run =
        goldenRun(without(configOf(golden.at("config")), &DelightAttention::shuffle), golden);
    const double off = test::worstDifference((run.forward(), run.values(names::kOutput)),
                                             golden.at("logits").numbers());
    QVERIFY(off > 1e-3);
  }

  void theActivationMatters() {
    const Golden golden = golden_.at("decoder_with_swish");
    ModelConfig gelu = configOf(golden.at("config"));
    gelu.activation = Activation::Gelu;
    ModelRun run = goldenRun(gelu, golden);
    const double off = test::worstDifference((run.forward(), run.values(names::kOutput)),
                                             golden.at("logits").numbers());
    QVERIFY(off > 1e-3);
  }
};

TFM_TEST(TestDelightModels)
#include "test_delight_models.moc"
