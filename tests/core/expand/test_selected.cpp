// SPDX-License-Identifier: GPL-3.0-or-later
// Expansions of chosen stacks, layers, attentions and heads.
#include <QtTest>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

Plan selections() {
  Plan plan;
  for (const auto& [kind, size] : {std::pair{Kind::FeedForward, 11},
                                   {Kind::Heads, 3},
                                   {Kind::ValueSize, 7},
                                   {Kind::KeySize, 5}})
    for (const Stacks stacks : {Stacks::Encoder, Stacks::Decoder, Stacks::All})
      for (const Attentions attentions : {Attentions::All, Attentions::Self, Attentions::Cross})
        for (const std::vector<std::int64_t>& layers :
             {std::vector<std::int64_t>{}, {0}, {1}, {1, 0}})
          for (const std::vector<std::int64_t>& heads : {std::vector<std::int64_t>{}, {0}, {1}}) {
            const bool by_head = kind == Kind::KeySize || kind == Kind::ValueSize;
            const bool attends = kind != Kind::FeedForward;
            const bool nothing = stacks == Stacks::Encoder && attentions == Attentions::Cross;
            if ((!by_head && !heads.empty()) || nothing ||
                (!attends && attentions != Attentions::All))
              continue;
            Growth growth = growthTo(kind, size);
            growth.stacks = stacks;
            growth.attentions = attentions;
            growth.layers = layers;
            growth.heads = heads;
            plan.push_back(growth);
          }
  return plan;
}

}  // namespace

class TestSelected : public QObject {
  Q_OBJECT

 private slots:
  /// What all layers have in common they still have, whatever the encoder carries along unused.
  void layersThatGrowAlikeStayAlike() {
    const ModelConfig config = smallModel("both pre layer").config;
    QVERIFY(uniformSizes(config).has_value());
    for (const Kind kind : {Kind::FeedForward, Kind::Heads, Kind::ValueSize, Kind::KeySize})
      QVERIFY(uniformSizes(planGrowth(config, growthTo(kind, 9)).after).has_value());
    Growth decoder = growthTo(Kind::Heads, 9);
    decoder.stacks = Stacks::Decoder;
    QVERIFY(!uniformSizes(planGrowth(config, decoder).after).has_value());
  }

  void everySelectionIsExact_data() {
    QTest::addColumn<QString>("model");
    for (const char* name : {"both pre rms", "both post layer", "no final norm"})
      QTest::newRow(name) << name;
  }
  void everySelectionIsExact() {
    QFETCH(QString, model);
    const ModelConfig config = smallModel(model.toStdString()).config;
    int grown = 0;
    for (const Growth& growth : selections()) {
      const Verdict v = grownVerdict(config, {growth});
      QVERIFY2(v.exact, describe(growth, config).c_str());
      QVERIFY(v.parameters_after > v.parameters_before);
      ++grown;
    }
    QVERIFY(grown > 100);
  }

