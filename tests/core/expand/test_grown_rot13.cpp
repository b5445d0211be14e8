// SPDX-License-Identifier: GPL-3.0-or-later
// A model that has learned rot13 grows and still answers the same.
#include <QtTest>
#include <optional>

#include "core/ask/answering.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/train/fit_task.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

class TestGrownRot13 : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    document_ = train::openDocument(TFM_TEST_DATA "/../resources/documents/rot13.safetensors");
    task_ = data::makeTask(*document_.task);
    probe_ = data::evaluationBatch(*task_, framing(document_.state.config), 0, 50);
    QCOMPARE(document_.state.layout.total, std::int64_t{4665});
    QVERIFY(answersRight(document_.state));
  }

  void each_data() {
    QTest::addColumn<Growth>("growth");
    QTest::addColumn<qint64>("parameters");
    QTest::newRow("feed-forward + 4") << growthTo(Kind::FeedForward, 9) << qint64(4801);
    QTest::newRow("heads + 2") << growthTo(Kind::Heads, 9) << qint64(5715);
    QTest::newRow("value size + 3") << growthTo(Kind::ValueSize, 8) << qint64(5736);
    QTest::newRow("key size + 3") << growthTo(Kind::KeySize, 8) << qint64(5799);
    QTest::newRow("hidden 8 to 16") << growthTo(Kind::Hidden, 16) << qint64(8977);
  }
  void each() {
    QFETCH(Growth, growth);
    QFETCH(qint64, parameters);
    const Grown grown = grow(document_.state, {growth});
    QCOMPARE(grown.state.layout.total, std::int64_t{parameters});
    prove(document_.state, grown);
    growth.broken = possibleBreaks(document_.state.config, growth).front();
    const Grown broken = grow(document_.state, {growth});
    QVERIFY(verify(document_.state, broken, probe_).max_difference_double > 1e-3);
  }

  void chain() {
    const Plan plan{growthTo(Kind::FeedForward, 9), growthTo(Kind::Heads, 9),
                    growthTo(Kind::ValueSize, 8),   growthTo(Kind::KeySize, 8),
                    growthTo(Kind::Hidden, 16),     growthTo(Kind::KeySize, 11),
                    growthTo(Kind::FeedForward, 13)};
    for (std::size_t length = 1; length <= plan.size(); ++length)
      prove(document_.state,
            grow(document_.state, {plan.begin(), plan.begin() + std::ptrdiff_t(length)}));
    QCOMPARE(grow(document_.state, plan).state.layout.total, std::int64_t{19696});
  }

  void layers_data() {
    QTest::addColumn<int>("position");
    QTest::addColumn<int>("stack");
    for (const int position : {0, 1})
      for (const Stacks stack : {Stacks::Encoder, Stacks::Decoder})
        QTest::addRow("%s, at %d", stack == Stacks::Encoder ? "encoder" : "decoder", position)
            << position << int(stack);
  }
  void layers() {
    QFETCH(int, position);
    QFETCH(int, stack);
    Growth layer = growthTo(Kind::Layers, 2);
    layer.position = position;
    layer.stacks = Stacks(stack);
    prove(document_.state, grow(document_.state, {layer}));
    if (position == 0) return;
    // Its norms have eps 1e-6: handing one over changes the logits by about that.
    layer.layer_method = LayerMethod::HandOver;
    layer.allow_inexact = true;
    const Grown handed = grow(document_.state, {layer});
    const Verdict v = verify(document_.state, handed, probe_);
    QVERIFY(v.max_difference_double <= 1e-5 * std::max(1.0, v.largest_output));
    QVERIFY(!v.exact);
    QVERIFY(answersRight(handed.state));
  }

  void trainingGoesOnWithoutAJump_data() {
    QTest::addColumn<Growth>("growth");
    QTest::newRow("feed-forward") << growthTo(Kind::FeedForward, 16);
    QTest::newRow("heads") << growthTo(Kind::Heads, 9);
    QTest::newRow("value size") << growthTo(Kind::ValueSize, 10);
    QTest::newRow("key size") << growthTo(Kind::KeySize, 10);
    QTest::newRow("hidden") << growthTo(Kind::Hidden, 16);
  }
  void trainingGoesOnWithoutAJump() {
    QFETCH(Growth, growth);
    const ModelState& before = settled();
    const Grown grown = grow(before, {growth});
    const double usual = highestLoss(before);
    // The control: Adam divides by second moments that begin with 0.
    ModelState impatient = grown.state;
    for (const MissedSteps& born : impatient.missed_steps)
      std::fill_n(impatient.second_moment.begin() + born.first, born.count, 0.0F);
    const double after = highestLoss(grown.state), control = highestLoss(impatient);
    QVERIFY2(after < 1.2 * usual, qPrintable(QString("%1, was %2").arg(after).arg(usual)));
    QVERIFY2(control > 1.3 * usual, qPrintable(QString::number(control)));
  }

 private:
  /// The model when its loss hardly falls by itself any more, which would hide a jump.
  const ModelState& settled() {
    constexpr int kSettled = 2000;
    if (!settled_) {
      train::Trainer trainer = trainerOf(document_);
      losses(trainer, kSettled);
      settled_ = trainer.state();
    }
    return *settled_;
  }

  /// Of the next steps with the document's optimizer and words.
  double highestLoss(const ModelState& state) const {
    train::Document document = document_;
    document.state = state;
    train::Trainer trainer = trainerOf(document);
    const std::vector<double> next = losses(trainer, 100);
    return *std::max_element(next.begin(), next.end());
  }
  data::Framing framing(const ModelConfig& config) const {
    return train::framingFor(config, *task_);
  }
  bool answersRight(const ModelState& state) const {
    const auto backend = makeCpuBackend<float>();
    const std::vector<std::string> questions{"hey", "there", "ma", "dood"};
    std::vector<std::string> answers;
    for (const auto& a :
         train::answer(state, *task_, framing(state.config), questions, {}, *backend))
      answers.push_back(a.answer);
    return answers == std::vector<std::string>{"url", "gurer", "zn", "qbbq"};
  }
  void prove(const ModelState& before, const Grown& grown) const {
    const Verdict v = verify(before, grown, probe_);
    QVERIFY2(v.max_difference_double <= 1e-12 * std::max(1.0, v.largest_output),
             qPrintable(QString::number(v.max_difference_double)));
    QVERIFY(v.max_difference <= 2e-5 * std::max(1.0, v.largest_output));
    QVERIFY(answersRight(grown.state));
  }

  train::Document document_;
  std::optional<ModelState> settled_;
  std::shared_ptr<const data::Task> task_;
  Batch probe_;
};

TFM_TEST(TestGrownRot13)
#include "test_grown_rot13.moc"
