// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of numbers answered with rows of numbers: the task regression from its examples to a
// document, with the models of the notebooks that read features.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "core/ask/answering.h"
#include "core/ask/explained_run.h"
#include "core/ask/growth_proof.h"
#include "core/ask/step_texts.h"
#include "core/backend/registry.h"
#include "core/data/batches.h"
#include "core/data/number_table.h"
#include "core/data/self_contained.h"
#include "core/data/task_for_file.h"
#include "core/data/task_table.h"
#include "core/expand/grow.h"
#include "core/io/npz.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "core/train/step_parts.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// The task of a preset that reads features.
data::TaskConfig regressionOf(std::string_view preset) {
  return taskLike(presetNamed(preset).config(), data::defaultTaskConfig("regression"));
}

Document documentFor(std::string_view preset, const data::TaskConfig& task) {
  const auto made = data::makeTask(task);
  ModelConfig model = presetNamed(preset).config();
  model.output = outputFor(model, *made);
  fitToTask(model, *made);
  TrainConfig config;
  useDefaultRates(config, model);
  config.schedule.learning_rate = 0.01;
  config.batch_size = 20;  // chunks of unequal size
  return newDocument(model, task, config);
}

/// 40 sequences of 3 positions: y1 is the mean of x1 over the sequence, at each position or once.
std::string meansOf(bool once) {
  data::NumberTable table{
      .sequences = 40, .positions = 3, .input_width = 2, .target_width = 1, .one_target = once};
  for (std::int64_t s = 0; s < table.sequences; ++s) {
    double mean = 0.0;
    for (std::int64_t p = 0; p < 3; ++p) {
      const double x = std::sin(double(7 * s + p));
      table.inputs.insert(table.inputs.end(), {x, 1.0});
      mean += x / 3.0;
    }
    for (std::int64_t p = 0; p < table.answers(); ++p) table.targets.push_back(mean);
  }
  return data::numberTableText(table);
}

data::TaskConfig storedMeans(bool once) {
  data::TaskConfig config = data::defaultTaskConfig("regression");
  config.text = meansOf(once);
  return config;
}

}  // namespace

class TestRegression : public QObject {
  Q_OBJECT

 private slots:
  void generatedExamplesHaveARule() {
    data::TaskConfig config = regressionOf("encoder-layer-notebook");
    const auto task = data::makeTask(config);
    const data::Ids abc = task->encodeInput("abc"), bac = task->encodeInput("bac");
    const std::vector<double> answer = task->rightNumbers(abc), other = task->rightNumbers(bac);
    QCOMPARE(answer.size(), std::size_t(3 * 4));
    // The mean is that of both, so exchanged rows have exchanged answers.
    for (std::size_t i = 0; i < 4; ++i) {
      QVERIFY(std::abs(answer[i] - other[4 + i]) < 1e-12);
      QVERIFY(std::abs(answer[8 + i] - other[8 + i]) < 1e-12);
      QVERIFY(std::abs(answer[i] - other[i]) > 1e-6);
    }
    // But an answer needs the other positions.
    QVERIFY(task->rightNumbers(task->encodeInput("abd"))[0] != answer[0]);
    config.feature_seed = 1;
    QVERIFY(data::makeTask(config)->rightNumbers(abc) != answer);
    QVERIFY(task->hasHeldOutExamples());
    config.max_length = 2;  // 676 words are too few to hold some out
    QVERIFY(!data::makeTask(config)->hasHeldOutExamples());
  }

  void theAnswerCanBeTheInput() {
    data::TaskConfig config = regressionOf("encoder-layer-notebook");
    config.answers_input = true;
    const auto task = data::makeTask(config);
    const data::Ids abc = task->encodeInput("abc");
    std::vector<double> read;
    for (const std::int32_t id : abc)
      for (const double number : task->drawn().row(id)) read.push_back(number);
    QCOMPARE(task->rightNumbers(abc), read);
    const std::string json = data::toJson(config);
    QVERIFY(data::taskConfigFromJson(json) == config);
    QVERIFY(!data::isSameTask(config, regressionOf("encoder-layer-notebook")));
    config.target_width = 3;
    TFM_VERIFY_ERROR(data::makeTask(config), "target_width is 3, but 4 numbers are read");
  }