  void onlyTheChosenChanges() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    Growth growth = growthTo(Kind::KeySize, 5);
    growth.stacks = Stacks::Decoder;
    growth.attentions = Attentions::Cross;
    growth.layers = {1};
    const Grown grown = grow(before, {growth});
    for (const ParameterGrowth& p : grown.changes.front().parameters) {
      const bool chosen = p.after.name.starts_with("decoder.layers.1.cross_attention.query") ||
                          p.after.name.starts_with("decoder.layers.1.cross_attention.key");
      QCOMPARE(p.grows(), chosen);
      if (chosen) continue;
      const auto old = before.parameters.begin() + p.before->offset;
      const auto now = grown.state.parameters.begin() + p.after.offset;
      QVERIFY2(std::equal(old, old + p.after.size(), now), p.after.name.c_str());
    }
    QCOMPARE(grown.state.config.encoder_layers, before.config.encoder_layers);
    QCOMPARE(grown.state.config.decoder_layers[0], before.config.decoder_layers[0]);
    QCOMPARE(grown.state.config.decoder_layers[1].first<SelfAttention>()->sizes.key_size,
             std::int64_t{3});
    QCOMPARE(grown.state.config.decoder_layers[1].first<CrossAttention>()->sizes.key_size,
             std::int64_t{5});
  }

  void paddingOfOtherHeadsStaysZero_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("key size") << int(Kind::KeySize);
    QTest::newRow("value size") << int(Kind::ValueSize);
  }
  void paddingOfOtherHeadsStaysZero() {
    QFETCH(int, kind);
    const ModelState before = trainedState(smallModel("both pre rms").config);
    Growth growth = growthTo(Kind(kind), 8);
    growth.heads = {1};
    const Grown grown = grow(before, {growth});
    const Batch probe = probeBatch(before.config);
    const AlignedVector<double> values = grownInDouble(before, grown);
    const DoubleRun run = runInDouble(grown.state.config, values, probe, before.step);
    int padded = 0;
    double free_gradient = 0.0;
    for (const ParameterGrowth& p : grown.changes.front().parameters) {
      if (largestOf(p, Entry::Padding, values) < 0.0) continue;
      ++padded;
      QCOMPARE(largestOf(p, Entry::Padding, values), 0.0);
      QCOMPARE(largestOf(p, Entry::Padding, run.gradients), 0.0);
      free_gradient = std::max(free_gradient, largestOf(p, Entry::Zero, run.gradients));
    }
    QVERIFY(padded >= 12);  // of six attentions, both sides of the product
    // The control: what belongs to the chosen head does move.
    QVERIFY(free_gradient > 1e-6);
  }

  void paddingOutlivesOtherExpansions() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    Growth key = growthTo(Kind::KeySize, 5);
    key.heads = {0};
    const Plan plan{key, growthTo(Kind::Hidden, 9), growthTo(Kind::Heads, 3)};
    QVERIFY(verify(before, grow(before, plan), probeBatch(before.config)).exact);
    const Grown grown = grow(before, plan);
    const AlignedVector<double> values = inDouble(grown.state);
    int padded = 0;
    for (const ParameterGrowth& p : compose(grown.changes)) {
      const double largest = largestOf(p, Entry::Padding, values);
      QVERIFY2(largest <= 0.0, p.after.name.c_str());
      if (largest == 0.0) ++padded;
    }
    QVERIFY(padded > 0);
    const AttentionSizes& sizes =
        grown.state.config.decoder_layers[0].first<SelfAttention>()->sizes;
    QCOMPARE(sizes.key_sizes, (std::vector<std::int64_t>{5, 3, 5}));
  }

  void headsGrowOneAfterTheOther_data() { paddingOfOtherHeadsStaysZero_data(); }
  void headsGrowOneAfterTheOther() {
    QFETCH(int, kind);
    const ModelState before = trainedState(smallModel("both pre rms").config);
    Growth first = growthTo(Kind(kind), 8), second = first;
    first.heads = {1};
    second.heads = {0};
    const Batch probe = probeBatch(before.config);
    const Grown half = grow(before, {first});
    const Grown grown = grow(half.state, {second});
    QVERIFY(verify(half.state, grown, probe).exact);
    QVERIFY(verify(before, grow(before, {first, second}), probe).exact);
    for (const Growth& again : {first, second})
      QVERIFY(QString::fromStdString(refusal(grown.state.config, {again})).contains("already"));
    // Nothing is padding any more: the config is that of heads that grew together.
    QCOMPARE(grown.state.config, grow(before, {growthTo(Kind(kind), 8)}).state.config);
    const AlignedVector<double> values = grownInDouble(half.state, grown);
    const DoubleRun run = runInDouble(grown.state.config, values, probe, before.step);
    int filled = 0;
    for (const ParameterGrowth& p : grown.changes.front().parameters) {
      QVERIFY(largestOf(p, Entry::Padding, values) < 0.0);
      if (largestOf(p, Entry::Zero, run.gradients) > 1e-9) ++filled;
    }
    QVERIFY(filled >= 6);  // of six attentions, one side of the product
  }

  void headsOfTheirOwnSizesBeginWithZerosAndAreCut() {
    ModelConfig config = smallModel("both pre rms").config;
    AttentionSizes& sizes = config.encoder_layers[0].first<SelfAttention>()->sizes;
    QCOMPARE(sizes.heads, std::int64_t{2});
    sizes.key_sizes = {sizes.key_size, sizes.key_size - 1};
    sizes.value_sizes = {sizes.value_size, sizes.value_size - 1};
    validate(config);
    QCOMPARE(modelConfigFromJson(toJson(config), "test"), config);
    const ModelState state = initialState(config, 7);
    const ParameterInfo& query = *state.layout.find("encoder.layers.0.self_attention.query.weight");
    const auto row = [&](std::int64_t r) {
      double sum = 0.0;
      for (std::int64_t c = 0; c < query.cols(); ++c)
        sum += std::abs(state.parameters[std::size_t(query.offset + r * query.cols() + c)]);
      return sum;
    };
    QCOMPARE(row(2 * sizes.key_size - 1), 0.0);
    QVERIFY(row(2 * sizes.key_size - 2) > 0.0);
    Submodel one_head;
    one_head.heads.assign(std::size_t(layerCount(config)), 1);
    const AttentionSizes cut =
        configOf(config, one_head).encoder_layers[0].first<SelfAttention>()->sizes;
    QCOMPARE(cut.key_sizes, std::vector<std::int64_t>{sizes.key_size});
    QCOMPARE(cut.value_sizes, std::vector<std::int64_t>{sizes.value_size});
    const std::vector<std::vector<std::int64_t>> wrong{
        {1}, {1, 0}, {1, sizes.key_size + 1}, {1, 1, 1}};
    for (const auto& list : wrong) {
      sizes.key_sizes = list;
      QVERIFY_THROWS_EXCEPTION(Error, validate(config));
    }
    sizes.key_sizes = {};
    sizes.value_sizes = {1, sizes.value_size + 1};
    QVERIFY_THROWS_EXCEPTION(Error, validate(config));
  }

  void sharedLayersGrowTogetherOrApart() {
    const ModelConfig shared = smallModel("shared").config;
    Growth growth = growthTo(Kind::FeedForward, 9);
    QVERIFY(grownVerdict(shared, {growth}).exact);
    growth.layers = {1};
    QVERIFY(QString::fromStdString(refusal(shared, {growth})).contains("share"));
    growth.unshare = true;
    const Grown grown = grow(trainedState(shared), {growth});
    QVERIFY(!grown.state.config.share_layers);
    QCOMPARE(grown.state.config.decoder_layers[0].first<FeedForward>()->width, std::int64_t{7});
    QCOMPARE(grown.state.config.decoder_layers[1].first<FeedForward>()->width, std::int64_t{9});
    QVERIFY(grownVerdict(shared, {growth}).exact);
  }

  /// The encoder's two layers are independent; the decoder's second repeats its first.
  void repeatsGrowTogetherOrApart() {
    const ModelConfig config = smallModel("repeats").config;
    for (const auto& [kind, size] : {std::pair{Kind::FeedForward, 9},
                                     {Kind::Heads, 4},
                                     {Kind::ValueSize, 6},
                                     {Kind::KeySize, 8}}) {
      Growth growth = growthTo(kind, size);
      QVERIFY(grownVerdict(config, {growth}).exact);
      QVERIFY(planGrowth(config, growth).after.decoder_layers[1].repeats);
      growth.layers = {1};
      growth.stacks = Stacks::Encoder;
      QVERIFY(grownVerdict(config, {growth}).exact);
      growth.stacks = Stacks::Decoder;
      const QString refused = QString::fromStdString(refusal(config, {growth}));
      QVERIFY2(refused.contains("share") && refused.contains("unshare"), qPrintable(refused));
      growth.layers = {1, 0};
      QVERIFY(grownVerdict(config, {growth}).exact);
      growth.layers = {1};
      growth.unshare = true;
      const ModelConfig after = planGrowth(config, growth).after;
      QVERIFY(!after.sharesLayers() && after.decoder_layers[0] != after.decoder_layers[1]);
      QVERIFY(grownVerdict(config, {growth}).exact);
      growth.broken = Break::RandomInsteadOfZero;
      QVERIFY(grownVerdict(config, {growth}).max_difference_double > 1e-3);
    }
    QVERIFY(grownVerdict(config, {growthTo(Kind::Hidden, 12)}).exact);
    QVERIFY(planGrowth(config, growthTo(Kind::Hidden, 12)).after.decoder_layers[1].repeats);
  }
};

TFM_TEST(TestSelected)
#include "test_selected.moc"
