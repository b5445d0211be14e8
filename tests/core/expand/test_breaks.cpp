// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule is needed: without it the answers change.
#include <QtTest>
#include <limits>
#include <set>

#include "core/model/presets.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

std::string_view breakName(Break broken) {
  constexpr std::string_view kNames[] = {"nothing",        "random instead of zero",
                                         "no key rescale", "no gain rescale",
                                         "no eps rescale", "zero pad",
                                         "sinusoid",       "embedding scale"};
  return kNames[std::size_t(broken)];
}

Plan preservingGrowths(const ModelConfig& config) {
  Plan plan{growthTo(Kind::FeedForward, 12), growthTo(Kind::Heads, 4), growthTo(Kind::ValueSize, 6),
            growthTo(Kind::KeySize, 8)};
  for (const HiddenMethod method : {HiddenMethod::Automatic, HiddenMethod::Centre,
                                    HiddenMethod::Average, HiddenMethod::Duplicate}) {
    Growth hidden = growthTo(Kind::Hidden, 12);
    hidden.hidden_method = method;
    plan.push_back(hidden);
    hidden.size = 10;
    plan.push_back(hidden);
  }
  for (const LayerMethod method :
       {LayerMethod::Automatic, LayerMethod::Gate, LayerMethod::HandOver}) {
    Growth layer = growthTo(Kind::Layers, 3);
    layer.stacks = config.hasDecoder() ? Stacks::Decoder : Stacks::Encoder;
    layer.unshare = config.sharesLayers();
    layer.layer_method = method;
    layer.allow_inexact = method == LayerMethod::HandOver;
    plan.push_back(layer);
  }
  return plan;
}

ModelConfig withEps(ModelConfig config, double eps) {
  config.encoder_final_norm_eps = config.decoder_final_norm_eps = config.embedding_norm_eps = eps;
  for (auto* layers : {&config.encoder_layers, &config.decoder_layers})
    for (LayerConfig& layer : *layers)
      for (BlockConfig& block : layer.blocks) block.norm_eps = eps;
  return config;
}

}  // namespace

class TestBreaks : public QObject {
  Q_OBJECT

 private slots:
  void everyBreakThatIsOfferedIsSeen_data() {
    QTest::addColumn<QString>("model");
    for (const SmallModel& model : smallModels())
      QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
  }
  void everyBreakThatIsOfferedIsSeen() {
    QFETCH(QString, model);
    const ModelConfig config = withEps(smallModel(model.toStdString()).config, 1e-6);
    int seen = 0;
    for (Growth growth : preservingGrowths(config)) {
      if (!refusal(config, {growth}).empty()) continue;
      for (const Break broken : possibleBreaks(config, growth)) {
        growth.broken = broken;
        const Verdict v = grownVerdict(config, {growth});
        const QString what = QString("%1, method %2: %3")
                                 .arg(describe(growth, config).c_str())
                                 .arg(int(growth.hidden_method))
                                 .arg(v.max_difference_double);
        if (broken == Break::NoEpsRescale)
          QVERIFY2(v.max_difference_double > 1e-8 && v.max_difference_double < 1e-4,
                   qPrintable(what));
        else
          QVERIFY2(v.max_difference_double > 1e-3,
                   qPrintable(what + " " + QString::fromUtf8(breakName(broken))));
        QVERIFY(!v.exact);
        ++seen;
      }
    }
    QVERIFY(seen >= 6);
  }

  void everyKindOfBreakIsOfferedSomewhere() {
    std::set<Break> offered;
    for (const SmallModel& model : smallModels())
      for (const Growth& growth : preservingGrowths(model.config))
        if (refusal(model.config, {growth}).empty())
          for (const Break broken : possibleBreaks(model.config, growth)) offered.insert(broken);
    QCOMPARE(offered.size(), std::size_t(Break::EmbeddingScaleRecomputed));
  }