  void theNotebooksModelsKeepTheirSizes() {
    const auto parameters = [](std::string_view preset) {
      return documentFor(preset, regressionOf(preset)).state.layout.total;
    };
    QCOMPARE(parameters("expansions-notebook"), 618);
    QCOMPARE(parameters("encoder-layer-notebook"), 676);
    QCOMPARE(parameters("encoder-layer-notebook-independent"), 2028);
    QCOMPARE(parameters("annotated-attention"),
             parameterLayout(presetNamed("annotated-attention").config()).total);
  }

  void theyLearn_data() {
    QTest::addColumn<QString>("preset");
    for (const char* preset : {"expansions-notebook", "encoder-layer-notebook-independent"})
      QTest::newRow(preset) << preset;
  }
  void theyLearn() {
    QFETCH(QString, preset);
    const std::string name = preset.toStdString();
    Document document = documentFor(name, regressionOf(name));
    document.state.config.attention_dropout = document.state.config.residual_dropout =
        document.state.config.feed_forward_dropout = 0.0;
    Trainer trainer = trainerOf(document);
    const Evaluation before = trainer.evaluate(100);
    losses(trainer, 400);
    const Evaluation after = trainer.evaluate(100);
    QVERIFY2(after.loss < 0.7 * before.loss, qPrintable(QString::number(after.loss)));
    QVERIFY(after.position_accuracy > before.position_accuracy);
    QVERIFY(after.position_accuracy <= 1.0);
  }

  void theLossIsTheMeanSquareOfAllNumbers() {
    const Document document =
        documentFor("expansions-notebook", regressionOf("expansions-notebook"));
    Trainer trainer = trainerOf(document);
    const Evaluation measured = trainer.evaluate(30);  // a batch of 20 and one of 10
    double sum = 0.0;
    std::int64_t near = 0, count = 0, all_near = 0;
    for (std::uint64_t i = 0; i < 30; ++i) {
      const data::Example one =
          trainer.task().example(data::Split::Evaluation, data::kEvaluationSeed, i);
      const Batch batch = data::frame(trainer.task(), data::Framing::Numbers, std::span(&one, 1));
      observe::Probe probe(document.state.config, batch, trainer.backend());
      const TensorId id = probe.program().find(names::kOutput);
      const std::string& path = probe.program().tensors[std::size_t(id)].name;
      const auto output = probe.run(document.state.parameters, batch, path, 0).at(path);
      const std::int64_t near_before = near;
      for (std::size_t n = 0; n < output.values.size(); ++n) {
        const double error = double(output.values[n]) - batch.label_features[n];
        sum += error * error;
        near += std::abs(error) <= batch.label_tolerance ? 1 : 0;
        ++count;
      }
      all_near += near - near_before == std::ssize(output.values) ? 1 : 0;
    }
    QCOMPARE(count, std::int64_t(30 * 2 * 2));
    QVERIFY(std::abs(measured.loss - sum / double(count)) < 1e-5 * measured.loss);
    QVERIFY(near > 0 && near < count);
    QCOMPARE(measured.position_accuracy, double(near) / double(count));
    QCOMPARE(measured.accuracy, double(all_near) / 30.0);
  }

  void trainingResumesBitForBit() {
    const Document document =
        documentFor("encoder-layer-notebook", regressionOf("encoder-layer-notebook"));
    Trainer whole = trainerOf(document);
    const std::vector<double> all = losses(whole, 8);
    Trainer first = trainerOf(document);
    losses(first, 5);
    Document half = document;
    half.state = first.state();
    QTemporaryDir folder;
    const std::string path = folder.filePath("m.safetensors").toStdString();
    saveDocument(path, half);
    const Document again = openDocument(path);
    QVERIFY(again.task == document.task);
    Trainer rest = trainerOf(again);
    QCOMPARE(losses(rest, 3), std::vector<double>(all.begin() + 5, all.end()));
    QVERIFY(sameState(rest.state(), whole.state()));
    Document other = document;
    other.task->feature_seed = 3;
    Trainer different = trainerOf(other);
    QVERIFY(losses(different, 8) != all);
  }

