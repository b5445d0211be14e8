// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "core/ask/answering.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/io/atomic_file.h"
#include "core/io/safetensors.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// The logits of a batch in double precision; `masked` false takes pads for words.
std::vector<double> logits(const ModelConfig& config, const Batch& batch, bool masked = true) {
  ModelRun run(config, {batch.size, batch.source_length, 0}, {});
  run.setIds(names::kSourceIds, batch.source);
  std::vector<std::int32_t> pad(batch.source_pad.begin(), batch.source_pad.end());
  if (!masked) std::fill(pad.begin(), pad.end(), 0);
  run.setIds(names::kSourcePad, pad);
  run.forward();
  return run.values(names::kOutput);
}

std::string numberedReviews(int first) {
  std::string text;
  for (int i = first; i < first + 60; ++i)
    text += std::to_string(i % 2) + "\tthe film number " + std::to_string(i / 3) +
            (i % 2 == 0 ? " is a bore" : " is a joy") + " and then some more of it\n";
  return text;
}

TrainConfig quickly() {
  TrainConfig config;
  config.batch_size = 10;
  config.schedule.learning_rate = 2e-3;
  return config;
}

}  // namespace

class TestSentiment : public QObject {
  Q_OBJECT

 private slots:
  void padsDoNotMatter() {
    const auto task = taskOf("sentiment");
    const ModelConfig config = modelFor("sentiment", *task);
    std::vector<data::Example> examples;
    for (std::uint64_t i = 0; examples.size() < 4; ++i) {
      const data::Example example = task->example(data::Split::Training, 1, i);
      if (example.source.size() <= 12) examples.push_back(example);
    }
    const auto batch = [&](std::int64_t length) {
      return data::frame(*task, data::Framing::Classes, examples, length);
    };
    const std::vector<double> shortest = logits(config, batch(12));
    QVERIFY(worstDifference(shortest, logits(config, batch(16))) < 1e-12);
    QVERIFY(worstDifference(shortest, logits(config, batch(32))) < 1e-12);
    QVERIFY(worstDifference(shortest, logits(config, batch(32), false)) > 1e-3);
    // Nor does it matter which other examples are in the batch.
    const Batch alone =
        data::frame(*task, data::Framing::Classes, std::span(examples).first(1), 16);
    std::vector<double> first(shortest.begin(), shortest.begin() + 2);
    QVERIFY(worstDifference(first, logits(config, alone)) < 1e-12);
  }

  void evaluatingInAnotherOrderGivesTheSame() {
    const auto task = taskOf("sentiment");
    Trainer trainer = trainerOf(documentOf("sentiment", "sentiment", quickly()));
    const Evaluation sorted = trainer.evaluate(60);
    TrainConfig whole = quickly();
    whole.batch_size = 60;  // one batch, so that its order means nothing
    trainer.setConfig(whole);
    const Evaluation once = trainer.evaluate(60);
    QVERIFY(std::abs(sorted.loss - once.loss) < 1e-5);
    QCOMPARE(sorted.accuracy, once.accuracy);
    QVERIFY(std::abs(trainer.evaluate(40).loss - once.loss) > 1e-5);
  }

  void aDocumentNeedsNoFile() {
    const QTemporaryDir folder;
    data::TaskConfig files = data::defaultTaskConfig("sentiment");
    files.path = folder.filePath("train.tsv").toStdString();
    files.test_path = folder.filePath("test.tsv").toStdString();
    files.max_length = 16;
    io::writeFile(files.path, numberedReviews(0));
    io::writeFile(files.test_path, numberedReviews(60));
    const std::shared_ptr<const data::Task> task = data::makeTask(files);
    ModelConfig model = presetNamed("sentiment").config();
    fitToTask(model, *task);
    Document document = newDocument(model, files, quickly());
    Trainer trainer = trainerOf(document);
    losses(trainer, 3);
    document.state = trainer.state();
    const std::string path = folder.filePath("m.safetensors").toStdString();
    saveDocument(path, document);
    QVERIFY(QFile::remove(QString::fromStdString(files.path)));
    QVERIFY(QFile::remove(QString::fromStdString(files.test_path)));

    const Document opened = openDocument(path);
    const auto again = data::makeTask(*opened.task);
    QVERIFY(again->sourceVocabulary() == task->sourceVocabulary());
    Trainer reopened = trainerOf(opened);
    QCOMPARE(reopened.evaluate(60).loss, trainer.evaluate(60).loss);
    const std::string question[] = {"the film number 99 is a joy"};
    const auto backend = makeCpuBackend<float>();
    const auto answerOf = [&](const data::Task& of) {
      return answer(opened.state, of, data::Framing::Classes, question, {}, *backend).front();
    };
    QCOMPARE(answerOf(*again).tokens, answerOf(*task).tokens);
    QCOMPARE(losses(reopened, 2), losses(trainer, 2));

    // A document that names a file and does not hold it is refused, and nothing is read.
    io::TensorFile file = toTensorFile(document);
    data::TaskConfig hostile = *document.task;
    hostile.text.clear();
    hostile.path = "/dev/zero";
    file.metadata["task"] = data::toJson(hostile);
    TFM_VERIFY_ERROR(fromTensorFile(file, "file"), "the text is empty");
    hostile = *document.task;
    hostile.vocabulary.clear();
    file.metadata["task"] = data::toJson(hostile);
    TFM_VERIFY_ERROR(fromTensorFile(file, "file"), "task.text");
  }

  void aSmallModelLearnsTheGrammar() {
    // Word counts alone get 54 %, counts of words and their pairs 74 %.
    TrainConfig config;
    useDefaultRates(config, modelFor("sentiment", *taskOf("sentiment")));
    Trainer trainer = trainerOf(documentOf("sentiment", "sentiment", config), 2);
    losses(trainer, 1500);
    const Evaluation evaluation = trainer.evaluate(500);
    QVERIFY2(evaluation.accuracy > 0.85, qPrintable(QString::number(evaluation.accuracy)));
  }
};

TFM_TEST(TestSentiment)
#include "test_sentiment.moc"
