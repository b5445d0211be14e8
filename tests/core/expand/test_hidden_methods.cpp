// SPDX-License-Identifier: GPL-3.0-or-later
// The hidden size under LayerNorm: which ways are exact for which models, and what the others do.
#include <QtTest>

#include "tests/core/expand/double_run.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

using Method = HiddenMethod;

/// A small model, or one of them without its final norm.
ModelConfig configOf(std::string name) {
  const std::string bare = " and no final norm";
  const bool without = name.ends_with(bare);
  if (without) name.resize(name.size() - bare.size());
  ModelConfig config = smallModel(name).config;
  if (without) config.final_norm = false;
  return config;
}

struct Case {
  const char* model;
  Method method;
  std::int64_t size;  // from 6
};

}  // namespace
Q_DECLARE_METATYPE(Case)

class TestHiddenMethods : public QObject {
  Q_OBJECT

 private slots:
  void exact_data() {
    QTest::addColumn<Case>("c");
    const auto row = [](const char* model, const char* word, Method method,
                        std::initializer_list<std::int64_t> sizes) {
      for (const std::int64_t size : sizes)
        QTest::addRow("%s: %s to %d", model, word, int(size)) << Case{model, method, size};
    };
    for (const char* model : {"encoder pre layer", "decoder pre layer", "both pre layer"}) {
      row(model, "centre", Method::Centre, {7, 9, 12, 20});
      row(model, "average", Method::Average, {7, 11, 12, 13, 20, 25});
      row(model, "duplicate", Method::Duplicate, {12, 18});
      row(model, "mask", Method::Mask, {7, 12});
    }
    row("sinusoid layer", "centre", Method::Centre, {9});
    row("sinusoid layer", "average", Method::Average, {8, 9, 14});
    row("sinusoid layer", "duplicate", Method::Duplicate, {12});
    row("tied layer", "average", Method::Average, {7, 11});
    // An output without a norm before it reads new components with zeros, tied or not.
    for (const char* model : {"tied layer", "tied layer and no final norm", "no final norm",
                              "encoder pre layer and no final norm"})
      row(model, "mask", Method::Mask, {7, 12, 18});
    row("no final norm", "average", Method::Average, {7, 11, 20});
    row("no final norm", "duplicate", Method::Duplicate, {12});
    for (const char* model :
         {"encoder post layer", "decoder post layer", "both post layer", "sinusoid post"}) {
      row(model, "duplicate", Method::Duplicate, {12, 18});
      row(model, "average", Method::Average, {12});
      row(model, "mask", Method::Mask, {8, 13});
    }
    for (const char* model : {"embedding norm, pre layer", "embedding norm, post layer"}) {
      row(model, "duplicate", Method::Duplicate, {12, 18});
      row(model, "mask", Method::Mask, {7, 13});
    }
    row("embedding norm, pre rms", "zero-pad", Method::ZeroPad, {7, 20});
    row("embedding norm, pre rms", "duplicate", Method::Duplicate, {12});
    for (const char* model : {"both pre rms", "both post rms"}) {
      row(model, "zero-pad", Method::ZeroPad, {7, 20});
      row(model, "duplicate", Method::Duplicate, {12});
      row(model, "average", Method::Average, {12});
    }
  }
  void exact() {
    QFETCH(Case, c);
    const ModelConfig config = configOf(c.model);
    const QString refused = QString::fromStdString(refusal(config, {hiddenTo(c.size, c.method)}));
    QVERIFY2(refused.isEmpty(), qPrintable(refused));
    const Verdict v = grownVerdict(config, {hiddenTo(c.size, c.method)});
    QVERIFY2(v.exact, qPrintable(QString::number(v.max_difference_double)));
  }