  void growthKeepsAnswersAndLoss_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("size");
    for (const char* preset : {"expansions-notebook", "encoder-layer-notebook"})
      QTest::addRow("%s, feed-forward", preset) << preset << int(expand::Kind::FeedForward) << 70;
    // The other model's outputs are its hidden states, whose number must not change.
    QTest::addRow("hidden") << "expansions-notebook" << int(expand::Kind::Hidden) << 9;
  }
  void growthKeepsAnswersAndLoss() {
    QFETCH(QString, preset);
    QFETCH(int, kind);
    QFETCH(int, size);
    const std::string name = preset.toStdString();
    const Document document = documentFor(name, regressionOf(name));
    const auto task = makeTask(document);
    expand::Growth wider;
    wider.kind = expand::Kind(kind);
    wider.size = size;
    const expand::Grown grown = expand::grow(document.state, {wider});
    QVERIFY(grown.state.layout.total > document.state.layout.total);
    const data::Framing framing = framingFor(document.state.config, *task);
    const GrowthProof proof = proveGrowth(document.state, grown, *task, task.get(), framing, 20);
    QVERIFY(proof.verdict.exact);
    QVERIFY(proof.verdict.loss_before > 0.01);
    QVERIFY(std::abs(proof.verdict.loss_after - proof.verdict.loss_before) <
            1e-5 * proof.verdict.loss_before);
    // It trains on.
    Document after = document;
    after.state = grown.state;
    Trainer trainer = trainerOf(after);
    const std::vector<double> next = losses(trainer, 3);
    QVERIFY(std::ranges::all_of(next, [](double loss) { return std::isfinite(loss); }));
  }

  void everythingIsExplainedToTheLoss() {
    const Document document =
        documentFor("encoder-layer-notebook", regressionOf("encoder-layer-notebook"));
    const auto task = makeTask(document);
    const auto backend = makeBackend<float>();
    const std::string text = "abc";
    const auto step = [&](const data::TextCodec& codec) {
      return stepTexts(document.state, codec, data::Framing::Numbers, std::span(&text, 1), *backend)
          .all;
    };
    const ProbeInput input = step(*task);
    QCOMPARE(input.batch.label_features, task->rightNumbers(task->encodeInput("abc")));
    QVERIFY(!input.answer.empty());
    ExplainedRun<double> run(document.state, input, partsWithWhole(document.state.config, {}));
    const auto output = run.values(run.program().find(names::kOutput));
    double sum = 0.0;
    for (std::int64_t r = 0; r < output.rows; ++r)
      for (std::int64_t c = 0; c < output.cols; ++c)
        sum += std::pow(
            output.at(r, c) - input.batch.label_features[std::size_t(r * output.cols + c)], 2);
    QVERIFY(std::abs(run.loss() - sum / 12.0) < 1e-12);
    // Without a task, nobody knows what is right.
    const auto codec = task->codec();
    TFM_VERIFY_ERROR(step(*codec), "no loss");
  }

  void numbersOfAFileAreLearnt_data() {
    QTest::addColumn<bool>("once");
    QTest::newRow("one answer per position") << false;
    QTest::newRow("one per sequence") << true;
  }
  void numbersOfAFileAreLearnt() {
    QFETCH(bool, once);
    Document document = documentFor("expansions-notebook", storedMeans(once));
    QCOMPARE(document.state.config.output, once ? OutputKind::Classes : OutputKind::Labels);
    QCOMPARE(document.state.config.feature_size, 2);
    QCOMPARE(document.state.config.output_size, 1);
    const auto task = makeTask(document);
    QCOMPARE(task->exampleCount(data::Split::Training), 36);
    QCOMPARE(task->exampleCount(data::Split::Evaluation), 4);
    std::set<std::int32_t> trained;
    for (std::uint64_t i = 0; i < 36; ++i)
      trained.insert(task->example(data::Split::Training, 1, i).source.front());
    QCOMPARE(trained.size(), std::size_t(36));
    for (std::uint64_t i = 0; i < 4; ++i)
      QVERIFY(!trained.contains(task->example(data::Split::Evaluation, 1, i).source.front()));
    const data::Ids second = task->encodeInput("r4 r5 r6");
    QCOMPARE(task->rightNumbers(second).size(), std::size_t(once ? 1 : 3));
    const double mean = (std::sin(7.0) + std::sin(8.0) + std::sin(9.0)) / 3.0;
    QVERIFY(std::abs(task->rightNumbers(second)[0] - mean) < 1e-6);
    QVERIFY(task->rightNumbers(task->encodeInput("r5 r6 r7")).empty());  // of two sequences
    Trainer trainer = trainerOf(document);
    const double before = trainer.evaluate(4).loss;
    losses(trainer, 300);
    QVERIFY(trainer.evaluate(4).loss < 0.5 * before);
  }

  void aFilesNumbersStayInTheDocument() {
    QTemporaryDir folder;
    const std::string table = folder.filePath("x.npz").toStdString();
    const data::NumberTable t = data::parseNumberTable(meansOf(true), "t");
    io::writeNpz(table, {{"inputs", io::makeTensor({40, 3, 2}, std::span(t.inputs))},
                         {"targets", io::makeTensor({40, 1}, std::span(t.targets))}});
    QCOMPARE(data::taskForFile(table).kind, std::string("regression"));
    data::TaskConfig config = data::defaultTaskConfig("regression");
    config.path = table;
    const Document document = documentFor("expansions-notebook", config);
    QCOMPARE(QString::fromStdString(document.task->text), QString::fromStdString(meansOf(true)));
    QVERIFY(QFile::remove(QString::fromStdString(table)));
    const std::string path = folder.filePath("m.safetensors").toStdString();
    saveDocument(path, document);
    data::TaskConfig kept = *document.task;
    kept.path = "x.npz";  // of a file that is gone, the name
    QVERIFY(openDocument(path).task == kept);

    // Without its task, the model still reads the rows, but nobody knows the answers.
    saveDocument(path, modelAlone(document));
    const auto codec = makeCodec(openDocument(path));
    QCOMPARE(codec->drawn().row(2), (std::vector<double>{t.inputs[0], t.inputs[1]}));
    QCOMPARE(codec->drawn().row(0), (std::vector<double>{0, 0}));
    QVERIFY(codec->rightNumbers(codec->encodeInput("r1 r2 r3")).empty());
  }

  void whatDoesNotFitIsRefused() {
    const auto once = data::makeTask(storedMeans(true));
    const auto each = data::makeTask(storedMeans(false));
    const ModelConfig labels = presetNamed("expansions-notebook").config();
    const ModelConfig classes = presetNamed("small-classifier").config();
    TFM_VERIFY_ERROR(framingFor(labels, *once), "cannot learn the task 'regression'");
    TFM_VERIFY_ERROR(framingFor(classes, *each), "cannot learn the task 'regression'");
    TFM_VERIFY_ERROR(framingFor(presetNamed("rot13").config(), *each), "cannot learn");
    TFM_VERIFY_ERROR(framingFor(labels, *each), "no error");
    TFM_VERIFY_ERROR(framingFor(classes, *once), "no error");
    data::TaskConfig same = data::defaultTaskConfig("regression");
    same.text = "x1,y1\n1,2\n1,3\n";
    TFM_VERIFY_ERROR(data::makeTask(same), "fewer than two different sequences");
  }
};

TFM_TEST(TestRegression)
#include "test_regression.moc"
