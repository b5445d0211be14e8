// SPDX-License-Identifier: GPL-3.0-or-later
// The model of the expansions notebook (Gesmundo and Maile 2023) at its own sizes.
#include <QtTest>

#include "core/model/presets.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

ModelConfig notebook() { return presetNamed("expansions-notebook").config(); }

/// Free entries get the notebook's value, which shows that they may be anything.
Growth withFortyTwo(Growth growth) {
  growth.constant = 42.0;
  return growth;
}

}  // namespace

class TestCounts : public QObject {
  Q_OBJECT

 private slots:
  void singles_data() {
    QTest::addColumn<Growth>("growth");
    QTest::addColumn<qint64>("parameters");
    QTest::newRow("feed-forward") << growthTo(Kind::FeedForward, 9) << qint64(728);
    QTest::newRow("heads") << growthTo(Kind::Heads, 5) << qint64(1338);
    QTest::newRow("key size") << growthTo(Kind::KeySize, 9) << qint64(738);
    QTest::newRow("value size") << growthTo(Kind::ValueSize, 9) << qint64(738);
    QTest::newRow("hidden") << growthTo(Kind::Hidden, 8) << qint64(984);
    QTest::newRow("layers") << growthTo(Kind::Layers, 5) << qint64(1515);
  }
  void singles() {
    QFETCH(Growth, growth);
    QFETCH(qint64, parameters);
    const Verdict v = grownVerdict(notebook(), {growth});
    QCOMPARE(v.parameters_before, std::int64_t{618});
    QCOMPARE(v.parameters_after, std::int64_t{parameters});
    QVERIFY(v.exact);
    QVERIFY(grownVerdict(notebook(), {withFortyTwo(growth)}).exact);
  }

  void allSix() {
    Plan plan;
    for (const auto& [kind, size] : {std::pair{Kind::FeedForward, 9},
                                     {Kind::Heads, 5},
                                     {Kind::ValueSize, 9},
                                     {Kind::KeySize, 9},
                                     {Kind::Hidden, 8},
                                     {Kind::Layers, 5}})
      plan.push_back(growthTo(kind, size));
    const Verdict v = grownVerdict(notebook(), plan);
    QCOMPARE(v.parameters_after, std::int64_t{8117});
    QVERIFY(v.exact);
    for (Growth& growth : plan) growth = withFortyTwo(growth);
    // Values of 42 in every corner make large products; what is exact in the mathematics still
    // differs by rounding only.
    QVERIFY(grownVerdict(notebook(), plan).max_difference_double <= 1e-10);
  }

  void featuresKeepTheirWidth() {
    const Grown once = grow(trainedState(notebook()), {growthTo(Kind::Hidden, 8)});
    QCOMPARE(once.state.config.feature_size, std::int64_t{5});
    const Grown twice = grow(once.state, {growthTo(Kind::Hidden, 11)});
    QCOMPARE(twice.state.config.feature_size, std::int64_t{5});
    QVERIFY(verify(once.state, twice, probeBatch(once.state.config)).exact);
  }
};

TFM_TEST(TestCounts)
#include "test_counts.moc"
