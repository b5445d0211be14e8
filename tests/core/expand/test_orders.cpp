// SPDX-License-Identifier: GPL-3.0-or-later
// The six in every order, again and again: compositions are as exact as each alone.
#include <QtTest>
#include <algorithm>

#include "core/model/presets.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

/// The six, each once; `round` makes every size larger than in the round before.
Plan theSix(const ModelConfig& config, int round = 0) {
  Growth layer = growthTo(Kind::Layers, 3 + round);
  layer.stacks = config.hasDecoder() ? Stacks::Decoder : Stacks::Encoder;
  layer.position = 1;
  const bool whole = config.norm == NormKind::LayerNorm;
  const std::int64_t hidden =
      whole ? config.hidden << (round + 1) : config.hidden + 2 * (round + 1);
  return {growthTo(Kind::FeedForward, 9 + 2 * round),
          growthTo(Kind::Heads, 3 + round),
          growthTo(Kind::ValueSize, 9 + round),
          growthTo(Kind::KeySize, 8 + 2 * round),
          growthTo(Kind::Hidden, hidden),
          layer};
}

struct Subject {
  explicit Subject(const ModelConfig& config)
      : state(trainedState(config)), probe(probeBatch(config)) {
    outputs = outputsInDouble(config, inDouble(state), probe, state.step);
    tolerance = 1e-12 * std::max(1.0, largest(outputs));
  }
  double difference(const Plan& plan) const {
    const Grown grown = grow(state, plan);
    return worstDifference(outputs, outputsInDouble(grown.state.config, grownInDouble(state, grown),
                                                    probe, state.step));
  }

  ModelState state;
  Batch probe;
  std::vector<double> outputs;
  double tolerance = 0.0;
};

ModelConfig notebookWith(bool biases, Activation activation) {
  ModelConfig config = presetNamed("expansions-notebook").config();
  config.attention_bias = config.feed_forward_bias = config.output_bias = biases;
  config.activation = activation;
  return config;
}

ModelConfig bothStacks(NormPlacement placement, NormKind norm) {
  ModelConfig config = smallModel("both pre rms").config;
  config.norm_placement = placement;
  config.norm = norm;
  config.final_norm = placement == NormPlacement::Pre;
  return config;
}

}  // namespace

class TestOrders : public QObject {
  Q_OBJECT

 private slots:
  void everyOrder_data() { models(); }
  void everyOrder() {
    QFETCH(ModelConfig, config);
    const Subject subject(config);
    Plan plan = theSix(config);
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    int orders = 0;
    double worst = 0.0;
    do {
      Plan permuted;
      for (const std::size_t i : order) permuted.push_back(plan[i]);
      worst = std::max(worst, subject.difference(permuted));
      ++orders;
    } while (std::next_permutation(order.begin(), order.end()));
    QCOMPARE(orders, 720);
    qInfo("worst difference of 720 orders: %.2g", worst);
    QVERIFY2(worst <= subject.tolerance, qPrintable(QString::number(worst)));
  }

  void threeRounds_data() { models(); }
  void threeRounds() {
    QFETCH(ModelConfig, config);
    const Subject subject(config);
    Plan plan;
    for (int round = 0; round < 3; ++round)
      for (const Growth& growth : theSix(config, round)) plan.push_back(growth);
    QVERIFY(subject.difference(plan) <= subject.tolerance);
    // The control: one broken link in the middle of the chain is seen at its end.
    plan[9].broken = Break::NoKeyRescale;
    QVERIFY(subject.difference(plan) > 1e-3);
  }

  void scalesTelescope() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    const Grown twice = grow(before, {growthTo(Kind::KeySize, 6), growthTo(Kind::KeySize, 14)});
    const Grown once = grow(before, {growthTo(Kind::KeySize, 14)});
    const std::string name = "decoder.layers.0.self_attention.key.weight";
    for (const ParameterGrowth& p : compose(twice.changes)) {
      if (p.after.name != name) continue;
      const double factor = parameterOf(once.changes.front(), name).factor;
      QVERIFY(std::abs(p.factor - factor) <= 1e-15 * factor);
      QVERIFY(std::abs(factor - std::sqrt(14.0 / 3.0)) <= 1e-15 * factor);
    }
  }

 private:
  static void models() {
    QTest::addColumn<ModelConfig>("config");
    for (const bool biases : {false, true})
      for (const auto& [word, activation] :
           {std::pair{"relu", Activation::Relu}, {"gelu", Activation::Gelu}})
        QTest::addRow("notebook, %s, %s", biases ? "biases" : "no biases", word)
            << notebookWith(biases, activation);
    QTest::newRow("encoder-decoder, post-norm RMS")
        << bothStacks(NormPlacement::Post, NormKind::RmsNorm);
    QTest::newRow("encoder-decoder, pre-norm LayerNorm")
        << bothStacks(NormPlacement::Pre, NormKind::LayerNorm);
  }
};

TFM_TEST(TestOrders)
#include "test_orders.moc"
