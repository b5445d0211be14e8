// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ask/submodel_scorer.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/matformer/extract.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// A model that has learned a little, and what it has learned.
struct NestedModel {
  std::shared_ptr<const data::Task> task;
  std::shared_ptr<const ModelState> state;

  NestedModel(const char* preset, const char* kind, std::uint64_t seed = 0) {
    TrainConfig config;
    config.seed = seed;
    const Document document = documentOf(preset, kind, config, true);
    Trainer trainer = trainerOf(document);
    losses(trainer, 20);
    task = data::makeTask(*document.task);
    state = std::make_shared<const ModelState>(trainer.state());
  }
  SubmodelScorer scorer(std::int64_t examples, int threads = 1,
                        std::shared_ptr<const ModelState> reference = {}) const {
    return {task, state, examples, threads, std::move(reference)};
  }
};

/// A half of the first layer's feed-forward, a third of the others'.
Submodel smaller(const ModelConfig& config) {
  Submodel part{fullWidths(config), {}};
  for (std::size_t i = 0; i < part.widths.size(); ++i)
    part.widths[i] = std::max<std::int64_t>(1, part.widths[i] / (i == 0 ? 2 : 3));
  return part;
}

/// The loss and probabilities of one example.
struct Single {
  double loss = 0.0;
  std::vector<float> probabilities;
};
Single runAlone(const ModelState& state, const Batch& batch) {
  const auto backend = makeCpuBackend<float>();
  ProgramOptions options;
  options.loss = true;
  Executor<float> executor(
      std::make_shared<const Program>(
          buildProgram(state.config, {1, batch.source_length, batch.target_length}, options)),
      *backend, false);
  setInputs(executor, batch, 0);
  executor.forward(state.parameters.data(), {0, std::uint64_t(state.step), 0});
  const auto p = executor.values(executor.program().find(names::kProbabilities));
  return {double(executor.values(executor.program().find(names::kLoss)).at(0, 0)),
          {p.data, p.data + p.size()}};
}

/// What a scorer should say, example by example with models of their own.
SubmodelScore plainly(const data::Task& task, const ModelState& whole, const ModelState& part,
                      std::int64_t examples) {
  const data::Framing framing = framingFor(part.config, task);
  SubmodelScore score;
  double weighted = 0.0, positions = 0.0;
  for (std::int64_t e = 0; e < examples; ++e) {
    const Batch batch = data::evaluationBatch(task, framing, std::uint64_t(e), 1);
    const Single a = runAlone(whole, batch), b = runAlone(part, batch);
    const double weights = double(std::count_if(
        batch.label_weights.begin(), batch.label_weights.end(), [](float w) { return w > 0; }));
    score.loss += weights * b.loss;
    weighted += weights;
    bool right = true;
    std::int64_t right_positions = 0, all_positions = 0;
    const std::size_t answers = a.probabilities.size() / batch.labels.size();
    for (std::size_t row = 0; row < batch.labels.size(); ++row) {
      if (batch.label_weights[row] == 0.0F) continue;
      const float* p = &a.probabilities[row * answers];
      const float* q = &b.probabilities[row * answers];
      const auto answer = std::max_element(q, q + answers) - q;
      ++all_positions;
      right_positions += answer == batch.labels[row] ? 1 : 0;
      right = right && answer == batch.labels[row];
      score.agreement += answer == std::max_element(p, p + answers) - p ? 1.0 : 0.0;
      for (std::size_t i = 0; i < answers; ++i)
        score.divergence += double(p[i]) * (std::log(double(p[i])) - std::log(double(q[i])));
      if (batch.labels[row] == endLabel(task, framing)) break;
    }
    positions += double(all_positions);
    const bool text = task.form() == data::TaskForm::Text;
    score.answers.right += text ? right_positions : right ? 1 : 0;
    score.answers.all += text ? all_positions : 1;
  }
  score.examples = examples;
  score.loss /= weighted;
  score.agreement /= positions;
  score.divergence /= positions;
  return score;
}

void verifyAlike(const SubmodelScore& a, const SubmodelScore& b) {
  QCOMPARE(a.examples, b.examples);
  QCOMPARE(a.answers.right, b.answers.right);
  QCOMPARE(a.answers.all, b.answers.all);
  QVERIFY(std::abs(a.loss - b.loss) < 2e-5 * std::max(1.0, b.loss));
  QCOMPARE(a.agreement, b.agreement);
  QVERIFY(std::abs(a.divergence - b.divergence) < 2e-5 * std::max(1.0, b.divergence));
}

