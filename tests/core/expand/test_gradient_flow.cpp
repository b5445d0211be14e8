// SPDX-License-Identifier: GPL-3.0-or-later
// Which new entries receive a gradient in the first step after a growth, and which must wait for
// their counterpart (zero exactly one side of each product).
#include <QtTest>

#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

ModelConfig withActivation(ModelConfig config, Activation activation) {
  config.activation = activation;
  return config;
}

/// The paper's model: the output reads the stream without a norm.
ModelConfig withoutFinalNorm() {
  ModelConfig config = withActivation(smallModel("decoder pre rms").config, Activation::Gelu);
  config.final_norm = false;
  return config;
}

struct Flow {
  explicit Flow(const std::string& model, const Growth& growth,
                Activation activation = Activation::Gelu)
      : Flow(withActivation(smallModel(model).config, activation), growth) {}
  Flow(const ModelConfig& config, const Growth& growth) {
    before = trainedState(config);
    grown = grow(before, {growth});
    probe = probeBatch(config);
    values = grownInDouble(before, grown);
  }
  AlignedVector<double> gradients() const {
    return runInDouble(grown.state.config, values, probe, before.step).gradients;
  }
  /// The largest gradient of the new entries of a parameter of layer 1.
  double newGradient(const std::string& name) const {
    const ParameterGrowth& p = parameterOf(grown.changes.front(), name);
    const AlignedVector<double> g = gradients();
    return std::max(largestOf(p, Entry::Zero, g), largestOf(p, Entry::Free, g));
  }
  /// One step down the gradient.
  void step() {
    const AlignedVector<double> g = gradients();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= 0.1 * g[i];
  }

  ModelState before;
  Grown grown;
  Batch probe;
  AlignedVector<double> values;
};

Growth newLayer() {
  Growth layer = growthTo(Kind::Layers, 3);
  layer.position = 1;
  return layer;
}

void setNew(Flow& flow, const std::string& part, double value) {
  for (const ParameterGrowth& p : flow.grown.changes.front().parameters) {
    if (p.after.name.find(part) == std::string::npos) continue;
    const std::int64_t cols = p.after.cols();
    for (std::int64_t i = 0; i < p.after.size(); ++i)
      if (p.entry(i / cols, i % cols) == Entry::Free)
        flow.values[std::size_t(p.after.offset + i)] = value;
  }
}

}  // namespace

class TestGradientFlow : public QObject {
  Q_OBJECT

 private slots:
  void atOnceOrOneStepLater_data() {
    QTest::addColumn<Growth>("growth");
    QTest::addColumn<QStringList>("at_once");
    QTest::addColumn<QStringList>("later");
    const QStringList attention{"self_attention.query.weight", "self_attention.key.weight",
                                "self_attention.value.weight"};
    QTest::newRow("feed-forward") << growthTo(Kind::FeedForward, 10)
                                  << QStringList{"feed_forward.linear2.weight"}
                                  << QStringList{"feed_forward.linear1.weight",
                                                 "feed_forward.linear1.bias"};
    QTest::newRow("heads") << growthTo(Kind::Heads, 4)
                           << QStringList{"self_attention.output.weight"} << attention;
    QTest::newRow("value size") << growthTo(Kind::ValueSize, 7)
                                << QStringList{"self_attention.output.weight"}
                                << QStringList{"self_attention.value.weight",
                                               "self_attention.value.bias"};
    QTest::newRow("key size") << growthTo(Kind::KeySize, 7)
                              << QStringList{"self_attention.key.weight"}
                              << QStringList{"self_attention.query.weight",
                                             "self_attention.query.bias"};
    QTest::newRow("hidden")
        << growthTo(Kind::Hidden, 9)
        << QStringList{"self_attention.output.weight", "self_attention.output.bias",
                       "feed_forward.linear2.weight", "feed_forward.linear2.bias"}
        << (QStringList{"feed_forward.linear1.weight", "self_attention_norm.weight",
                        "feed_forward_norm.weight"} +
            attention);
    QTest::newRow("layers")
        << newLayer()
        << QStringList{"self_attention.output.weight", "self_attention.output.bias",
                       "feed_forward.linear2.weight", "feed_forward.linear2.bias"}
        << (QStringList{"feed_forward.linear1.weight", "feed_forward.linear1.bias",
                        "self_attention_norm.weight", "feed_forward_norm.weight"} +
            attention);
  }
  void atOnceOrOneStepLater() {
    QFETCH(Growth, growth);
    QFETCH(QStringList, at_once);
    QFETCH(QStringList, later);
    for (const Activation activation : {Activation::Relu, Activation::Gelu}) {
      Flow flow("decoder pre rms", growth, activation);
      const auto gradient = [&](const QString& name) {
        return flow.newGradient("decoder.layers.1." + name.toStdString());
      };
      for (const QString& name : at_once) QVERIFY2(gradient(name) > 1e-8, qPrintable(name));
      for (const QString& name : later) QVERIFY2(gradient(name) == 0.0, qPrintable(name));
      flow.step();
      for (const QString& name : later) QVERIFY2(gradient(name) > 1e-10, qPrintable(name));
    }
  }

