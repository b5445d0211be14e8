// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "core/ask/explained_run.h"
#include "core/ask/explained_update.h"
#include "core/ask/step_texts.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/observe/formula.h"
#include "core/program/ops/update_ops.h"
#include "core/tensor/random.h"
#include "core/train/fit_task.h"
#include "core/train/step_parts.h"
#include "core/train/update_rules.h"
#include "tests/core/observe/equation.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::train;

namespace {

constexpr const char* kWeight = "decoder.layers.0.feed_forward.linear1.weight";

TrainConfig trainingWith(OptimizerKind kind, double clip, double decay) {
  TrainConfig config;
  config.optimizer.kind = kind;
  config.optimizer.momentum = 0.9;
  config.optimizer.weight_decay = decay;
  config.schedule = {ScheduleKind::WarmupCosine, 0.2, 0.1, 0.0, 50, 400};
  config.clip_norm = clip;
  return config;
}

/// A state in the middle of its training, of which some weights have missed steps.
ModelState middle() {
  ModelState state = test::trainerOf(test::documentOf("rot13", "rot13")).state();
  const Random values(5, 1);
  const auto count = state.parameters.size();
  state.first_moment.resize(count);
  state.second_moment.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    state.first_moment[i] = float(0.01 * values.normal(2 * i));
    state.second_moment[i] = float(0.001 * values.uniform(2 * i + 1));
  }
  state.step = 20;
  state.optimizer_step = 18;
  state.missed_steps = {{state.layout.find(kWeight)->offset, 7, 4}};
  return state;
}

std::vector<double> drawnGradients(std::size_t count) {
  std::vector<double> gradients;
  const Random values(6, 1);
  for (std::size_t i = 0; i < count; ++i) gradients.push_back(0.1 * values.normal(i));
  return gradients;
}

}  // namespace

class TestExplained : public QObject {
  Q_OBJECT

