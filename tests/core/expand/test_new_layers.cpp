// SPDX-License-Identifier: GPL-3.0-or-later
// New layers: branches that write zeros, gates, and norms that are handed over.
#include <QtTest>
#include <algorithm>

#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

Growth layers(std::int64_t size, std::int64_t position, LayerMethod method,
              Stacks stack = Stacks::Decoder) {
  Growth growth = growthTo(Kind::Layers, size);
  growth.position = position;
  growth.layer_method = method;
  growth.allow_inexact = method == LayerMethod::HandOver;
  growth.stacks = stack;
  return growth;
}

ModelConfig withLayerEps(ModelConfig config, double eps) {
  for (auto* stack : {&config.encoder_layers, &config.decoder_layers})
    for (LayerConfig& layer : *stack)
      for (BlockConfig& block : layer.blocks) block.norm_eps = eps;
  return config;
}

}  // namespace

class TestNewLayers : public QObject {
  Q_OBJECT

 private slots:
  void handOverIsAsExactAsEpsIsSmall_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("position");
    QTest::addColumn<int>("size");
    for (const char* model : {"decoder post layer", "both post layer", "both post rms"})
      for (const int size : {3, 4})
        for (const int position : {1, 2})
          QTest::addRow("%s, %d layers, at %d", model, size, position) << model << position << size;
  }
  void handOverIsAsExactAsEpsIsSmall() {
    QFETCH(QString, model);
    QFETCH(int, position);
    QFETCH(int, size);
    const ModelConfig config = smallModel(model.toStdString()).config;
    const Growth growth = layers(size, position, LayerMethod::HandOver);
    const auto difference = [&](double eps, const Growth& g) {
      return grownVerdict(withLayerEps(config, eps), {g}).max_difference_double;
    };
    Growth unasked = growth;
    unasked.allow_inexact = false;
    const QString refused = QString::fromStdString(refusal(config, {unasked}));
    QVERIFY2(refused.contains("only up to eps") && refused.contains("gate"), qPrintable(refused));
    const Verdict usual = grownVerdict(withLayerEps(config, 1e-5), {growth});
    QVERIFY(usual.max_difference_double <= 1e-5 * std::max(1.0, usual.largest_output));
    QVERIFY(usual.max_difference_double > 1e-9);  // not exact, and it is not called so
    QVERIFY(!usual.exact);
    QVERIFY(!planGrowth(config, growth).exact);
    QVERIFY(difference(1e-12, growth) <= 1e-11);
    // The control: without handing over, branches that write zeros leave two norms in a row.
    Growth naive = layers(size, position, LayerMethod::ZeroBranches);
    QVERIFY(QString::fromStdString(refusal(config, {naive})).contains("layer method gate"));
    naive.allow_inexact = true;
    QVERIFY(difference(1e-12, naive) > 1e-2);
  }

  /// Free values may be anything; those of a plain norm may not.
  void handedOverNormsIgnoreTheConstant() {
    for (const char* model : {"decoder post layer", "decoder post rms"}) {
      const ModelConfig config = withLayerEps(smallModel(model).config, 1e-12);
      Growth growth = layers(4, 1, LayerMethod::HandOver);
      growth.constant = 42.0;
      QVERIFY(grownVerdict(config, {growth}).max_difference_double <= 1e-11);
      const Change change = planGrowth(config, growth);
      QCOMPARE(parameterOf(change, "decoder.layers.1.self_attention_norm.weight").entry(0, 0),
               Entry::Adjusted);
    }
  }

  void gatesAreExactEverywhere_data() {
    QTest::addColumn<QString>("model");
    for (const SmallModel& model : smallModels())
      QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
  }
  void gatesAreExactEverywhere() {
    QFETCH(QString, model);
    const ModelConfig config = smallModel(model.toStdString()).config;
    for (const Stacks stack : {Stacks::Encoder, Stacks::Decoder}) {
      const bool there = stack == Stacks::Encoder ? config.hasEncoder() : config.hasDecoder();
      for (const std::int64_t position : {0, 1, 2}) {
        const auto deeper =
            2 + std::int64_t(std::max(config.encoder_layers.size(), config.decoder_layers.size()));
        Growth growth = layers(deeper, position, LayerMethod::Gate, stack);
        growth.unshare = config.sharesLayers();
        growth.constant = 0.7;
        if (!there) {
          QVERIFY(!refusal(config, {growth}).empty());
          continue;
        }
        QVERIFY(grownVerdict(config, {growth}).exact);
        growth.constant.reset();
        growth.broken = Break::RandomInsteadOfZero;  // an open gate
        QVERIFY(grownVerdict(config, {growth}).max_difference_double > 1e-3);
      }
    }
  }

  /// A new layer stands before or after the repeats of another, or parts them when asked.
  void repeatsStayTogether() {
    const ModelConfig config = smallModel("repeats").config;
    for (const std::int64_t position : {0, 1, 2}) {
      Growth growth = layers(3, position, LayerMethod::Gate);
      if (position == 1) {
        const QString refused = QString::fromStdString(refusal(config, {growth}));
        QVERIFY2(refused.contains("repeats of a layer") && refused.contains("unshare"),
                 qPrintable(refused));
        growth.unshare = true;
      }
      const ModelConfig after = planGrowth(config, growth).after;
      QCOMPARE(after.sharesLayers(), position != 1);
      QVERIFY(!after.decoder_layers[std::size_t(position)].repeats);
      QVERIFY(grownVerdict(config, {growth}).exact);
    }
    Growth growth = layers(3, 2, LayerMethod::HandOver);
    QVERIFY(QString::fromStdString(refusal(config, {growth})).contains("all repeats"));
    growth.unshare = true;
    QVERIFY(grownVerdict(withLayerEps(config, 1e-12), {growth}).max_difference_double <= 1e-11);
  }

  void gatedLayersGrowOn() {
    const ModelConfig config = smallModel("both post layer").config;
    const Growth gate = layers(3, 1, LayerMethod::Gate);
    for (const Growth& next :
         {growthTo(Kind::FeedForward, 9), growthTo(Kind::Heads, 3), growthTo(Kind::KeySize, 5),
          growthTo(Kind::Hidden, 12), layers(4, 1, LayerMethod::HandOver)}) {
      ModelState state = grow(trainedState(config), {gate}).state;
      for (float& value : state.parameters) value += 0.05F;  // opens the gate
      const Verdict v = verify(state, grow(state, {next}), probeBatch(config));
      QVERIFY2(v.max_difference_double < (next.kind == Kind::Layers ? 1e-4 : v.tolerance),
               describe(next, state.config).c_str());
    }
    const QString refused =
        QString::fromStdString(refusal(config, {gate, layers(4, 2, LayerMethod::HandOver)}));
    QVERIFY2(refused.contains("has a gate") && refused.contains("layer method gate"),
             qPrintable(refused));
  }

  void newLayersTakeTheirSizesFromTheOneBefore() {
    const ModelConfig config = smallModel("decoder pre rms").config;
    Growth wide = growthTo(Kind::FeedForward, 13);
    wide.layers = {1};
    const Grown grown = grow(trainedState(config), {wide, layers(3, 2, LayerMethod::Automatic),
                                                    layers(4, 0, LayerMethod::Automatic)});
    std::vector<std::int64_t> sizes;
    for (const LayerConfig& layer : grown.state.config.decoder_layers)
      sizes.push_back(layer.first<FeedForward>()->width);
    QCOMPARE(sizes, (std::vector<std::int64_t>{7, 7, 13, 13}));
    QVERIFY(verify(trainedState(config), grown, probeBatch(config)).exact);
  }

  void noTwoNewLayersAreAlike() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    const auto weights = [](const ModelState& state, int layer) {
      const ParameterInfo& p = *state.layout.find("decoder.layers." + std::to_string(layer) +
                                                  ".feed_forward.linear1.weight");
      return std::vector<float>(state.parameters.begin() + p.offset,
                                state.parameters.begin() + p.offset + p.size());
    };
    const ModelState once = grow(before, {layers(3, 0, LayerMethod::Automatic)}).state;
    const ModelState twice = grow(once, {layers(4, 0, LayerMethod::Automatic)}).state;
    QVERIFY(weights(twice, 0) != weights(twice, 1));
    QCOMPARE(weights(twice, 1), weights(once, 0));
    QCOMPARE(weights(twice, 3), weights(before, 1));
  }
};

TFM_TEST(TestNewLayers)
#include "test_new_layers.moc"