  void embeddingsMoveAtOnceWhenHiddenGrows() {
    const Flow flow("both pre rms", growthTo(Kind::Hidden, 9));
    QVERIFY(flow.newGradient("encoder.embedding.weight") > 1e-8);
    QVERIFY(flow.newGradient("decoder.positions.weight") > 1e-8);
    QVERIFY(flow.newGradient("output.weight") == 0.0);  // it reads zeros
  }

  void theKeyBiasIsInert() {
    const Flow flow("both pre rms", growthTo(Kind::Heads, 3));
    const AlignedVector<double> gradients = flow.gradients();
    for (const ParameterGrowth& p : flow.grown.changes.front().parameters) {
      if (p.after.name.find(".key.bias") == std::string::npos) continue;
      QVERIFY(largestOf(p, Entry::Copied, gradients) < 1e-12);
      QVERIFY(largestOf(p, Entry::Free, gradients) < 1e-12);
    }
  }

  /// Table 1 of the paper sets the gain's new entries to zero as well. With zeros in what reads
  /// them last, no new component ever moves.
  void zeroGainsAndZeroReadersAreDeadForEver() {
    const auto moved = [](double gain, double readers) {
      Flow flow("decoder pre rms", growthTo(Kind::Hidden, 9));
      setNew(flow, "norm.weight", gain);
      setNew(flow, "output.weight", readers);
      setNew(flow, "decoder.layers", gain == 0.0 ? 0.0 : 0.2);
      for (int i = 0; i < 3; ++i) flow.step();
      double most = 0.0;
      const AlignedVector<double> gradients = flow.gradients();
      for (const ParameterGrowth& p : flow.grown.changes.front().parameters)
        for (const Entry entry : {Entry::Zero, Entry::Free})
          most = std::max(most, largestOf(p, entry, gradients));
      return most;
    };
    QCOMPARE(moved(0.0, 0.0), 0.0);
    QVERIFY(moved(1.0, 0.0) > 1e-8);  // the control
    QVERIFY(moved(1.0, 0.3) > 1e-8);
  }

  /// The same for the paper's own model, whatever else is drawn: g = 0 and W_out = 0.
  void zeroGainsAndAZeroOutputAreDeadInThePapersModel() {
    const auto gradient = [](double gain) {
      Flow flow(withoutFinalNorm(), growthTo(Kind::Hidden, 9));
      setNew(flow, "norm.weight", gain);
      setNew(flow, "output.weight", 0.0);
      double most = 0.0;
      for (const ParameterGrowth& p : flow.grown.changes.front().parameters)
        for (const Entry entry : {Entry::Zero, Entry::Free})
          most = std::max(most, largestOf(p, entry, flow.gradients()));
      return most;
    };
    QCOMPARE(gradient(0.0), 0.0);
    QVERIFY(gradient(1.0) > 1e-8);  // the control
  }

  /// What writes last is read by the output alone.
  void aZeroOutputLeavesTheLastWriterStill() {
    for (const bool silent : {true, false}) {
      Flow flow(withoutFinalNorm(), growthTo(Kind::Hidden, 9));
      setNew(flow, "norm.weight", 1.0);
      if (silent) setNew(flow, "output.weight", 0.0);
      const auto moves = [&](const std::string& name) { return flow.newGradient(name) > 1e-10; };
      QCOMPARE(moves("decoder.layers.1.feed_forward.linear2.weight"), !silent);
      QVERIFY(moves("decoder.layers.1.self_attention.output.weight"));
      QVERIFY(moves("decoder.layers.0.feed_forward.linear2.weight"));
      QVERIFY(moves("decoder.embedding.weight"));
    }
  }

