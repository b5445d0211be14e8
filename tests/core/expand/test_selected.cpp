// SPDX-License-Identifier: GPL-3.0-or-later
// Expansions of chosen stacks, layers, attentions and heads.
#include <QtTest>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"

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
    QCOMPARE(grown.state.config.decoder_layers[1].self_attention.key_size, std::int64_t{3});
    QCOMPARE(grown.state.config.decoder_layers[1].cross_attention.key_size, std::int64_t{5});
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

  void paddingThatALaterExpansionFillsIsNotCalledPadding() {
    const ModelState before = trainedState(smallModel("decoder pre rms").config);
    Growth key = growthTo(Kind::KeySize, 5);
    key.heads = {0};
    const Grown grown = grow(before, {key, growthTo(Kind::Hidden, 9)});
    const AlignedVector<double> values = inDouble(grown.state);
    for (const ParameterGrowth& p : compose(grown.changes))
      QVERIFY2(largestOf(p, Entry::Padding, values) <= 0.0, p.after.name.c_str());
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
    QCOMPARE(grown.state.config.decoder_layers[0].feed_forward, std::int64_t{7});
    QCOMPARE(grown.state.config.decoder_layers[1].feed_forward, std::int64_t{9});
    QVERIFY(grownVerdict(shared, {growth}).exact);
  }
};

QTEST_GUILESS_MAIN(TestSelected)
#include "test_selected.moc"
