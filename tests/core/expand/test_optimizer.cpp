// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of the optimizer's moments and step counts.
#include <QtTest>

#include "tests/core/expand/double_run.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

template <class Check>
void forEachEntry(const Grown& grown, const Check& check) {
  for (const ParameterGrowth& p : grown.changes.front().parameters)
    for (std::int64_t r = 0; r < p.after.rows(); ++r)
      for (std::int64_t c = 0; c < p.after.cols(); ++c) {
        const std::int64_t from =
            p.rows[std::size_t(r)].source * (p.before ? p.before->cols() : 0) +
            p.cols[std::size_t(c)].source;
        check(p, p.entry(r, c), std::size_t(p.after.offset + r * p.after.cols() + c),
              p.before ? std::size_t(p.before->offset + from) : std::size_t(0));
      }
}

/// What the second moments of new entries begin with.
double meanBefore(const ParameterGrowth& p, const ModelState& before) {
  if (!p.before) return 0.0;
  double sum = 0.0;
  for (std::int64_t i = 0; i < p.before->size(); ++i)
    sum += double(before.second_moment[std::size_t(p.before->offset + i)]);
  return sum / double(p.before->size());
}

std::int64_t bornAt(const ModelState& state, std::size_t index) {
  for (const MissedSteps& m : state.missed_steps)
    if (std::int64_t(index) >= m.first && std::int64_t(index) < m.first + m.count) return m.steps;
  return 0;
}

/// A model far into its training with Adam, whose old moments are at rest.
train::Document lateDocument() {
  train::TrainConfig config;
  config.optimizer.kind = train::OptimizerKind::Adam;
  config.optimizer.eps = 1e-30;  // the ratio of the moments alone
  config.schedule.learning_rate = 1e-3;
  train::Document document = documentOf("rot13", "rot13", config);
  document.state.step = document.state.optimizer_step = 100'000;
  return document;
}

/// The first step of each entry that must be zero at first, in learning rates.
std::vector<double> firstSteps(const Grown& grown, bool with_missed_steps) {
  train::Document document = lateDocument();
  document.state = grown.state;
  if (!with_missed_steps) document.state.missed_steps.clear();
  train::Trainer trainer = trainerOf(document);
  trainer.step();
  const ModelState after = trainer.state();
  std::vector<double> steps;
  forEachEntry(grown, [&](const ParameterGrowth&, Entry entry, std::size_t to, std::size_t) {
    const double step = after.parameters[to];
    if (entry == Entry::Zero && step != 0.0) steps.push_back(std::abs(step) / 1e-3);
  });
  return steps;
}

}  // namespace

class TestOptimizer : public QObject {
  Q_OBJECT

