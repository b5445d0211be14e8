// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

TrainConfig sgd(double rate, double clip_norm) {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Sgd;
  config.schedule.learning_rate = rate;
  config.clip_norm = clip_norm;
  return config;
}

double length(std::span<const float> values) {
  double sum = 0.0;
  for (const float v : values) sum += double(v) * double(v);
  return std::sqrt(sum);
}

bool allZero(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return v == 0.0F; });
}

bool allFinite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

/// The message of the Diverged that training ends with, after at most `steps`.
QByteArray divergenceOf(Trainer& trainer, int steps) {
  try {
    losses(trainer, steps);
  } catch (const Diverged& problem) {
    return problem.what();
  }
  return "no divergence";
}

}  // namespace

class TestTrainer : public QObject {
  Q_OBJECT

 private slots:
  void clipsToTheNorm() {
    constexpr double kClip = 0.25;
    const Document free = documentOf("rot13", "rot13", sgd(0.5, 0.0));
    const Document clipped = documentOf("rot13", "rot13", sgd(0.5, kClip));
    Trainer a = trainerOf(free), b = trainerOf(clipped);
    const StepMetrics whole = a.step(), cut = b.step();
    QVERIFY(whole.gradient_norm > 2 * kClip);
    QCOMPARE(cut.gradient_norm, whole.gradient_norm);  // before clipping
    const AlignedVector<float> of_a = a.gradients(), of_b = b.gradients();
    const ModelState after = b.state();
    QVERIFY(std::abs(length(of_a) - whole.gradient_norm) < 1e-6);
    QVERIFY(std::abs(length(of_b) - kClip) < 1e-6);
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const double expected = of_a[i] * kClip / whole.gradient_norm;
      QVERIFY(std::abs(of_b[i] - expected) < 1e-7);
      const double moved = after.parameters[i] - clipped.state.parameters[i];
      QVERIFY(std::abs(moved + 0.5 * expected) < 1e-6);
    }
    Trainer wide = trainerOf(documentOf("rot13", "rot13", sgd(0.5, 1e6)));
    wide.step();
    QVERIFY(of_a == wide.gradients());
  }

  void configTakesEffectWithTheNextStep() {
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", sgd(0.5, 1.0)));
    QCOMPARE(trainer.step().learning_rate, 0.5);
    trainer.setConfig(sgd(0.0, 1.0));
    const AlignedVector<float> before = trainer.state().parameters;
    QCOMPARE(trainer.step().learning_rate, 0.0);
    QVERIFY(trainer.state().parameters == before);
    TrainConfig schedule = sgd(0.0, 1.0);
    schedule.schedule = notebookSchedule();
    trainer.setConfig(schedule);
    QCOMPARE(trainer.step().learning_rate, learningRate(notebookSchedule(), 2));
    QVERIFY(trainer.state().parameters != before);
  }

  void anotherOptimizerStartsWithFreshMoments() {
    TrainConfig config;
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", config));
    losses(trainer, 3);
    QCOMPARE(trainer.state().optimizer_step, 3);
    config.optimizer.kind = OptimizerKind::AdamW;
    config.schedule.learning_rate = 1e-4;
    trainer.setConfig(config);  // the same two moments: they go on
    QCOMPARE(trainer.state().optimizer_step, 3);
    QVERIFY(!allZero(trainer.state().second_moment));
    trainer.setConfig(sgd(0.5, 1.0));
    QCOMPARE(trainer.state().optimizer_step, 0);
    QCOMPARE(trainer.state().step, 3);
    QVERIFY(allZero(trainer.state().first_moment) && allZero(trainer.state().second_moment));
  }

  void refusesBadValues() {
    TrainConfig config;
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", config));
    TrainConfig bad = config;
    bad.schedule.learning_rate = -1.0;
    TFM_VERIFY_ERROR(trainer.setConfig(bad), "learning_rate is -1");
    QCOMPARE(trainer.config(), config);
    const auto task = taskOf("rot13");
    TFM_VERIFY_ERROR(Trainer(task, initialState(modelFor("rot13", *task), 0), bad, 1),
                     "learning_rate is -1");
    TFM_VERIFY_ERROR(trainer.setConfig(config), "no error");
  }

  void resetGivesTheSameWeights() {
    const Document document = documentOf("rot13", "rot13", {}, true);
    Trainer trainer = trainerOf(document);
    QVERIFY2(trainer.gradients().empty(), "none is made up");
    const std::vector<double> first = losses(trainer, 3);
    QCOMPARE(trainer.gradients().size(), trainer.state().parameters.size());
    QVERIFY(!sameState(trainer.state(), document.state));
    trainer.restore(initialState(trainer.state().config, trainer.state().seed));
    QVERIFY(sameState(trainer.state(), document.state));
    QVERIFY(trainer.gradients().empty());
    QCOMPARE(losses(trainer, 3), first);
    trainer.restore(initialState(document.state.config, 1));
    QVERIFY(trainer.state().parameters != document.state.parameters);
    QVERIFY(losses(trainer, 3) != first);
  }

  void evaluationDependsOnTheModelAlone() {
    const Document document = documentOf("rot13", "rot13", {}, true);
    Trainer trainer = trainerOf(document);
    const Evaluation before = trainer.evaluate(130);  // two batches and a smaller one
    QCOMPARE(trainer.evaluate(130), before);
    QVERIFY(sameState(trainer.state(), document.state));
    Document other_batches = document;
    other_batches.train.batch_size = 130;
    const Evaluation whole = trainerOf(other_batches).evaluate(130);
    QVERIFY(std::abs(whole.loss - before.loss) < 1e-6);
    QCOMPARE(whole.position_accuracy, before.position_accuracy);
    QVERIFY(std::abs(trainer.evaluate(100).loss - before.loss) > 1e-6);
  }

  void divergesWithStepAndTensor() {
    // Weights that shrink by 999 * 9 times themselves grow without limit.
    TrainConfig config = sgd(999.0, 0.0);
    config.optimizer.weight_decay = 9.0;
    Trainer trainer = trainerOf(documentOf("small-sequence", "copy", config));
    std::int64_t step = 0;
    std::string tensor;
    AlignedVector<float> before;
    for (int i = 0; i < 50 && tensor.empty(); ++i) {
      before = trainer.state().parameters;
      try {
        QVERIFY(std::isfinite(trainer.step().loss));
      } catch (const Diverged& problem) {
        step = problem.step();
        tensor = problem.tensor();
        QVERIFY(QByteArray(problem.what()).contains("step " + QByteArray::number(step)));
        QVERIFY(QByteArray(problem.what()).contains(tensor.c_str()));
      }
    }
    QVERIFY(!tensor.empty());
    QCOMPARE(trainer.state().step, step - 1);
    QCOMPARE(trainer.state().optimizer_step, step - 1);
    QVERIFY(std::memcmp(before.data(), trainer.state().parameters.data(),
                        before.size() * sizeof(float)) == 0);
    const auto good = trainer.lastGood();
    QVERIFY(good != nullptr && good->step < step && allFinite(good->parameters));
    trainer.setConfig(sgd(0.1, 1.0));
    trainer.restore(*good);
    for (const double loss : losses(trainer, 3)) QVERIFY(std::isfinite(loss));
  }

  void namesTheTensorThatIsNoLongerANumber() {
    Document document = documentOf("rot13", "rot13");
    const ParameterInfo& p =
        *document.state.layout.find("decoder.layers.0.feed_forward.linear1.weight");
    document.state.parameters[std::size_t(p.offset + 1)] = std::nanf("");
    Trainer poisoned = trainerOf(document);
    QVERIFY(divergenceOf(poisoned, 1).contains(p.name.c_str()));

    document = documentOf("rot13", "rot13");
    const ParameterInfo& value =
        *document.state.layout.find("encoder.layers.0.self_attention.value.weight");
    std::fill_n(document.state.parameters.begin() + value.offset, value.size(), 3e38F);
    Trainer huge = trainerOf(document);
    QVERIFY(divergenceOf(huge, 1).contains("encoder.layers.0.self_attention"));

    Trainer healthy = trainerOf(documentOf("rot13", "rot13"));
    QCOMPARE(divergenceOf(healthy, 3), QByteArray("no divergence"));
  }

  void keepsTheNewestGoodState() {
    TrainConfig config;
    config.batch_size = 2;
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", config));
    QVERIFY2(trainer.lastGood() == nullptr, "no step has shown that it is good");
    losses(trainer, 1);
    QCOMPARE(trainer.lastGood()->step, 0);
    losses(trainer, 229);
    QCOMPARE(trainer.lastGood()->step, 200);
    trainer.restore(*trainer.lastGood());
    QCOMPARE(trainer.state().step, 200);
  }

  void aBrokenStateIsNeverGood() {
    Document document = documentOf("rot13", "rot13");
    document.state.parameters.back() = std::nanf("");
    Trainer trainer = trainerOf(document);
    try {
      trainer.step();
      QFAIL("a step with a weight that is no number");
    } catch (const Diverged& problem) {
      QVERIFY(!problem.goodStep());
      QVERIFY(QByteArray(problem.what()).contains("no good state to go back to"));
    }
    QVERIFY(trainer.lastGood() == nullptr);
    TFM_VERIFY_ERROR(trainer.evaluate(10), "the loss on held-out examples is not finite");
    QVERIFY(QByteArray(nonFiniteWarning(document.state).c_str())
                .startsWith(document.state.layout.parameters.back().name.c_str()));
    QVERIFY(nonFiniteWarning(documentOf("rot13", "rot13").state).empty());
  }

  void saysThatOnlyTheGradientOverflowedAndWhatIsLost() {
    Trainer trainer = trainerOf(documentOf("small-sequence", "copy", sgd(900.0, 0.0)));
    const QByteArray text = divergenceOf(trainer, 40);
    const QByteArray step = QByteArray::number(qlonglong(trainer.state().step));
    QVERIFY2(text.contains("the gradient is not finite"), text.constData());
    QVERIFY2(text.contains("after step 0 (" + step + " step"), text.constData());
    // The backward pass met it there before it came to the embedding.
    QVERIFY2(text.startsWith("decoder."), text.constData());
  }

  void growingKeepsTheGoodStateBefore() {
    Document document = documentOf("rot13", "rot13");
    expand::Growth wider;
    wider.kind = expand::Kind::FeedForward;
    wider.size = 9;
    document.train.growths = {{2, wider}};
    Trainer trainer = trainerOf(document);
    losses(trainer, 2);
    trainer.growIfScheduled();
    QVERIFY(trainer.state().layout.total > document.state.layout.total);
    QVERIFY(trainer.lastGood() != nullptr);
    QCOMPARE(trainer.lastGood()->layout.total, document.state.layout.total);
  }

  void modelAndTaskMustFit() {
    const auto task = taskOf("rot13");
    ModelConfig model = modelFor("rot13", *task);
    const auto refusal = [&] {
      return errorOf([&] { Trainer(task, initialState(model, 0), {}, 1); });
    };
    QCOMPARE(refusal(), QByteArray("no error"));
    model.target_length = 14;
    QVERIFY(refusal().contains("target_length is 14"));
    QVERIFY(refusal().contains("at least 15"));
    model.target_length = 20;
    QCOMPARE(refusal(), QByteArray("no error"));
    model.source_vocabulary = 27;
    QVERIFY(refusal().contains("source_vocabulary is 27"));
    model = modelFor("tagger", *taskOf("sort"));
    model.output_size = 30;
    QVERIFY(refusal().contains("output_size is 30"));
    const auto text = taskOf("text");
    TFM_VERIFY_ERROR(Trainer(text, initialState(model, 0), {}, 1), "cannot learn the task 'text'");
  }
};

TFM_TEST(TestTrainer)
#include "test_trainer.moc"
