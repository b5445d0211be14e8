// SPDX-License-Identifier: GPL-3.0-or-later
// Widths are absolute: a model that grows keeps its submodels, and is itself one more.
#include <QTest>
#include <algorithm>

#include "core/expand/grow.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/core/numbers.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;
using namespace tfm::test;
using expand::Kind;

namespace {

constexpr double kTolerance = 1e-12;

/// Widths 1, 3, 5, 7 and heads 1, 2, 2, 3: those of nestedModels() with the whole among them.
Nesting wholeNesting() {
  Nesting nesting;
  nesting.widths = {1, 3, 5, 7};
  nesting.heads = {1, 2, 2, 3};
  return nesting;
}

Submodel halfOf(const ModelConfig& config) {
  std::vector<std::int64_t> widths = fullWidths(config);
  for (std::int64_t& width : widths) width /= 2;
  return {widths, {}};
}

double scaleOf(const std::vector<double>& values) { return std::max(1.0, largest(values)); }

}  // namespace

class TestGrownNesting : public QObject {
  Q_OBJECT

 private slots:
  void submodelsStayWhatTheyWere_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("size");
    for (const SmallModel& model : nestedModels()) {
      const QString name = QString::fromStdString(model.name);
      QTest::addRow("%s, feed-forward", model.name.c_str()) << name << int(Kind::FeedForward) << 12;
      if (!expand::chosenSizes(model.config, growthTo(Kind::Heads, 5)).empty())
        QTest::addRow("%s, heads", model.name.c_str()) << name << int(Kind::Heads) << 5;
    }
  }
  void submodelsStayWhatTheyWere() {
    QFETCH(QString, name);
    QFETCH(int, kind);
    QFETCH(int, size);
    const ModelState before = trainedState(nestedModel(name.toStdString()).config);
    const expand::Grown grown = expand::grow(before, {growthTo(Kind(kind), size)});
    const ModelConfig& after = grown.state.config;
    const Batch batch = probeBatch(before.config);
    const auto old_parts = granularities(before.config, wholeNesting());
    const auto new_parts = granularities(after, wholeNesting());
    const char* names[] = {"S", "M", "L", "XL", "2XL"};
    QCOMPARE(old_parts.size(), std::size_t{4});
    QCOMPARE(new_parts.size(), std::size_t{5});
    std::vector<double> xl;
    for (std::size_t i = 0; i < new_parts.size(); ++i) {
      QCOMPARE(new_parts[i].name, std::string(names[i]));
      const std::vector<double> now =
          outputsInDouble(after, grownInDouble(before, grown), batch, 0, new_parts[i].submodel);
      if (i == 4) {  // the new whole computes what the old one did
        QVERIFY(worstDifference(now, xl) <= kTolerance * scaleOf(xl));
        continue;
      }
      xl = outputsInDouble(before.config, inDouble(before), batch, 0, old_parts[i].submodel);
      QCOMPARE(now, xl);  // the same numbers, read from other places
    }
    // The control: half of a feed-forward follows its growth, and is another model.
    if (Kind(kind) != Kind::FeedForward) return;
    QVERIFY(worstDifference(
                outputsInDouble(after, grownInDouble(before, grown), batch, 0, halfOf(after)),
                outputsInDouble(before.config, inDouble(before), batch, 0, halfOf(before.config))) >
            1e-3);
  }

  void momentsAndMissedStepsGrow_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("size");
    QTest::newRow("feed-forward") << int(Kind::FeedForward) << 80;
    QTest::newRow("heads") << int(Kind::Heads) << 6;
  }
  void momentsAndMissedStepsGrow() {
    QFETCH(int, kind);
    QFETCH(int, size);
    train::TrainConfig config;
    config.batch_size = 4;
    config.nesting.widths = {4, 12, 30};
    config.nesting.heads = {1, 2, 3};
    train::Trainer trainer = trainerOf(documentOf("small-sequence", "copy", config));
    losses(trainer, 9);
    const ModelState before = trainer.state();
    const auto old_parts = trainer.granularities();
    const expand::Growth growth = growthTo(Kind(kind), size);
    const ModelState after = expand::grow(before, {growth}).state;
    const std::vector<std::int64_t> missed = missedByEntry(before), now = missedByEntry(after);
    std::int64_t kept = 0, born = 0, passed_by = 0;
    const std::vector<bool> old_whole = readBy(after.config, {old_parts.back().submodel});
    for (const ParameterInfo& p : after.layout.parameters) {
      const ParameterInfo& from = *before.layout.find(p.name);
      for (std::int64_t r = 0; r < p.rows(); ++r)
        for (std::int64_t c = 0; c < p.cols(); ++c) {
          const auto at = std::size_t(p.offset + r * p.cols() + c);
          if (!old_whole[at]) {
            QCOMPARE(now[at], before.optimizer_step);
            QCOMPARE(after.first_moment[at], 0.0F);
            ++born;
            continue;
          }
          const auto old_at = std::size_t(from.offset + r * from.cols() + c);
          QCOMPARE(now[at], missed[old_at]);
          QCOMPARE(after.first_moment[at], before.first_moment[old_at]);
          QCOMPARE(after.second_moment[at], before.second_moment[old_at]);
          ++kept;
          passed_by += missed[old_at] > 0 ? 1 : 0;
        }
    }
    QCOMPARE(kept, before.layout.total);
    QVERIFY(born > 0 && passed_by > 0);
  }

  void aScheduledGrowthKeepsTheSubmodels() {
    train::TrainConfig config;
    config.batch_size = 8;
    config.nesting.widths = {4, 16};
    train::Document document = documentOf("small-sequence", "copy", config);
    train::Trainer plain = trainerOf(document);
    losses(plain, 6);
    const train::Evaluation before = plain.evaluate(20);
    document.train.growths = {{6, growthTo(Kind::FeedForward, 90)}};
    train::Trainer trainer = trainerOf(document, 2);
    losses(trainer, 6);
    QVERIFY(!trainer.growIfScheduled().empty());
    const train::Evaluation after = trainer.evaluate(20);
    QCOMPARE(trainer.granularities().size(), std::size_t{3});
    QCOMPARE(trainer.granularities().back().submodel.widths.front(), std::int64_t{90});
    for (std::size_t i = 0; i < 2; ++i) QCOMPARE(after.granularities[i], before.granularities[i]);
    QVERIFY(std::abs(after.loss - before.loss) < 1e-5);
    const std::vector<bool> read =
        readBy(trainer.state().config, {trainer.granularities()[1].submodel});
    for (const double loss : losses(trainer, 6)) QVERIFY(std::isfinite(loss));
    QVERIFY(std::ranges::find(read, false) != read.end());
  }
};

TFM_TEST(TestGrownNesting)
#include "test_grown_nesting.moc"
