// SPDX-License-Identifier: GPL-3.0-or-later
// What the Attention screen shows of two moments.
#include <algorithm>

#include "core/expand/grow.h"
#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
#include "tests/ui/views/attention_bench.h"
#include "ui/figure/number_text.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/widgets/bar_list.h"

using namespace tfm;
using namespace tfm::ui;

class TestAttentionDifference : public QObject, private AttentionBench {
  Q_OBJECT

 private:
  /// Pins the present as B, calls `change`, pins A and shows the difference.
  template <class Change>
  void compareAcross(Change change) {
    document_->moments().pin(Pin::B);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B));
    change();
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY(snapshot().is_difference);
  }
  void grow(const expand::Plan& plan) {
    const std::int64_t before = document_->moments().layout().total;
    document_->changes().apply(
        "Grown", [plan](const ModelState& state) { return expand::grow(state, plan).state; });
    QTRY_VERIFY(document_->moments().layout().total > before);
    QTRY_VERIFY(document_->observing().snapshot() && snapshot().probe.question == "there");
  }

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void differenceIsTheLaterMinusTheEarlierMoment() {
    QVERIFY(view_->lock({0, 0, 1}, Cell{1, 1}));
    auto& tools = *view_->findChild<AttentionTools*>();
    press(Qt::Key_D);  // nothing is pinned: nothing happens
    QCOMPARE(cells().map().scale, ColorScale::sequential());
    const std::vector<float> before = cells().map().values;
    pinA();
    QVERIFY(trainTo(*document_, 30));
    QVERIFY(QTest::qWaitFor([&] { return snapshot().step == 30; }));
    const std::vector<float> now = cells().map().values;
    press(Qt::Key_D);
    QTRY_COMPARE(cells().map().scale.kind, ColorScale::Kind::Signed);
    for (std::size_t i = 0; i < now.size(); ++i)
      QCOMPARE(cells().map().values[i], now[i] - before[i]);
    QVERIFY2(view_->forms().figureTitle().contains("step 30 − step 0"),
             qPrintable(view_->forms().figureTitle()));
    QVERIFY(ask("other"));  // both answer the other question
    QTRY_VERIFY(cells().map().col_labels.join("") == "other" &&
                cells().map().scale.kind == ColorScale::Kind::Signed);
    // Seen from before the pin, it still says what is later.
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == 30);
    document_->moments().show(0);
    QTRY_VERIFY2(view_->forms().figureTitle().contains("step 30 − step 0"),
                 qPrintable(view_->forms().figureTitle()));
    document_->moments().showNow();
    document_->moments().unpin(Pin::A);
    QVERIFY(!tools.difference());
    QTRY_COMPARE(cells().map().scale, ColorScale::sequential());
  }

  void modelsWithOtherAnswersAreCompared() {
    QVERIFY(view_->lock({2, 0, 1}, Cell{1, 1}));  // its rows are the written tokens
    const std::string before = snapshot().probe.answer;
    pinA();
    QVERIFY(trainTo(*document_, 200));
    QVERIFY(QTest::qWaitFor([&] { return snapshot().step == 200; }));
    QVERIFY2(snapshot().probe.answer != before, "the two answers differ");
    press(Qt::Key_D);
    QTRY_COMPARE(cells().map().scale.kind, ColorScale::Kind::Signed);
    QCOMPARE(cells().map().row_labels.first(5).join(""), "gurer");
    QVERIFY2(sentence().contains("gurer") && sentence().contains("teacher forcing"),
             qPrintable(sentence()));
    press(Qt::Key_D);
    QTRY_VERIFY(snapshot().probe.read == train::ReadAnswer::Own);
  }

  void withoutARightAnswerBothReadThatOfWhatIsShown() {
    train::TrainConfig train;
    train.evaluation_size = 20;
    document_->start(presetNamed("rot13").config(), data::defaultTaskConfig("addition"), train);
    QVERIFY(ask("12+"));  // no sum
    QVERIFY(view_->lock({2, 0, 1}, Cell{1, 1}));
    const std::string before = snapshot().probe.answer;
    pinA();
    QVERIFY(trainTo(*document_, 200));
    QVERIFY(QTest::qWaitFor([&] { return snapshot().step == 200; }));
    const std::string answer = snapshot().probe.answer;
    QVERIFY2(answer != before, "the two answers differ");
    press(Qt::Key_D);
    QTRY_COMPARE(cells().map().scale.kind, ColorScale::Kind::Signed);
    QCOMPARE(snapshot().beside->probe.answer, answer);
    QVERIFY2(sentence().contains(QString("“%1”, that of step 200").arg(answer.c_str())),
             qPrintable(sentence()));
    // Seen from before the pin, it is the answer of the earlier one, and the sentence says so.
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == 200);
    document_->moments().show(0);
    QTRY_VERIFY2(sentence().contains(QString("“%1”, that of step 0").arg(before.c_str())),
                 qPrintable(sentence()));
    QVERIFY(view_->forms().figureTitle().contains("step 200 − step 0"));
  }

  void pinsAreSubtractedMapByMap() {
    QVERIFY(view_->lock({0, 0, 1}, Cell{1, 1}));
    compareAcross([this] { QVERIFY(trainTo(*document_, 30)); });
    const AttentionMaps a(snapshot().minuend), b(snapshot().subtrahend);
    const HeatMap& map = cells().map();
    QCOMPARE(map.scale.kind, ColorScale::Kind::Signed);
    for (const AttentionStage stage : {AttentionStage::Score, AttentionStage::Softmax}) {
      press(stage == AttentionStage::Score ? Qt::Key_S : Qt::Key_X);
      const auto of_a = a.values({{0, 0, 1}, stage}), of_b = b.values({{0, 0, 1}, stage});
      for (std::size_t i = 0; i < of_a.size(); ++i) QCOMPARE(map.values[i], of_a[i] - of_b[i]);
    }
    QCOMPARE(grid().map({0, 0, 1})[3], map.values[3]);
    press(Qt::Key_R);  // the rollouts' difference, not the differences' rollout
    const auto of_a = a.values({{0, 0, 1}, {}, true}), of_b = b.values({{0, 0, 1}, {}, true});
    for (std::size_t i = 0; i < of_a.size(); ++i) QCOMPARE(map.values[i], of_a[i] - of_b[i]);
  }

  void aDifferenceIsNotExplainedAsASoftmax() {
    QVERIFY(view_->lock({0, 0, 1}, Cell{1, 1}));
    QVERIFY(inspectorSays("query · key"));
    compareAcross([this] { QVERIFY(trainTo(*document_, 1)); });
    QVERIFY2(sentence().contains("From step 0 to step 1") && !sentence().contains("sum to 1"),
             qPrintable(sentence()));
    QVERIFY(cells().map().name.contains("step 1 − step 0"));
    QVERIFY(inspectorSays("step 1 − step 0"));
    QVERIFY(!inspectorSays("query · key") && !inspectorSays("spreads"));
    const auto bars = view_->inspector()->findChildren<BarList*>();
    const DataTable both = bars[0]->figureData();
    QCOMPARE(both.rows.size(), 3U);  // A, B and the difference
    QCOMPARE(both.rows[2][1].toDouble(), both.rows[0][1].toDouble() - both.rows[1][1].toDouble());
    const double difference = both.rows[2][1].toDouble();
    const QString headline =
        (difference > 0 ? "+" : "") + fixedNumber(difference, *bars[0]->decimals());
    QVERIFY2(cells().map().scale.high < 0.1, "three decimals would not do");
    QVERIFY(std::ranges::any_of(view_->inspector()->findChildren<QLabel*>(),
                                [&](const QLabel* label) { return label->text() == headline; }));
    QVERIFY(fixedNumber(bars[1]->figureData().rows[1][1].toDouble(), *bars[1]->decimals()) !=
            fixedNumber(0, *bars[1]->decimals()));
    double sum = 0.0;
    for (const auto& row : bars[1]->figureData().rows) sum += row[1].toDouble();
    QVERIFY2(std::abs(sum) < 1e-5, "a row's differences sum to 0");
    for (const QLabel* label : view_->findChildren<QLabel*>())
      QVERIFY(!label->isVisible() || !label->text().contains("Pin a step first"));
    document_->moments().showNow();
    QTRY_VERIFY(inspectorSays("query · key"));
    QCOMPARE(cells().map().scale, ColorScale::sequential());
  }

  void headsThatBothHaveAreCompared() {
    const int heads = grid().groups()[0].heads(0);
    compareAcross([&] { grow({test::growthTo(expand::Kind::Heads, heads + 2)}); });
    QCOMPARE(grid().groups()[0].heads(0), heads);
    QVERIFY2(sentence().contains("heads of both"), qPrintable(sentence()));
    for (const float value : cells().map().values) QVERIFY(std::abs(value) < 1e-5F);  // only grown
    document_->moments().compare(Comparison::A);
    QTRY_COMPARE(grid().groups()[0].heads(0), heads + 2);
  }

  void withoutCounterpartsItSaysWhy() {
    expand::Growth encoder = test::growthTo(expand::Kind::Layers, 2);
    encoder.stacks = expand::Stacks::Encoder;
    expand::Growth decoder = encoder;
    decoder.stacks = expand::Stacks::Decoder;
    compareAcross([&] { grow({encoder, decoder}); });
    QVERIFY(grid().groups().empty());
    QVERIFY2(sentence().contains("No difference"), qPrintable(sentence()));
    document_->moments().showNow();
    QTRY_VERIFY(!grid().groups().empty());
  }
};

TFM_TEST(TestAttentionDifference)
#include "test_attention_difference.moc"