 private slots:
  void momentsFollowTheirParameters_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Growth>("growth");
    const auto row = [](const char* name, const char* model, const Growth& growth) {
      QTest::newRow(name) << model << growth;
    };
    row("feed-forward", "both pre layer", growthTo(Kind::FeedForward, 9));
    row("heads", "both pre layer", growthTo(Kind::Heads, 3));
    row("keys", "both pre layer", growthTo(Kind::KeySize, 8));
    row("hidden, zeros", "both pre rms", growthTo(Kind::Hidden, 9));
    row("hidden, centred", "both pre layer", growthTo(Kind::Hidden, 9));
    row("hidden, copies", "both post layer", growthTo(Kind::Hidden, 12));
    Growth layer = growthTo(Kind::Layers, 3);
    layer.position = 1;
    row("layers", "decoder pre rms", layer);
    layer.layer_method = LayerMethod::HandOver;
    layer.allow_inexact = true;
    row("hand-over", "decoder post layer", layer);
  }
  void momentsFollowTheirParameters() {
    QFETCH(QString, model);
    QFETCH(Growth, growth);
    const ModelState before = trainedState(smallModel(model.toStdString()).config);
    const Grown grown = grow(before, {growth});
    const ModelState& after = grown.state;
    QCOMPARE(after.step, before.step);
    QCOMPARE(after.optimizer_step, before.optimizer_step);
    QCOMPARE(after.seed, before.seed);
    int carried = 0, fresh = 0, scaled = 0;
    forEachEntry(
        grown, [&](const ParameterGrowth& p, Entry entry, std::size_t to, std::size_t from) {
          const bool old =
              p.before && !p.fresh_moments &&
              (entry == Entry::Copied || entry == Entry::Scaled || entry == Entry::Adjusted);
          const double m = old ? double(before.first_moment[from]) / p.factor : 0.0;
          const double v = (old ? double(before.second_moment[from]) : meanBefore(p, before)) /
                           (p.factor * p.factor);
          QVERIFY2(after.first_moment[to] == float(m), p.after.name.c_str());
          QVERIFY2(after.second_moment[to] == float(v), p.after.name.c_str());
          QCOMPARE(bornAt(after, to), old ? std::int64_t{0} : before.optimizer_step);
          ++(old ? carried : fresh);
          if (old && p.factor != 1.0) ++scaled;
        });
    QVERIFY(carried > 100 && fresh > 10);
    QCOMPARE(scaled > 0,
             growth.kind == Kind::KeySize || (growth.kind == Kind::Hidden && growth.size == 9));
  }

  /// The optimizer forgets no more than it must: of copies what writes into the stream and norms,
  /// as each receives another gradient; of a norm that is handed over the plain one that stays.
  void momentsAreForgottenOfTheseOnly() {
    const auto fresh = [](const char* model, const Growth& growth) {
      QStringList names;
      for (const ParameterGrowth& p : planGrowth(smallModel(model).config, growth).parameters)
        if (p.fresh_moments) names << QString::fromStdString(p.after.name);
      return names;
    };
    for (const char* model : {"both pre rms", "both pre layer"})
      for (const Kind kind :
           {Kind::FeedForward, Kind::Heads, Kind::KeySize, Kind::ValueSize, Kind::Hidden})
        QCOMPARE(fresh(model, growthTo(kind, 9)), QStringList());
    Growth layer = growthTo(Kind::Layers, 3);
    layer.position = 1;
    QCOMPARE(fresh("decoder pre rms", layer), QStringList());
    layer.layer_method = LayerMethod::HandOver;
    layer.allow_inexact = true;
    const QString norm = "decoder.layers.0.feed_forward_norm.";
    QCOMPARE(fresh("decoder post layer", layer), QStringList({norm + "weight", norm + "bias"}));
    QStringList copied = fresh("decoder post layer", growthTo(Kind::Hidden, 12));
    QStringList expected{"decoder.embedding.weight", "decoder.positions.weight"};
    for (const char* at : {"decoder.layers.0.", "decoder.layers.1."})
      for (const char* part : {"self_attention.output", "self_attention_norm",
                               "feed_forward.linear2", "feed_forward_norm"})
        for (const char* kind : {".weight", ".bias"})
          expected << QString::fromLatin1(at) + part + kind;
    copied.sort();
    expected.sort();
    QCOMPARE(copied, expected);
  }

  void missedStepsAreInOrderAndKept() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    ModelState once = grow(before, {growthTo(Kind::FeedForward, 9)}).state;
    once.step = once.optimizer_step = 70;
    const Grown twice = grow(once, {growthTo(Kind::KeySize, 5)});
    std::int64_t end = 0, first = 0, second = 0;
    for (const MissedSteps& m : twice.state.missed_steps) {
      QVERIFY(m.first >= end && m.count > 0);
      end = m.first + m.count;
      (m.steps == 40 ? first : second) += m.count;
      QVERIFY(m.steps == 40 || m.steps == 70);
    }
    QVERIFY(end <= twice.state.layout.total);
    QCOMPARE(first, once.layout.total - before.layout.total);
    QCOMPARE(second, twice.state.layout.total - once.layout.total);
  }

  void nothingIsBornBeforeTheFirstStep() {
    const ModelState before = initialState(smallModel("both pre layer").config, 3);
    QVERIFY(grow(before, {growthTo(Kind::FeedForward, 9)}).state.missed_steps.empty());
  }

  void theFirstStepOfANewEntry() {
    const Grown grown = grow(lateDocument().state, {growthTo(Kind::FeedForward, 9)});
    const std::vector<double> own = firstSteps(grown, true);
    QVERIFY(own.size() > 20);
    for (const double step : own) QVERIFY(std::abs(step - 1.0) < 1e-3);
    // The control: with the correction of a late step, it is (1 - b1) / sqrt(1 - b2).
    for (const double step : firstSteps(grown, false)) QVERIFY(std::abs(step - 3.162) < 1e-2);
  }
};

TFM_TEST(TestOptimizer)
#include "test_optimizer.moc"