  void inexact_data() {
    QTest::addColumn<Case>("c");
    QTest::addColumn<QString>("why");
    QTest::addColumn<QString>("instead");
    const auto row = [](const char* model, const char* word, Method method, std::int64_t size,
                        const char* why, const char* instead) {
      QTest::addRow("%s: %s to %d", model, word, int(size))
          << Case{model, method, size} << why << instead;
    };
    row("both pre layer", "zero-pad", Method::ZeroPad, 9, "mean", "method centre, method average");
    row("both post layer", "zero-pad", Method::ZeroPad, 12, "mean", "method duplicate");
    row("both post layer", "centre", Method::Centre, 9, "no fixed mean", "hidden size 12");
    row("both post layer", "average", Method::Average, 9, "only whole copies", "hidden size 12");
    row("both post layer", "automatic", Method::Automatic, 9, "which zeros change",
        "hidden size 12 by copies, a masked norm");
    row("both pre layer", "duplicate", Method::Duplicate, 9, "a multiple", "method centre");
    row("embedding norm, pre layer", "centre", Method::Centre, 9, "no fixed mean", "masked norm");
    row("embedding norm, pre layer", "average", Method::Average, 9, "only whole copies",
        "hidden size 12");
    row("no final norm", "centre", Method::Centre, 9, "without a norm", "method average");
    row("tied layer", "centre", Method::Centre, 9, "shares the embedding", "method average");
    row("tied layer", "duplicate", Method::Duplicate, 12, "counted twice", "masked norm");
    row("tied layer", "average", Method::Average, 13, "more than once", "masked norm");
    row("tied layer", "steps", Method::Automatic, 12, "no method",
        "first to at most hidden size 11");
    row("both pre rms", "centre", Method::Centre, 9, "RMSNorm keeps the mean", "method zero_pad");
    row("both pre rms", "average", Method::Average, 9, "only whole copies", "method zero_pad");
    row("both pre rms", "mask", Method::Mask, 9, "only LayerNorm", "method zero_pad");
  }
  void inexact() {
    QFETCH(Case, c);
    QFETCH(QString, why);
    QFETCH(QString, instead);
    const ModelConfig config = smallModel(c.model).config;
    const QString refused = QString::fromStdString(refusal(config, {hiddenTo(c.size, c.method)}));
    QVERIFY2(refused.contains(why) && refused.contains("growing hidden"), qPrintable(refused));
    QVERIFY2(refused.contains(instead), qPrintable(refused));
  }

  /// On request it is done, and the error is measured and large.
  void inexactOnRequest_data() {
    QTest::addColumn<Case>("c");
    QTest::newRow("zero-pad, pre-norm") << Case{"both pre layer", Method::ZeroPad, 9};
    QTest::newRow("zero-pad, post-norm") << Case{"both post layer", Method::ZeroPad, 12};
    QTest::newRow("centre, post-norm") << Case{"both post layer", Method::Centre, 9};
    QTest::newRow("average, post-norm") << Case{"both post layer", Method::Average, 9};
    QTest::newRow("automatic, post-norm") << Case{"both post layer", Method::Automatic, 9};
    const char* stream = "embedding norm, pre layer";
    QTest::newRow("centre, embedding norm") << Case{stream, Method::Centre, 9};
    QTest::newRow("average, embedding norm") << Case{stream, Method::Average, 9};
    QTest::newRow("no final norm") << Case{"no final norm", Method::Centre, 9};
    QTest::newRow("tied, centre") << Case{"tied layer", Method::Centre, 9};
    QTest::newRow("tied, duplicate") << Case{"tied layer", Method::Duplicate, 12};
    QTest::newRow("tied, average") << Case{"tied layer", Method::Average, 13};
    QTest::newRow("RMS, centre") << Case{"both pre rms", Method::Centre, 9};
    QTest::newRow("RMS, average") << Case{"both pre rms", Method::Average, 9};
    QTest::newRow("odd duplicate") << Case{"both pre layer", Method::Duplicate, 9};
  }
  void inexactOnRequest() {
    QFETCH(Case, c);
    const ModelState before = trainedState(smallModel(c.model).config);
    Growth growth = hiddenTo(c.size, c.method);
    growth.allow_inexact = true;
    Grown grown;
    QVERIFY(refusal(before.config, {growth}).empty());
    grown = grow(before, {growth});
    const Change& change = grown.changes.front();
    const Verdict v = verify(before, grown, probeBatch(before.config));
    if (v.exact) {
      // Asked for what is exact in another way, it may be done in that way; then it must say so.
      QVERIFY2(change.exact, "called inexact, yet nothing changed");
      return;
    }
    QVERIFY(!change.exact && !change.inexact.empty());
    QVERIFY2(v.max_difference_double > 1e-2, qPrintable(QString::number(v.max_difference_double)));
  }

