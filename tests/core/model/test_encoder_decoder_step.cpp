// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <numeric>

#include "core/model/presets.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/model/golden_model.h"
#include "tests/test_program.h"

using tfm::test::agrees;
using tfm::test::Golden;
using tfm::test::ModelRun;

namespace {

double normOf(const tfm::AlignedVector<double>& gradients) {
  return std::sqrt(std::inner_product(gradients.begin(), gradients.end(), gradients.begin(), 0.0));
}

void setBatch(ModelRun& run, const Golden& batch) {
  run.setIds(tfm::names::kSourceIds, tfm::test::idsOf(batch.at("source")));
  run.setIds(tfm::names::kSourcePad, tfm::test::idsOf(batch.at("source_pad")));
  run.setIds(tfm::names::kTargetIds, tfm::test::idsOf(batch.at("target")));
  run.setIds(tfm::names::kLabels, tfm::test::idsOf(batch.at("labels")));
  run.setEqualWeights();
}

struct Training {
  std::vector<double> losses, norms;
};

/// The golden's batches, one after the other. `clips` and `learning_rate` are there to be got
/// wrong.
Training train(const Golden& golden, const Golden& settings, bool clips, double learning_rate) {
  ModelRun run(tfm::test::configOf(golden.at("config"), 15), {50, 15, 15}, {.loss = true});
  tfm::test::setParameters(run, golden.at("parameters"));
  const std::size_t size = run.parameters().size();
  std::vector<double> first(size), second(size);
  const Golden batches = golden.at("training").at("batches");
  Training result;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    setBatch(run, batches.at(i));
    result.losses.push_back(run.backward());
    result.norms.push_back(normOf(run.gradients()));
    if (clips && !settings.at("clip").empty() && result.norms.back() > settings.at("clip").number())
      for (double& g : run.gradients()) g *= settings.at("clip").number() / result.norms.back();
    if (settings.at("optimizer").text() == "sgd") {
      tfm::ops::sgd(run.backend(), run.parameters(), run.gradients(), first,
                    tfm::SgdRule{learning_rate});
    } else {
      tfm::AdamRule rule;
      rule.learning_rate = learning_rate;
      rule.weight_decay = settings.has("weight_decay") ? settings.at("weight_decay").number() : 0.0;
      rule.decoupled = settings.at("optimizer").text() == "adamw";
      rule.correctFor(std::int64_t(i) + 1);
      tfm::ops::adam(run.backend(), run.parameters(), run.gradients(), first, second, rule);
    }
  }
  return result;
}

}  // namespace

/// The rot13 model of the annotated encoder-decoder, one step and thirty.
class TestEncoderDecoderStep : public QObject {
  Q_OBJECT

 private:
  const Golden golden_ = Golden::read("encoder_decoder_step");

  ModelRun oneStep() const {
    ModelRun run(tfm::test::configOf(golden_.at("config"), 15), {8, 15, 15}, {.loss = true});
    tfm::test::setParameters(run, golden_.at("parameters"));
    setBatch(run, golden_.at("step").at("batch"));
    return run;
  }
  static void addRows() {
    QTest::addColumn<int>("index");
    const Golden runs = Golden::read("encoder_decoder_step").at("training").at("runs");
    for (std::size_t i = 0; i < runs.size(); ++i)
      QTest::newRow(runs.at(i).at("optimizer").text().c_str()) << int(i);
  }
  Golden fetched() const {
    QFETCH(int, index);
    return golden_.at("training").at("runs").at(std::size_t(index));
  }

 private slots:
  void theGoldenIsOfThePreset() {
    tfm::ModelConfig preset = tfm::presetNamed("annotated-rot13").config();
    tfm::ModelConfig golden = tfm::test::configOf(golden_.at("config"), 15);
    golden.initializer = preset.initializer;
    golden.embedding_deviation = preset.embedding_deviation;
    QVERIFY(preset == golden);
  }

  void logitsLossAndGradients() {
    const Golden step = golden_.at("step");
    ModelRun run = oneStep();
    QVERIFY(agrees(run.backward(), step.at("loss").number()));
    QVERIFY(agrees(run.values(tfm::names::kOutput), step.at("logits").numbers()));
    const std::string wrong = tfm::test::wrongGradients(run, step.at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
    QVERIFY(agrees(normOf(run.gradients()), step.at("gradient_norm").number()));
  }

  void attentionProbabilities() {
    ModelRun run = oneStep();
    run.forward();
    const Golden expected = golden_.at("step").at("probabilities_of_first_two");
    QCOMPARE(expected.size(), std::size_t(3));
    const std::string wrong = tfm::test::wrongProbabilities(run, expected);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void lossWithOnlyTheFirstPad() {
    const Golden expected = golden_.at("step").at("first_pad");
    ModelRun run = oneStep();
    std::vector<double> weights = expected.at("label_weights").numbers();
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
    run.setNumbers(tfm::names::kLabelWeights, weights);
    QVERIFY(agrees(run.backward(), expected.at("loss").number()));
    QVERIFY(agrees(normOf(run.gradients()), expected.at("gradient_norm").number()));
  }

  void aWrongMaskIsSeen() {
    const Golden step = golden_.at("step");
    ModelRun run = oneStep();
    run.setIds(tfm::names::kSourcePad, std::vector<std::int32_t>(8 * 15, 0));
    QVERIFY(!agrees(run.backward(), step.at("loss").number()));
    QVERIFY(!tfm::test::wrongGradients(run, step.at("gradients")).empty());
    QVERIFY(!tfm::test::wrongProbabilities(run, step.at("probabilities_of_first_two")).empty());
  }

  void tenTrainingSteps_data() { addRows(); }
  void tenTrainingSteps() {
    const Golden expected = fetched();
    const Training got = train(golden_, expected, true, expected.at("lr").number());
    QVERIFY(agrees(got.losses, expected.at("losses").numbers()));
    QVERIFY(agrees(got.norms, expected.at("gradient_norms").numbers()));
  }

  void anotherLearningRateOrNoClippingIsSeen_data() { addRows(); }
  void anotherLearningRateOrNoClippingIsSeen() {
    const Golden expected = fetched();
    const double rate = expected.at("lr").number();
    QVERIFY(!agrees(train(golden_, expected, true, rate * (1.0 + 1e-6)).losses,
                    expected.at("losses").numbers()));
    if (!expected.at("clip").empty())
      QVERIFY(
          !agrees(train(golden_, expected, false, rate).losses, expected.at("losses").numbers()));
  }
};

TFM_TEST(TestEncoderDecoderStep)
#include "test_encoder_decoder_step.moc"
