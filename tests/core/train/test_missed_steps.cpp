// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that were added to a trained model: Adam counts their steps from their birth.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr int kStepsBefore = 7;

Document documentWith(OptimizerKind kind) {
  TrainConfig config;
  config.batch_size = 4;
  config.optimizer.kind = kind;
  return documentOf("small-sequence", "copy", config);
}

ModelState trainedState(const Document& document) {
  Trainer trainer = trainerOf(document);
  losses(trainer, kStepsBefore);
  return trainer.state();
}

/// The state as if these runs of its parameters had been added now.
ModelState withNewborn(ModelState state,
                       const std::vector<std::pair<std::int64_t, std::int64_t>>& runs) {
  for (const auto& [first, end] : runs) {
    std::fill(state.first_moment.begin() + first, state.first_moment.begin() + end, 0.0F);
    std::fill(state.second_moment.begin() + first, state.second_moment.begin() + end, 0.0F);
    state.missed_steps.push_back({first, end - first, state.optimizer_step});
  }
  return state;
}

ModelState afterOneStep(const Document& document, const ModelState& state) {
  Trainer trainer = trainerOf(document);
  trainer.restore(state);
  trainer.step();
  return trainer.state();
}

/// Whether parameters and moments of a run are the same, bit for bit.
bool sameRun(const ModelState& a, const ModelState& b, std::int64_t first, std::int64_t end) {
  const auto same = [&](const auto& x, const auto& y) {
    return std::equal(x.begin() + first, x.begin() + end, y.begin() + first);
  };
  return same(a.parameters, b.parameters) && same(a.first_moment, b.first_moment) &&
         same(a.second_moment, b.second_moment);
}

}  // namespace

class TestMissedSteps : public QObject {
  Q_OBJECT

 private slots:
  /// What is kept for going back is limited by these bytes.
  void runsTakeMemoryToo() {
    ModelState state = documentWith(OptimizerKind::Adam).state;
    const std::int64_t plain = byteCount(state);
    QCOMPARE(plain, 3 * state.layout.total * std::int64_t(sizeof(float)));
    state.missed_steps = {{0, 2, 1}, {5, 2, 1}, {9, 1, 3}};
    QCOMPARE(byteCount(state) - plain, std::int64_t(3 * sizeof(MissedSteps)));
  }

  void newEntriesHaveAFreshAdam_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("adam") << int(OptimizerKind::Adam);
    QTest::newRow("adamw") << int(OptimizerKind::AdamW);
  }
  void newEntriesHaveAFreshAdam() {
    QFETCH(int, kind);
    const Document document = documentWith(OptimizerKind(kind));
    const ModelState trained = trainedState(document);
    const std::int64_t total = trained.layout.total;
    QVERIFY(total > 33'000);
    // The second run lies across two blocks of the update, the last one ends with the parameters.
    const std::vector<std::pair<std::int64_t, std::int64_t>> runs{
        {10, 25}, {32'760, 32'790}, {total - 5, total}};
    const ModelState grown = withNewborn(trained, runs);

    ModelState fresh = trained;  // an optimizer that has seen nothing
    std::fill(fresh.first_moment.begin(), fresh.first_moment.end(), 0.0F);
    std::fill(fresh.second_moment.begin(), fresh.second_moment.end(), 0.0F);
    fresh.optimizer_step = 0;
    ModelState forgotten = grown;  // the control: nobody remembers when they were born
    forgotten.missed_steps.clear();

    const ModelState result = afterOneStep(document, grown);
    const ModelState as_fresh = afterOneStep(document, fresh);
    const ModelState as_before = afterOneStep(document, trained);
    const ModelState wrong = afterOneStep(document, forgotten);
    std::int64_t at = 0;
    for (const auto& [first, end] : runs) {
      QVERIFY(sameRun(result, as_before, at, first));
      QVERIFY(sameRun(result, as_fresh, first, end));
      QVERIFY(!sameRun(result, as_before, first, end));
      QVERIFY(!sameRun(wrong, as_fresh, first, end));
      at = end;
    }
    QCOMPARE(at, total);
    QVERIFY(sameRun(wrong, as_before, 0, runs[0].first));
  }

  void theyGoOnCountingFromTheirBirth() {
    const Document document = documentWith(OptimizerKind::Adam);
    const ModelState trained = trainedState(document);
    constexpr std::int64_t kFirst = 40, kEnd = 60;
    Trainer trainer = trainerOf(document);
    trainer.restore(withNewborn(trained, {{kFirst, kEnd}}));
    const OptimizerConfig& o = document.train.optimizer;
    std::vector<double> p(trained.parameters.begin() + kFirst, trained.parameters.begin() + kEnd);
    std::vector<double> late = p, m(p.size()), v(p.size());
    for (int t = 1; t <= 4; ++t) {
      const double rate = trainer.step().learning_rate;
      for (std::size_t i = 0; i < p.size(); ++i) {
        const double g = trainer.gradients()[std::size_t(kFirst) + i];
        m[i] = o.beta1 * m[i] + (1.0 - o.beta1) * g;
        v[i] = o.beta2 * v[i] + (1.0 - o.beta2) * g * g;
        const auto move = [&](int steps) {
          return rate * (m[i] / (1.0 - std::pow(o.beta1, steps))) /
                 (std::sqrt(v[i] / (1.0 - std::pow(o.beta2, steps))) + o.eps);
        };
        p[i] -= move(t);
        late[i] -= move(kStepsBefore + t);
      }
    }
    double worst = 0.0, control = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double now = trainer.state().parameters[std::size_t(kFirst) + i];
      worst = std::max(worst, std::abs(now - p[i]));
      control = std::max(control, std::abs(now - late[i]));
    }
    QVERIFY2(worst < 1e-6, QByteArray::number(worst));
    QVERIFY2(control > 1e-3, QByteArray::number(control));
  }

  void sgdKnowsNoMissedSteps() {
    const Document document = documentWith(OptimizerKind::Sgd);
    const ModelState trained = trainedState(document);
    ModelState grown = trained;
    grown.missed_steps = {{5, 10, trained.optimizer_step}};
    const ModelState a = afterOneStep(document, grown), b = afterOneStep(document, trained);
    QVERIFY(sameRun(a, b, 0, trained.layout.total));
  }

  void anotherKindOfOptimizerForgetsThem() {
    const Document document = documentWith(OptimizerKind::Adam);
    Trainer trainer = trainerOf(document);
    trainer.restore(withNewborn(trainedState(document), {{1, 2}}));
    TrainConfig sgd = document.train;
    sgd.optimizer.kind = OptimizerKind::Sgd;
    trainer.setConfig(sgd);
    QVERIFY(trainer.state().missed_steps.empty());
  }
};

TFM_TEST(TestMissedSteps)
#include "test_missed_steps.moc"