  void centringAloneChangesNothing() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    const Grown grown = grow(before, {hiddenTo(7, Method::Centre)});
    const AlignedVector<double> values = grownInDouble(before, grown);
    // Old entries of every writer now have no mean, and new ones are zero.
    for (const ParameterGrowth& p : grown.changes.front().parameters) {
      if (!p.centred_rows && !p.centred_cols) continue;
      const std::int64_t rows = p.after.rows(), cols = p.after.cols();
      for (std::int64_t line = 0; line < (p.centred_rows ? cols : rows); ++line) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < (p.centred_rows ? rows : cols); ++i)
          sum += values[std::size_t(p.after.offset +
                                    (p.centred_rows ? i * cols + line : line * cols + i))];
        QVERIFY2(std::abs(sum) < 1e-13, p.after.name.c_str());
      }
    }
    QVERIFY(grownVerdict(before.config, {hiddenTo(7, Method::Centre)}).max_difference_double <
            1e-13);
  }

  void copiesShareUnequally() {
    const ModelConfig config = smallModel("both post layer").config;
    const Change change = planGrowth(config, hiddenTo(18, Method::Duplicate));
    const ParameterGrowth& reader =
        parameterOf(change, "encoder.layers.0.self_attention.query.weight");
    for (std::size_t i = 0; i < 6; ++i) {
      const double a = reader.cols[i].share, b = reader.cols[i + 6].share;
      QVERIFY(std::abs(a - b) > 1e-6);
      QCOMPARE(a + b + reader.cols[i + 12].share, 1.0);
      QCOMPARE(reader.cols[i + 12].source, std::int64_t(i));
    }
    // What writes into the stream is copied whole.
    const ParameterGrowth& writer =
        parameterOf(change, "encoder.layers.0.feed_forward.linear2.weight");
    for (const AxisIndex& index : writer.rows) QCOMPARE(index.share, 1.0);
  }

  /// Any way to split what reads the copies is exact.
  void copiesMayShareInAnyWay() {
    const ModelState before = trainedState(smallModel("both post layer").config);
    for (const double share : {0.5, 0.3}) {
      Grown grown = grow(before, {hiddenTo(12, Method::Duplicate)});
      for (ParameterGrowth& p : grown.changes.front().parameters)
        for (AxisMap* map : {&p.rows, &p.cols})
          for (std::size_t i = 0; i < map->size(); ++i)
            if ((*map)[i].share != 1.0) (*map)[i].share = i < 6 ? share : 1.0 - share;
      const Batch probe = probeBatch(before.config);
      const double off =
          worstDifference(outputsInDouble(before.config, inDouble(before), probe),
                          outputsInDouble(grown.state.config, grownInDouble(before, grown), probe));
      QVERIFY2(off <= 1e-12, qPrintable(QString::number(off)));
    }
  }

  void hiddenGrowsTwice_data() {
    QTest::addColumn<Case>("first");
    QTest::addColumn<Case>("second");
    const auto row = [](const char* name, Case first, Case second) {
      QTest::newRow(name) << first << second;
    };
    const char* pre = "both pre layer";
    row("centre twice", {pre, Method::Centre, 8}, {pre, Method::Centre, 11});
    row("centre, average", {pre, Method::Centre, 8}, {pre, Method::Average, 11});
    row("average twice", {pre, Method::Average, 8}, {pre, Method::Average, 19});
    row("average, duplicate", {pre, Method::Average, 8}, {pre, Method::Duplicate, 16});
    row("duplicate, centre", {pre, Method::Duplicate, 12}, {pre, Method::Centre, 13});
    const char* sinusoid = "sinusoid layer";
    row("sinusoid: duplicate, average", {sinusoid, Method::Duplicate, 12},
        {sinusoid, Method::Average, 16});
    row("sinusoid: duplicate twice", {sinusoid, Method::Duplicate, 12},
        {sinusoid, Method::Duplicate, 24});
    row("sinusoid: average, duplicate", {sinusoid, Method::Average, 8},
        {sinusoid, Method::Duplicate, 16});
    const char* rms = "sinusoid rms";
    row("sinusoid: zeros, copies", {rms, Method::ZeroPad, 8}, {rms, Method::Duplicate, 16});
    row("sinusoid: copies, zeros", {rms, Method::Duplicate, 12}, {rms, Method::ZeroPad, 14});
    row("sinusoid: zeros twice", {rms, Method::ZeroPad, 8}, {rms, Method::ZeroPad, 11});
  }
  void hiddenGrowsTwice() {
    QFETCH(Case, first);
    QFETCH(Case, second);
    const ModelConfig config = smallModel(first.model).config;
    const Plan plan{hiddenTo(first.size, first.method), hiddenTo(second.size, second.method)};
    const QString refused = QString::fromStdString(refusal(config, plan));
    QVERIFY2(refused.isEmpty(), qPrintable(refused));
    const Verdict v = grownVerdict(config, plan);
    QVERIFY2(v.exact, qPrintable(QString::number(v.max_difference_double)));
  }
};

