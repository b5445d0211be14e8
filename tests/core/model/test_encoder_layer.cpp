// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/model/golden_model.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::test::agrees;
using tfm::test::Golden;
using tfm::test::ModelRun;

namespace {

ModelConfig layerConfig(const Golden& golden) {
  ModelConfig c = tfm::test::configOf(golden.at("config"), 3, tfm::Architecture::Encoder);
  c.input = tfm::InputKind::Features;
  c.output = tfm::OutputKind::None;
  c.target_length = 0;
  return c;
}

ModelRun layerRun(const Golden& golden, const ModelConfig& config) {
  ModelRun run(config, {2, 3, 0}, {.loss = true});
  for (const std::string& name : golden.at("parameters").keys())
    run.setParameter(name, golden.at("parameters").at(name).numbers());
  run.setNumbers(tfm::names::kSourceFeatures, golden.at("x").numbers());
  run.setNumbers(tfm::names::kLabelFeatures, golden.at("target").numbers());
  if (!golden.at("pad").empty())
    run.setIds(tfm::names::kSourcePad, tfm::test::idsOf(golden.at("pad")));
  return run;
}

}  // namespace

/// torch.nn.TransformerEncoderLayer, eight forms.
class TestEncoderLayer : public QObject {
  Q_OBJECT

 private:
  const Golden cases_ = Golden::read("encoder_layer").at("cases");

  static void addRows() {
    QTest::addColumn<int>("index");
    const Golden cases = Golden::read("encoder_layer").at("cases");
    for (std::size_t i = 0; i < cases.size(); ++i)
      QTest::newRow(cases.at(i).at("name").text().c_str()) << int(i);
  }
  Golden fetched() const {
    QFETCH(int, index);
    return cases_.at(std::size_t(index));
  }

 private slots:
  void thereAreEightCases() { QCOMPARE(cases_.size(), std::size_t(8)); }

  void outputAndGradientsAreThoseOfTorch_data() { addRows(); }
  void outputAndGradientsAreThoseOfTorch() {
    const Golden golden = fetched();
    ModelRun run = layerRun(golden, layerConfig(golden));
    QCOMPARE(run.program().parameters.parameters.size(), golden.at("parameters").size());
    QVERIFY(agrees(run.backward(), golden.at("loss").number()));
    QVERIFY(agrees(run.values(tfm::names::kOutput), golden.at("y").numbers()));
    const std::string wrong = tfm::test::wrongGradients(run, golden.at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void gradientOfTheInputIsThatOfTorch_data() { addRows(); }
  void gradientOfTheInputIsThatOfTorch() {
    // The input itself has no gradient, but with learned positions of zero their sum, which equals
    // it, has one.
    const Golden golden = fetched();
    ModelConfig config = layerConfig(golden);
    config.positions = tfm::Positions::Learned;
    config.position_deviation = 0.0;
    ModelRun run = layerRun(golden, config);
    QVERIFY(agrees(run.backward(), golden.at("loss").number()));
    QVERIFY(agrees(run.activationGradient("encoder.positions"), golden.at("x_gradient").numbers()));
  }

  void anotherChoiceIsSeen_data() { addRows(); }
  void anotherChoiceIsSeen() {
    const Golden golden = fetched();
    const ModelConfig right = layerConfig(golden);
    const auto differs = [&](const ModelConfig& config) {
      ModelRun run = layerRun(golden, config);
      run.forward();
      return !agrees(run.values(tfm::names::kOutput), golden.at("y").numbers());
    };
    QVERIFY(!differs(right));
    ModelConfig wrong = right;
    wrong.activation = tfm::Activation::GeluTanh;
    QVERIFY(differs(wrong));
    wrong = right;
    wrong.encoder_layers[0].blocks[1].norm_eps = 1.1e-5;
    QVERIFY(differs(wrong));
    wrong = right;
    wrong.norm_placement = right.norm_placement == tfm::NormPlacement::Pre
                               ? tfm::NormPlacement::Post
                               : tfm::NormPlacement::Pre;
    QVERIFY(differs(wrong));
  }
};

TFM_TEST(TestEncoderLayer)
#include "test_encoder_layer.moc"
