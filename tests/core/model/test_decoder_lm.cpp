// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/model/golden_model.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::test::agrees;
using tfm::test::Golden;
using tfm::test::ModelRun;

namespace {

ModelConfig decoderConfig(const Golden& golden) {
  ModelConfig c = tfm::test::configOf(golden.at("config"), 7, tfm::Architecture::Decoder);
  c.source_vocabulary = c.source_length = 0;
  return c;
}

ModelRun languageRun(const Golden& golden, const ModelConfig& config) {
  ModelRun run(config, {3, 0, 7}, {.loss = true});
  tfm::test::setParameters(run, golden.at("parameters"));
  run.setIds(tfm::names::kTargetIds, tfm::test::idsOf(golden.at("batch").at("target")));
  run.setIds(tfm::names::kLabels, tfm::test::idsOf(golden.at("batch").at("labels")));
  run.setEqualWeights();
  return run;
}

}  // namespace

/// Two language models that differ in every choice, against plain torch.
class TestDecoderLm : public QObject {
  Q_OBJECT

 private:
  const Golden cases_ = Golden::read("decoder_lm").at("cases");

  static void addRows() {
    QTest::addColumn<int>("index");
    const Golden cases = Golden::read("decoder_lm").at("cases");
    for (std::size_t i = 0; i < cases.size(); ++i)
      QTest::newRow(cases.at(i).at("name").text().c_str()) << int(i);
  }
  Golden fetched() const {
    QFETCH(int, index);
    return cases_.at(std::size_t(index));
  }

 private slots:
  void logitsLossGradientsAndProbabilities_data() { addRows(); }
  void logitsLossGradientsAndProbabilities() {
    const Golden golden = fetched();
    ModelRun run = languageRun(golden, decoderConfig(golden));
    QVERIFY(agrees(run.backward(), golden.at("loss").number()));
    QVERIFY(agrees(run.values(tfm::names::kOutput), golden.at("logits").numbers()));
    std::string wrong = tfm::test::wrongGradients(run, golden.at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
    wrong = tfm::test::wrongProbabilities(run, golden.at("probabilities"));
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void positionsThatAreNotReadHaveNoGradient() {
    const Golden golden = cases_.at(std::size_t(0));
    ModelRun run = languageRun(golden, decoderConfig(golden));
    run.backward();
    const std::vector<double> gradient = run.parameterGradient("decoder.positions.weight");
    QCOMPARE(gradient.size(), std::size_t(9 * 12));
    for (std::size_t i = 7 * 12; i < gradient.size(); ++i) QCOMPARE(gradient[i], 0.0);
    QVERIFY(gradient[7 * 12 - 1] != 0.0);
  }

  void anotherScaleIsSeen_data() { addRows(); }
  void anotherScaleIsSeen() {
    const Golden golden = fetched();
    ModelConfig wrong = decoderConfig(golden);
    wrong.embedding_scale *= 1.0 + 1e-6;
    ModelRun run = languageRun(golden, wrong);
    QVERIFY(!agrees(run.backward(), golden.at("loss").number()));
    QVERIFY(!tfm::test::wrongGradients(run, golden.at("gradients")).empty());
  }
};

TFM_TEST(TestDecoderLm)
#include "test_decoder_lm.moc"