  /// With ReLU, zeros on the reading side of the feed-forward would be dead as well.
  void zeroReadersOfTheFeedForwardAreDeadUnderRelu() {
    const auto gradient = [](Activation activation) {
      Flow flow("decoder pre rms", growthTo(Kind::FeedForward, 10), activation);
      setNew(flow, "linear1", 0.0);
      for (const ParameterGrowth& p : flow.grown.changes.front().parameters)
        if (p.after.name.find("linear2.weight") != std::string::npos)
          for (std::int64_t i = 0; i < p.after.size(); ++i)
            if (p.entry(i / p.after.cols(), i % p.after.cols()) == Entry::Zero)
              flow.values[std::size_t(p.after.offset + i)] = 0.3;
      return flow.newGradient("decoder.layers.1.feed_forward.linear1.weight");
    };
    QVERIFY(gradient(Activation::Gelu) > 1e-6);
    QCOMPARE(gradient(Activation::Relu), 0.0);
  }

  void scaledEntriesHaveScaledGradients_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Growth>("growth");
    QTest::newRow("keys") << "both pre rms" << growthTo(Kind::KeySize, 8);
    QTest::newRow("gains") << "both pre rms" << growthTo(Kind::Hidden, 9);
    QTest::newRow("gains, post-norm") << "both post rms" << growthTo(Kind::Hidden, 9);
  }
  void scaledEntriesHaveScaledGradients() {
    QFETCH(QString, model);
    QFETCH(Growth, growth);
    const Flow flow(model.toStdString(), growth);
    const AlignedVector<double> after = flow.gradients();
    const AlignedVector<double> before =
        runInDouble(flow.before.config, inDouble(flow.before), flow.probe, flow.before.step)
            .gradients;
    int scaled = 0;
    for (const ParameterGrowth& p : flow.grown.changes.front().parameters) {
      for (std::int64_t r = 0; r < p.after.rows(); ++r)
        for (std::int64_t c = 0; c < p.after.cols(); ++c) {
          const Entry entry = p.entry(r, c);
          if (entry != Entry::Scaled && entry != Entry::Copied) continue;
          const double now = after[std::size_t(p.after.offset + r * p.after.cols() + c)];
          const std::int64_t from =
              p.rows[std::size_t(r)].source * p.before->cols() + p.cols[std::size_t(c)].source;
          const double then = before[std::size_t(p.before->offset + from)];
          QVERIFY2(std::abs(now * p.scale(r, c) - then) <= 1e-12, p.after.name.c_str());
          if (entry == Entry::Scaled && std::abs(then) > 1e-6) ++scaled;
        }
    }
    QVERIFY(scaled > 10);
  }

  /// Copies that share what reads them each receive the whole gradient; those of a writer together.
  void duplicatedReadersReceiveTheWholeGradient() {
    const Flow flow("both post layer", growthTo(Kind::Hidden, 12));
    const AlignedVector<double> after = flow.gradients();
    const AlignedVector<double> before =
        runInDouble(flow.before.config, inDouble(flow.before), flow.probe, flow.before.step)
            .gradients;
    const auto at = [&](const char* name, std::int64_t r, std::int64_t c) {
      const ParameterInfo& p = parameterOf(flow.grown.changes.front(), name).after;
      return after[std::size_t(p.offset + r * p.cols() + c)];
    };
    const auto old = [&](const char* name, std::int64_t r, std::int64_t c) {
      const ParameterInfo& p = *flow.before.layout.find(name);
      return before[std::size_t(p.offset + r * p.cols() + c)];
    };
    const char* reader = "encoder.layers.1.feed_forward.linear1.weight";
    const char* writer = "encoder.layers.1.feed_forward.linear2.weight";
    for (std::int64_t i = 0; i < 6; ++i)
      for (std::int64_t j = 0; j < 7; ++j) {
        QVERIFY(std::abs(at(reader, j, i) - old(reader, j, i)) < 1e-12);
        QVERIFY(std::abs(at(reader, j, i + 6) - old(reader, j, i)) < 1e-12);
        QVERIFY(std::abs(at(writer, i, j) + at(writer, i + 6, j) - old(writer, i, j)) < 1e-12);
      }
  }
};

TFM_TEST(TestGradientFlow)
#include "test_gradient_flow.moc"