/// Masked norms begin to count new components while training goes on.
class TestMask : public QObject {
  Q_OBJECT

 private slots:
  void keepsTheFunctionAtTheMomentOfGrowingOnly_data() {
    QTest::addColumn<QString>("model");
    for (const char* model :
         {"both pre layer", "both post layer", "decoder pre layer", "tied layer and no final norm"})
      QTest::newRow(model) << model;
  }
  void keepsTheFunctionAtTheMomentOfGrowingOnly() {
    QFETCH(QString, model);
    const ModelState before = trainedState(configOf(model.toStdString()));
    Growth growth = hiddenTo(9, Method::Mask);
    growth.mask_steps = 10;
    const Grown grown = grow(before, {growth});
    QCOMPARE(grown.state.config.mask_size, std::int64_t{6});
    QCOMPARE(grown.state.config.mask_begin, before.step);
    const Batch probe = probeBatch(before.config);
    const auto outputs = [&](std::int64_t step) {
      return outputsInDouble(grown.state.config, grownInDouble(before, grown), probe, step);
    };
    const std::vector<double> old =
        outputsInDouble(before.config, inDouble(before), probe, before.step);
    QVERIFY(worstDifference(old, outputs(before.step)) <= 1e-12 * std::max(1.0, largest(old)));
    QVERIFY(worstDifference(old, outputs(before.step + 1)) > 1e-4);
    QVERIFY(worstDifference(old, outputs(before.step + 10)) > 1e-2);
    QVERIFY(worstDifference(outputs(before.step + 10), outputs(before.step + 99)) == 0.0);
  }

  void otherSizesGrowWhileMasked() {
    const ModelState before = trainedState(smallModel("both post layer").config);
    Growth growth = hiddenTo(9, Method::Mask);
    growth.mask_steps = 10;
    ModelState masked = grow(before, {growth}).state;
    masked.step += 4;
    const Batch probe = probeBatch(before.config);
    Growth layer = growthTo(Kind::Layers, 3);
    layer.stacks = Stacks::Encoder;
    const Plan plan{growthTo(Kind::FeedForward, 9), growthTo(Kind::Heads, 3), layer};
    QVERIFY(verify(masked, grow(masked, plan), probe).exact);
    const Growth again = hiddenTo(18, Method::Duplicate);
    try {
      grow(masked, {again});
      QFAIL("grown while masked");
    } catch (const std::exception& e) {
      QVERIFY(QString(e.what()).contains("Train until step 50"));
    }
    masked.step = before.step + 10;  // from here on the norms count everything
    const Grown grown = grow(masked, {again});
    QCOMPARE(grown.state.config.mask_size, std::int64_t{0});
    QVERIFY(verify(masked, grown, probe).exact);
  }
};

TFM_TEST(TestHiddenMethods)
TFM_TEST(TestMask)
#include "test_hidden_methods.moc"