  void whatIsNotANumberIsNotExact() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    Grown grown = grow(before, {growthTo(Kind::FeedForward, 9)});
    const Batch probe = probeBatch(before.config);
    QVERIFY(verify(before, grown, probe).exact);
    const ParameterInfo& bias = *grown.state.layout.find("output.bias");
    grown.state.parameters[std::size_t(bias.offset)] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(std::isinf(verify(before, grown, probe).max_difference));
  }

  void differencesAreThoseOfPlainLoops() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    Growth growth = growthTo(Kind::FeedForward, 9);
    growth.broken = Break::RandomInsteadOfZero;
    const Grown grown = grow(before, {growth});
    const Batch probe = probeBatch(before.config);
    const Verdict v = verify(before, grown, probe);
    const auto verifyLoop = [](const auto& a, const auto& b, double largest, double mean) {
      double most = 0.0, sum = 0.0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(double(a[i]) - double(b[i]));
        most = std::max(most, difference);
        sum += difference;
      }
      QVERIFY(mean > 0.0 && mean < largest);
      QCOMPARE(largest, most);
      QVERIFY(std::abs(mean - sum / double(a.size())) <= 1e-12 * mean);
    };
    verifyLoop(v.outputs_before, v.outputs_after, v.max_difference, v.mean_difference);
    verifyLoop(
        outputsInDouble(before.config, inDouble(before), probe, before.step),
        outputsInDouble(grown.state.config, grownInDouble(before, grown), probe, before.step),
        v.max_difference_double, v.mean_difference_double);
  }

  void aBrokenGrowthSaysSo() {
    const ModelConfig config = smallModel("decoder pre rms").config;
    Growth growth = growthTo(Kind::FeedForward, 9);
    growth.broken = Break::RandomInsteadOfZero;
    const Change change = planGrowth(config, growth);
    QVERIFY(!change.exact);
    QVERIFY(change.inexact.find("random") != std::string::npos);
    QVERIFY(parameterOf(change, "decoder.layers.0.feed_forward.linear2.weight").violated);
    QVERIFY(!parameterOf(change, "decoder.layers.0.feed_forward.linear1.weight").violated);
    growth.broken = Break::None;
    for (const ParameterGrowth& p : planGrowth(config, growth).parameters) QVERIFY(!p.violated);
  }

  /// A new layer's two output biases are easily forgotten.
  void forgottenBiasesOfANewLayer_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("attention") << "decoder.layers.1.self_attention.output.bias";
    QTest::newRow("feed-forward") << "decoder.layers.1.feed_forward.linear2.bias";
  }
  void forgottenBiasesOfANewLayer() {
    QFETCH(QString, name);
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    Growth layer = growthTo(Kind::Layers, 3);
    layer.position = 1;
    const Grown grown = grow(before, {layer});
    const Batch probe = probeBatch(before.config);
    AlignedVector<double> values = grownInDouble(before, grown);
    const auto outputs = [&] {
      return outputsInDouble(grown.state.config, values, probe, before.step);
    };
    const std::vector<double> right =
        outputsInDouble(before.config, inDouble(before), probe, before.step);
    QVERIFY(worstDifference(right, outputs()) <= 1e-12 * std::max(1.0, largest(right)));
    const ParameterInfo& bias = *grown.state.layout.find(name.toStdString());
    for (std::int64_t i = 0; i < bias.size(); ++i)
      values[std::size_t(bias.offset + i)] = i % 2 == 0 ? 0.3 : -0.2;
    QVERIFY(worstDifference(right, outputs()) > 1e-3);
  }

  void randomEmbeddingColumns() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    const Grown grown = grow(before, {growthTo(Kind::Hidden, 9)});
    const Batch probe = probeBatch(before.config);
    AlignedVector<double> values = grownInDouble(before, grown);
    const ParameterGrowth& table = parameterOf(grown.changes.front(), "decoder.embedding.weight");
    for (std::int64_t i = 0; i < table.after.size(); ++i)
      if (table.entry(i / 9, i % 9) == Entry::Zero)
        values[std::size_t(table.after.offset + i)] = 0.1 * double(i % 5);
    const std::vector<double> right =
        outputsInDouble(before.config, inDouble(before), probe, before.step);
    QVERIFY(worstDifference(
                right, outputsInDouble(grown.state.config, values, probe, before.step)) > 1e-3);
  }
};

TFM_TEST(TestBreaks)
#include "test_breaks.moc"