void verifySame(const SubmodelScore& a, const SubmodelScore& b) {
  QCOMPARE(a.submodel, b.submodel);
  QCOMPARE(a.cost, b.cost);
  QCOMPARE(a.examples, b.examples);
  QCOMPARE(a.answers.right, b.answers.right);
  QCOMPARE(a.answers.all, b.answers.all);
  QVERIFY(a.loss == b.loss);
  QVERIFY(a.agreement == b.agreement);
  QVERIFY(a.divergence == b.divergence);
}

}  // namespace

class TestSubmodelScorer : public QObject {
  Q_OBJECT

 private slots:
  void everyFraming_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    const auto row = [](const char* name, const char* preset, const char* task) {
      QTest::newRow(name) << QByteArray(preset) << QByteArray(task);
    };
    row("sequence to sequence", "rot13", "rot13");
    row("labels", "tagger", "sort");
    row("next token", "characters", "addition");
    row("next character", "characters", "text");
    row("classes", "classifier", "parentheses");
  }

  void everyFraming() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    const NestedModel subject(preset.constData(), task.constData());
    const Submodel part = smaller(subject.state->config);
    SubmodelScorer scorer = subject.scorer(75, 2);  // more than the first batch
    const std::int64_t examples = scorer.examples();
    const SubmodelScore score = *scorer.score(part);
    verifyAlike(score, plainly(*subject.task, *subject.state,
                               matformer::extract(*subject.state, part), examples));
    QCOMPARE(score.submodel, part);
    QCOMPARE(score.cost, matformer::costOf(subject.state->config, part));
    QVERIFY(score.milliseconds > 0.0);
    QVERIFY(score.divergence > 1e-6);

    const SubmodelScore whole = *scorer.score({});
    QVERIFY(whole.agreement == 1.0);
    QVERIFY(whole.divergence == 0.0);
    verifyAlike(whole, plainly(*subject.task, *subject.state, *subject.state, examples));
    const Submodel all{fullWidths(subject.state->config), fullHeads(subject.state->config)};
    const SubmodelScore named = *scorer.score(all);
    QVERIFY(named.divergence == 0.0);
    QVERIFY(named.loss == whole.loss);
  }

  void whatATrainerMeasures() {
    const NestedModel subject("classifier", "parentheses");
    Trainer trainer(subject.task, *subject.state, {}, 2);
    const Evaluation e = trainer.evaluate(300);
    const SubmodelScore score = *subject.scorer(300).score({});
    QCOMPARE(score.accuracy(), e.accuracy);
    QVERIFY(std::abs(score.loss - e.loss) < 2e-5);
  }

  void comparesWithAnotherModel() {
    const NestedModel one("rot13", "rot13", 1), other("rot13", "rot13", 2);
    const SubmodelScore score = *one.scorer(40, 1, other.state).score({});
    verifyAlike(score, plainly(*one.task, *other.state, *one.state, 40));
    QVERIFY(score.divergence > 1e-6);
  }

  void noThreadChangesANumber() {
    const NestedModel subject("classifier", "parentheses");
    const Submodel part = smaller(subject.state->config);
    const SubmodelScore one = *subject.scorer(600, 1).score(part);
    for (const int threads : {2, 3}) verifySame(*subject.scorer(600, threads).score(part), one);
  }

  void partialResultsAndCancelling() {
    const NestedModel subject("classifier", "parentheses");
    const Submodel part = smaller(subject.state->config);
    SubmodelScorer scorer = subject.scorer(1000);
    std::vector<SubmodelScore> seen;
    const auto keep = [&](const SubmodelScore& so_far) {
      seen.push_back(so_far);
      return true;
    };
    const SubmodelScore score = *scorer.score(part, keep);
    QVERIFY(seen.size() > 3);
    QVERIFY(seen.front().examples <= 64);
    for (std::size_t i = 1; i < seen.size(); ++i) QVERIFY(seen[i].examples > seen[i - 1].examples);
    verifySame(seen.back(), score);
    QVERIFY(std::abs(seen.front().loss - score.loss) < 0.25 * score.loss);

    int calls = 0;
    const auto stop = [&](const SubmodelScore&) { return ++calls < 2; };
    QVERIFY(!scorer.score(part, stop));
    QCOMPARE(calls, 2);
    verifySame(*scorer.score(part), score);
  }

  void noMoreExamplesThanThereAre() {
    data::TaskConfig config = data::defaultTaskConfig("classes");
    for (const char* word : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
      config.text += std::string(word) + word + "\t0\n" + word + "x" + word + "\t1\n";
    config.held_out = 0.3;
    const std::shared_ptr<const data::Task> task = data::makeTask(config);
    const auto state =
        std::make_shared<const ModelState>(initialState(modelFor("classifier", *task), 1));
    SubmodelScorer scorer(task, state, 1000, 1);
    QCOMPARE(scorer.examples(), task->exampleCount(data::Split::Evaluation));
    QCOMPARE(scorer.score({})->examples, scorer.examples());
    QCOMPARE(SubmodelScorer(task, state, 3, 1).score({})->examples, 3);
    QCOMPARE(&scorer.state(), state.get());
  }

  /// More probabilities than are kept: those of 64 positions and 10,000 characters.
  void answersThatAreNotKept() {
    data::TaskConfig config = data::defaultTaskConfig("text");
    for (int i = 0; i < 20'000; ++i) {
      const int letter = 0x4E00 + i % 10'000;
      config.text += {char(0xE0 | (letter >> 12)), char(0x80 | ((letter >> 6) & 0x3F)),
                      char(0x80 | (letter & 0x3F))};
    }
    config.held_out = 0.5;
    const std::shared_ptr<const data::Task> task = data::makeTask(config);
    ModelConfig model = modelFor("characters", *task);
    model.hidden = 8;
    setUniform(model, 0, 1, {1, 4, 4, 8, 1e-5});
    const auto state = std::make_shared<const ModelState>(initialState(model, 1));
    SubmodelScorer scorer(task, state, 600, 2);
    QVERIFY(scorer.examples() * model.target_vocabulary * 64 * 4 > 1 << 28);
    const SubmodelScore part = *scorer.score(smaller(model));
    QVERIFY(part.divergence > 1e-9);
    const SubmodelScore whole = *scorer.score({});
    QVERIFY(whole.agreement == 1.0);
    QVERIFY(whole.divergence == 0.0);
  }

  void wrongSubmodels() {
    const NestedModel subject("classifier", "parentheses");
    SubmodelScorer scorer = subject.scorer(10);
    TFM_VERIFY_ERROR(scorer.score({{1000}, {}}), "layers");
    const auto layers = std::size_t(layerCount(subject.state->config));
    TFM_VERIFY_ERROR(scorer.score({std::vector<std::int64_t>(layers, 100'000), {}}), "width");
    TFM_VERIFY_ERROR(SubmodelScorer(taskOf("text"), subject.state, 10, 1), "cannot learn");
  }

  /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (Statistics in
  /// Medicine 17, 1998), table I, method 3.
  void publishedIntervals() {
    const auto verify = [](std::int64_t right, std::int64_t all, double low, double high) {
      const auto interval = wilsonInterval({right, all});
      QVERIFY(std::abs(interval.low - low) < 5.1e-5);
      QVERIFY(std::abs(interval.high - high) < 5.1e-5);
    };
    verify(81, 263, 0.2553, 0.3662);
    verify(15, 148, 0.0624, 0.1605);
    verify(0, 20, 0.0, 0.1611);
    verify(1, 29, 0.0061, 0.1718);
    verify(20, 20, 1.0 - 0.1611, 1.0);
    QCOMPARE(wilsonInterval({0, 0}).low, 0.0);
    QCOMPARE(wilsonInterval({0, 0}).high, 1.0);
  }

  void theWholeModelIsRunOnce() {
    const NestedModel subject("rot13", "rot13");
    SubmodelScorer scorer = subject.scorer(40);
    const auto first = scorer.score({fullWidths(subject.state->config), {}});
    const auto again = scorer.score({});
    QVERIFY(first && again);
    // The time of a second run would be another one.
    QVERIFY(first->milliseconds > 0.0);
    QVERIFY(first->milliseconds == again->milliseconds);
    QVERIFY(first->loss == again->loss);
    // The control: beside another model it is run for itself.
    SubmodelScorer beside = subject.scorer(40, 1, NestedModel("rot13", "rot13", 1).state);
    QVERIFY(beside.score({})->divergence > 0.0);
  }
};

TFM_TEST(TestSubmodelScorer)
#include "test_submodel_scorer.moc"