 private slots:
  void anUpdateIsWhatTheKernelsMake_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("clip");
    QTest::addColumn<double>("decay");
    int row = 0;
    for (const OptimizerKind kind : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW})
      for (const double clip : {0.0, 0.5, 1000.0})
        for (const double decay : {0.0, 0.01})
          QTest::addRow("%d", row++) << int(kind) << clip << decay;
  }
  void anUpdateIsWhatTheKernelsMake() {
    QFETCH(const int, kind);
    QFETCH(const double, clip);
    QFETCH(const double, decay);
    const ModelState state = middle();
    const TrainConfig config = trainingWith(OptimizerKind(kind), clip, decay);
    const std::vector<double> raw = drawnGradients(state.parameters.size());
    const ExplainedUpdate update(state, config, raw, kWeight);

    // The kernels of the optimizers, in double precision, as Trainer calls them.
    AlignedVector<double> gradients(raw.begin(), raw.end());
    AlignedVector<double> p(state.parameters.begin(), state.parameters.end());
    AlignedVector<double> m(state.first_moment.begin(), state.first_moment.end());
    AlignedVector<double> v(state.second_moment.begin(), state.second_moment.end());
    double squares = 0.0;
    for (const double g : raw) squares += g * g;
    const double norm = std::sqrt(squares);
    const auto backend = makeCpuBackend<double>();
    if (clip > 0.0 && norm > clip) ops::scale<double>(*backend, gradients, clip / norm);
    const ParameterInfo& info = *state.layout.find(kWeight);
    const auto missed = missedByEntry(state);
    for (std::int64_t i = info.offset; i < info.offset + info.size(); ++i) {
      const auto at = [&](AlignedVector<double>& all) {
        return std::span(all).subspan(std::size_t(i), 1);
      };
      if (OptimizerKind(kind) == OptimizerKind::Sgd)
        ops::sgd<double>(*backend, at(p), at(gradients), at(m), sgdRule(config, state.step));
      else
        ops::adam<double>(
            *backend, at(p), at(gradients), at(m), at(v),
            adamRule(config, state.step, state.optimizer_step + 1 - missed[std::size_t(i)]));
    }
    bool control = false;
    for (std::int64_t r = 0; r < info.rows(); ++r)
      for (std::int64_t c = 0; c < info.cols(); ++c) {
        const auto number = update.explain(update.next(r, c));
        const double made = p[std::size_t(info.offset + r * info.cols() + c)];
        QVERIFY(std::abs(number.value - made) <= 1e-12);
        QCOMPARE(number.parts.front().explanation.value(), number.value);
        // Without its last term, the weight moves elsewhere or not at all.
        double rest = -number.parts.front().explanation.terms.back().amount;
        for (const auto& term : number.parts.front().terms) rest += term.amount;
        control = control || std::abs(rest - made) > 1e-9;
        if (r > 0) continue;
        std::vector<observe::NumberPlace> open{number.place};
        for (std::size_t i = 0; i < open.size(); ++i)
          for (const auto& part : update.explain(open[i]).parts) {
            const std::string text = withNumbers(
                part, [&](const observe::NumberPlace& at) { return update.value(at); }, 9);
            QVERIFY2(test::isTrue(text, {}), text.c_str());
            for (const auto& term : part.terms)
              open.insert(open.end(), term.sources.begin(), term.sources.end());
          }
      }
    QVERIFY(control);
  }

  void anUpdateIsWhatATrainerMakes() {
    constexpr double kClip = 0.1;
    for (const OptimizerKind kind :
         {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW}) {
      const Document document = test::documentOf("rot13", "rot13", trainingWith(kind, kClip, 0.01));
      Trainer trainer = test::trainerOf(document);
      test::losses(trainer, 3);
      const ModelState before = trainer.state();
      const double norm = trainer.step().gradient_norm;
      const AlignedVector<float> clipped = trainer.gradients();
      std::vector<double> raw(clipped.begin(), clipped.end());
      QVERIFY(norm > kClip);
      for (double& gradient : raw) gradient *= norm / kClip;
      const ExplainedUpdate update(before, document.train, raw, kWeight);
      const ModelState after = trainer.state();
      const ParameterInfo& info = *after.layout.find(kWeight);
      double worst = 0.0, moved = 0.0;
      for (std::int64_t i = 0; i < info.size(); ++i) {
        const auto at = std::size_t(info.offset + i);
        const double next = update.value(update.next(i / info.cols(), i % info.cols()));
        worst = std::max(worst, std::abs(next - double(after.parameters[at])));
        moved = std::max(moved, std::abs(double(after.parameters[at] - before.parameters[at])));
      }
      QVERIFY(moved > 1e-4);
      QVERIFY2(worst < 1e-3 * moved + 2e-7, qPrintable(QString::number(worst)));
    }
  }

  void anUpdateLeadsToEverythingThatMakesIt() {
    const ModelState state = middle();
    const ExplainedUpdate update(state, trainingWith(OptimizerKind::AdamW, 0.5, 0.01),
                                 drawnGradients(state.parameters.size()), kWeight);
    std::set<std::string> leaves;
    std::vector<observe::NumberPlace> open{update.next(1, 2)};
    while (!open.empty()) {
      const observe::NumberPlace place = open.back();
      open.pop_back();
      const auto number = update.explain(place);
      if (number.parts.empty()) leaves.insert(nameOf(update.program(), place));
      for (const auto& part : number.parts) {
        QVERIFY(namedFormula(update.program(), number, part).find(" = ") != std::string::npos);
        for (const auto& term : part.terms)
          open.insert(open.end(), term.sources.begin(), term.sources.end());
      }
    }
    const std::string weight = kWeight;
    QCOMPARE(leaves, (std::set<std::string>{"gradient_norm[0, 0]", "learning_rate[0, 0]",
                                            weight + "[1, 2]", weight + ".gradient[1, 2]",
                                            "optimizer.first_moment." + weight + "[1, 2]",
                                            "optimizer.second_moment." + weight + "[1, 2]"}));
    QVERIFY_THROWS_EXCEPTION(
        Error, ExplainedUpdate(state, {}, drawnGradients(state.parameters.size()), "output"));
  }

  void aRunKeepsWhatItNeeds() {
    const Document document = test::documentOf("rot13", "rot13");
    std::shared_ptr<ExplainedRun<double>> run;
    {
      const ModelState state = document.state;
      const auto backend = makeCpuBackend<float>();
      const auto task = test::taskOf("rot13");
      const std::string text = "hey";
      const StepTexts step =
          stepTexts(state, *task, framingFor(state.config, *task), std::span(&text, 1), *backend);
      run =
          std::make_shared<ExplainedRun<double>>(state, step.all, partsWithWhole(state.config, {}));
    }
    QVERIFY(run->hasGradients() && run->loss() > 0.0);
    const observe::NumberPlace letter = observe::placeNamed(run->program(), "source.ids[1]");
    QCOMPARE(run->token(letter), std::string("e"));
    QCOMPARE(run->token(observe::placeNamed(run->program(), "output[0, 0]")), std::string());
    // The gradient of a weight is the one that is explained.
    const TensorId weight = run->program().find("output.weight");
    const double explained = run->explainer().explain({weight, 3, 2, true}).value;
    QVERIFY(std::abs(run->gradient(weight).at(3, 2) - explained) < 1e-12);
    QCOMPARE(double(run->values(weight).at(3, 2)), run->explainer().value({weight, 3, 2}));
  }
};

TFM_TEST(TestExplained)
#include "test_explained.moc"
