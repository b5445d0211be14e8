// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/tensor/random.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// Names and what becomes of them: pairs that a small model can learn from a table.
std::string pairs() {
  constexpr int kPairs = 400;
  const Random random(1, 1);
  std::string table;
  for (int i = 0; i < kPairs; ++i) {
    std::string name;
    for (int j = 0; j < 4; ++j) name += char('a' + random.integer(std::uint64_t(4 * i + j), 6));
    table += name + "\t" + std::string(1, char(name.front() - 'a' + 'A')) + name.substr(1) + "\n";
  }
  return table;
}

/// The mean loss of always answering with the frequencies of the answers.
double unigramEntropy(const Trainer& trainer) {
  const Batch batch = data::evaluationBatch(trainer.task(), trainer.framing(), 0, 200);
  std::map<std::int32_t, double> shares;
  for (std::size_t i = 0; i < batch.labels.size(); ++i)
    shares[batch.labels[i]] += double(batch.label_weights[i]);
  double entropy = 0.0;
  for (const auto& [label, share] : shares)
    if (share > 0.0) entropy -= share * std::log(share);
  return entropy;
}

}  // namespace

class TestLearningTasks : public QObject {
  Q_OBJECT

 private slots:
  void learns_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<int>("steps");
    QTest::addColumn<double>("share");  // of the unigram entropy, that the loss comes below
    const auto row = [](const char* name, const char* preset, const char* task, int steps,
                        double share) {
      QTest::newRow(name) << QByteArray(preset) << QByteArray(task) << steps << share;
    };
    row("copy, encoder-decoder", "sequence", "copy", 300, 0.6);
    row("copy, labels", "tagger", "copy", 150, 0.2);
    row("copy, decoder", "characters", "copy", 400, 0.5);
    row("reverse", "sequence", "reverse", 300, 0.4);
    row("sort", "sequence", "sort", 300, 0.4);
    row("addition", "sequence", "addition", 300, 0.7);
    row("parentheses", "classifier", "parentheses", 300, 0.85);
    row("text", "characters", "text", 150, 0.8);
    row("pairs", "sequence", "pairs", 200, 0.6);
    row("DeLighT, reverse", "delight", "reverse", 200, 0.5);
    row("DeLighT, text", "delight-characters", "text", 60, 0.85);
  }

  void learns() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(int, steps);
    QFETCH(double, share);
    data::TaskConfig task_config = data::defaultTaskConfig(task.toStdString());
    if (task == "pairs") task_config.text = pairs();
    if (task == "pairs" || task == "copy") task_config.max_length = 8;
    if (task == "copy") task_config.alphabet_size = 8;
    const auto made = data::makeTask(task_config);
    TrainConfig config;
    config.schedule.learning_rate = 5e-3;
    config.batch_size = 32;
    Trainer trainer =
        trainerOf(newDocument(modelFor(preset.toStdString(), *made), task_config, config), 2);
    const double before = trainer.evaluate(200).loss;
    const double entropy = unigramEntropy(trainer);
    losses(trainer, steps);
    const Evaluation after = trainer.evaluate(200);
    qInfo("loss %.3f -> %.3f, unigram entropy %.3f, right %.3f", before, after.loss, entropy,
          after.accuracy);
    QVERIFY(after.loss < 0.8 * before);
    QVERIFY(after.loss < share * entropy);
  }

  /// Without learning, nothing comes below the unigram entropy.
  void aFrozenModelDoesNot() {
    TrainConfig config;
    config.schedule.learning_rate = 0.0;
    Trainer trainer = trainerOf(documentOf("tagger", "copy", config));
    const double before = trainer.evaluate(200).loss;
    losses(trainer, 20);
    QCOMPARE(trainer.evaluate(200).loss, before);
    QVERIFY(before > unigramEntropy(trainer));
  }

  /// Facts without a rule take parameters: many of them more than a narrow model has.
  void widthIsWorthFacts() {
    const std::vector<double> many = factsRemembered(26, 1000), few = factsRemembered(16, 600);
    QCOMPARE(many.size(), std::size_t{4});
    for (std::size_t i = 1; i < many.size(); ++i)
      QVERIFY2(many[i] > many[i - 1] + 0.04, qPrintable(QString::number(many[i])));
    QVERIFY(many.front() < 0.6 && many.back() > 0.7);
    // The control: it is the number of facts that is too large for the narrow one.
    QVERIFY2(few.front() > 0.9, qPrintable(QString::number(few.front())));
  }

 private:
  /// By all sizes of a nested model, S first: the share of the facts about so many people.
  static std::vector<double> factsRemembered(std::int64_t people, std::int64_t steps) {
    data::TaskConfig task = data::defaultTaskConfig("facts");
    task.alphabet_size = people;
    const auto made = data::makeTask(task);
    const ModelConfig model = modelFor("facts", *made);
    TrainConfig config;
    config.batch_size = 240;
    config.seed = 1;
    config.schedule.kind = ScheduleKind::WarmupCosine;
    config.schedule.learning_rate = 0.02;
    config.schedule.total_steps = steps;
    config.nesting = matformer::defaultNesting(model);
    config.nesting.training = matformer::Training::Joint;
    Trainer trainer = trainerOf(newDocument(model, task, config), 2);
    losses(trainer, int(steps));
    std::vector<double> shares;
    for (const GranularityScore& one : trainer.evaluate(650).granularities)
      shares.push_back(one.accuracy);
    return shares;
  }
};

TFM_TEST(TestLearningTasks)
#include "test_learning_tasks.moc"
