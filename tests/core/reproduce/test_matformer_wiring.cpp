// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/matformer_wiring.h"

#include <QTest>

#include "core/model/build_program.h"
#include "core/reproduce/matformer_training.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using reproduce::NotebookWiring;
using test::agrees;
using test::Golden;
using test::ModelRun;

namespace {

constexpr BatchShape kShape{3, 5, 0};

NotebookWiring smallWiring() {
  return {
      .hidden = 8, .feed_forward = 16, .heads = 2, .layers = 2, .granularities = 3, .head_size = 6};
}

ModelRun runOf(Program program) {
  const BatchShape shape = program.shape;
  ModelRun run(std::move(program));
  for (const auto& [name, values] : reproduce::notebookOrders(shape)) run.setIds(name, values);
  run.setEqualWeights();
  return run;
}

/// The golden's model, with what its attentions hold.
ModelRun goldenRun(const Golden& golden, std::size_t granularity) {
  Program program = buildNotebookProgram(smallWiring(), granularity, kShape, 1);
  for (const std::string& name : golden.at("untrained").keys()) {
    const std::vector<double> values = golden.at("untrained").at(name).numbers();
    std::copy(values.begin(), values.end(),
              program.constants.begin() + program.tensor(name).offset);
  }
  ModelRun run = runOf(std::move(program));
  test::setParameters(run, golden.at("parameters"));
  run.setNumbers(names::kSourceFeatures, golden.at("features").numbers());
  run.setIds(names::kLabels, {1, 0, 1});
  return run;
}

std::vector<double> drawnFeatures() {
  return Golden::read("notebook_wiring").at("features").numbers();
}

/// The answers to features, with one number of one sequence and position changed.
std::vector<double> answers(std::uint64_t untrained_seed, std::size_t changed,
                            std::string_view name = names::kOutput) {
  ModelRun run = runOf(buildNotebookProgram(smallWiring(), 1, kShape, untrained_seed));
  std::vector<double> features = drawnFeatures();
  if (changed < features.size()) features[changed] += 1.0;
  run.setNumbers(names::kSourceFeatures, features);
  run.setIds(names::kLabels, {1, 0, 1});
  run.forward();
  return run.values(name);
}

constexpr std::size_t kNothing = 1'000'000;

}  // namespace

class TestMatformerWiring : public QObject {
  Q_OBJECT

 private slots:
  /// methods.md 2.4: what the notebook prints as its trainable parameters.
  void trainsAsManyParametersAsTheNotebook() {
    for (std::size_t granularity = 0; granularity < 4; ++granularity) {
      const Program program = reproduce::buildNotebookProgram({}, granularity, {2, 3, 0}, 1);
      QCOMPARE(program.parameters.total, std::int64_t(1'183'489));
    }
    QCOMPARE(reproduce::widthsOf({}), (std::vector<std::int64_t>{256, 512, 1024, 2048}));
    const Program more = reproduce::buildNotebookProgram({.layers = 3}, 0, {2, 3, 0}, 1);
    QCOMPARE(more.parameters.total, std::int64_t(1'183'489));  // one feed-forward for all layers
    const Program wider = reproduce::buildNotebookProgram({.head_size = 513}, 0, {2, 3, 0}, 1);
    QCOMPARE(wider.parameters.total, std::int64_t(1'183'489 + 256 + 1 + 1));
  }

  void computesWhatTorchDoes() {
    const Golden golden = Golden::read("notebook_wiring");
    ModelRun run = goldenRun(golden, 0);
    QVERIFY(agrees(run.backward(), golden.at("loss").number()));
    const std::vector<double> z = golden.at("logit_of_class_0").numbers();
    QVERIFY(agrees(run.values(names::kOutput), {z[0], 0, z[1], 0, z[2], 0}));
    const std::string wrong = test::wrongGradients(run, golden.at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void anotherWidthIsSeen() {
    const Golden golden = Golden::read("notebook_wiring");
    ModelRun run = goldenRun(golden, 1);
    QVERIFY(!agrees(run.backward(), golden.at("loss").number()));
    QVERIFY(!test::wrongGradients(run, golden.at("gradients")).empty());
  }

  void anAnswerDependsOnTheRestOfTheBatch() {
    const std::vector<double> before = answers(1, kNothing);
    const std::vector<double> after = answers(1, 2 * 5 * 8);  // the third sequence changes
    QVERIFY(std::abs(after[0] - before[0]) > 1e-6);           // and so does the first one's answer
  }

  void noPositionSeesAnother() {
    const auto states = [](std::size_t changed) { return answers(1, changed, "by_sequence"); };
    const std::vector<double> before = states(kNothing);
    const std::vector<double> after = states(4 * 8);  // the first sequence's last position changes
    for (std::size_t sequence = 0; sequence < 3; ++sequence)
      for (std::size_t position = 0; position < 5; ++position) {
        const std::size_t first = (sequence * 5 + position) * 8;
        double change = 0.0;
        for (std::size_t i = first; i < first + 8; ++i)
          change = std::max(change, std::abs(after[i] - before[i]));
        if (position == 4)
          QVERIFY(change > 1e-9);
        else
          QCOMPARE(change, 0.0);
      }
  }

  void readingItAgainGivesOtherAnswers() {
    QVERIFY(test::worstDifference(answers(1, kNothing), answers(2, kNothing)) > 1e-6);
    QCOMPARE(test::worstDifference(answers(1, kNothing), answers(1, kNothing)), 0.0);
    const Program program = reproduce::buildNotebookProgram(smallWiring(), 0, kShape, 1);
    for (const ParameterInfo& p : program.parameters.parameters)
      QVERIFY2(p.name.find("attention") == std::string::npos, p.name.c_str());
  }

  /// Some steps: all eight are measured, and again the same; the first of both trainings can be
  /// ended.
  void bothWiringsAreTrained() {
    const auto goes_on = [](double) { return true; };
    const auto accuracies = reproduce::accuraciesOfWirings(2, goes_on);
    QVERIFY(accuracies.has_value());
    QCOMPARE(accuracies->size(), std::size_t(8));
    for (const double one : *accuracies) QVERIFY(one >= 0.0 && one <= 100.0);
    QCOMPARE(reproduce::accuraciesOfWirings(2, goes_on), accuracies);
    double reached = 0.0;
    for (const double end : {0.1, 0.9}) {
      const auto until = [&](double share) {
        reached = share;
        return share < end;
      };
      QVERIFY(!reproduce::accuraciesOfWirings(2, until));
      QVERIFY2(reached >= end && reached < 1.1, qPrintable(QString::number(reached)));
    }
  }
};

TFM_TEST(TestMatformerWiring)
#include "test_matformer_wiring.moc"
