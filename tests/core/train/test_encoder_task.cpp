// SPDX-License-Identifier: GPL-3.0-or-later
// A task whose texts go through a frozen encoder: the model reads features and never a token.
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/ask/answering.h"
#include "core/data/batches.h"
#include "core/data/document_paths.h"
#include "core/data/features/batch_features.h"
#include "core/data/features/feature_file.h"
#include "core/data/features/text_features.h"
#include "core/data/task_table.h"
#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;
namespace fs = std::filesystem;

namespace {

constexpr const char* kEncoder = TFM_TEST_DATA "/goldens/bert";
constexpr std::int64_t kWidth = 32;

/// The label is whether the text has the word "not".
std::string reviews() {
  std::string table;
  for (const char* first : {"film", "the film", "the ending", "the dull film", "great ending"})
    for (const char* last : {"great", "bad", "dull"}) {
      table += std::string("no\t") + first + " was " + last + "\n";
      table += std::string("yes\t") + first + " was not " + last + "\n";
    }
  return table;
}

data::TaskConfig taskConfig() {
  data::TaskConfig config = data::defaultTaskConfig("sentiment");
  config.text = reviews();
  config.encoder_path = kEncoder;
  config.max_length = 7;
  config.held_out = 0.2;
  return config;
}

ModelConfig modelConfig(const data::Task& task) {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::Classes;
  c.hidden = 16;
  c.final_norm = true;
  setUniform(c, 1, 0, {2, 8, 8, 32, 1e-5});
  fitToTask(c, task);
  return c;
}

Document encoderDocument() {
  const auto task = data::makeTask(taskConfig());
  TrainConfig train;
  train.batch_size = 6;
  train.schedule.learning_rate = 0.005;
  return newDocument(modelConfig(*task), taskConfig(), train);
}

/// The same texts with other features: whoever reads them instead of computing sees zeros.
void fillWithZeros(const fs::path& file) {
  const data::FeatureReader known(file, kWidth);
  data::FeatureWriter zeros(file, kWidth, known.texts(), known.tokens());
  for (std::size_t i = 0; i < std::size_t(known.texts()); ++i) {
    const auto text = known.text(i);
    const std::vector<float> none(text.size() * std::size_t(kWidth));
    zeros.add({text.begin(), text.end()}, {none.data(), std::int64_t(text.size()), kWidth});
  }
  zeros.commit();
}

}  // namespace

class TestEncoderTask : public QObject {
  Q_OBJECT

 private:
  const QTemporaryDir home_;

 private slots:
  void initTestCase() { qputenv("XDG_CACHE_HOME", home_.path().toUtf8()); }

  void theModelReadsFeatures() {
    const auto task = data::makeTask(taskConfig());
    const ModelConfig c = modelConfig(*task);
    QVERIFY(c.input == InputKind::Features);
    QCOMPARE(c.feature_size, kWidth);
    QCOMPARE(c.hidden, kWidth);  // 16 would not hold them
    QCOMPARE(c.source_vocabulary, 0);
    QCOMPARE(c.output_size, 2);
    checkFit(c, *task);
    ModelConfig tokens = c;
    tokens.input = InputKind::Tokens;
    tokens.feature_size = 0;
    tokens.source_vocabulary = 61;
    TFM_VERIFY_ERROR(checkFit(tokens, *task), "feature_size is 0");
    ModelConfig wide = c;
    wide.hidden = 40;
    wide.feature_size = 40;
    TFM_VERIFY_ERROR(checkFit(wide, *task), "feature_size is 40");
    wide.feature_size = kWidth;
    TFM_VERIFY_ERROR(checkFit(wide, *task), "no error");
    TFM_VERIFY_ERROR(checkFit(c, *taskOf("parentheses")), "token input");
  }

  /// Rows are those of the encoder for the tokens, and zero where there is padding.
  void batchesCarryFeatures() {
    const auto task = data::makeTask(taskConfig());
    const std::vector<data::Example> examples{task->example(data::Split::Training, 0, 0),
                                              {task->encodeInput("film"), {}}};
    const Batch batch = data::frame(*task, data::Framing::Classes, examples);
    QVERIFY(batch.source.empty());
    QCOMPARE(batch.source_features.size(), std::size_t(2 * 7 * kWidth));
    for (std::size_t i = 0; i < 2; ++i) {
      const std::vector<data::Ids> text{examples[i].source};
      const std::vector<float> expected = data::TextFeatures(kEncoder).read(text);
      for (std::size_t k = 0; k < std::size_t(7 * kWidth); ++k) {
        const double value = batch.source_features[i * 7 * kWidth + k];
        QVERIFY(std::abs(value - (k < expected.size() ? double(expected[k]) : 0.0)) < 1e-5);
      }
    }
    QCOMPARE(batch.source_pad[7 + 2], 0);
    QCOMPARE(batch.source_pad[7 + 3], 1);  // [CLS] film [SEP]
  }

  void longTextsKeepTheirEnd() {
    const auto task = data::makeTask(taskConfig());
    const data::Ids ids = task->encodeInput("the ending was not bad the ending was not bad");
    QVERIFY((ids == data::Ids{2, 8, 9, 10, 11, 12, 3}));
    QVERIFY(task->inputNotice("the ending was not bad the ending").find("7 of 9") !=
            std::string::npos);
    TFM_VERIFY_ERROR(task->encodeInput(""), "nothing");
  }

  void itLearnsAndAnswers() {
    Trainer trainer = trainerOf(encoderDocument());
    const double before = trainer.evaluate(6).loss;
    for (int i = 0; i < 60; ++i) trainer.step();
    QVERIFY2(trainer.evaluate(6).loss < 0.7 * before,
             qPrintable(QString::number(trainer.evaluate(6).loss)));
    const std::vector<std::string> typed{"the film was not great", "the film was great"};
    const auto answers =
        answer(trainer.state(), trainer.task(), trainer.framing(), typed, {}, trainer.backend());
    QCOMPARE(answers[0].answer, std::string("yes"));
    QCOMPARE(answers[1].answer, std::string("no"));
    const ProbeInput input =
        probeInput(trainer.state(), trainer.task(), trainer.framing(), typed[0], trainer.backend());
    QCOMPARE(input.source_labels.size(), std::size_t{7});
    QCOMPARE(input.batch.source_features.size(), std::size_t(7 * kWidth));
    QCOMPARE(input.answer, std::string("yes"));
  }

  /// The cache, whether it is there or not, changes features by rounding only.
  void aFilledCacheIsUsed() {
    const auto task = data::makeTask(taskConfig());
    const data::Framing framing = data::Framing::Classes;
    const Batch without = data::evaluationBatch(*task, framing, 0, 5);
    const auto prepared = task->features()->prepare(data::storedQuestions(*task), 2);
    QVERIFY(prepared.computed);
    QVERIFY(!data::makeTask(taskConfig())
                 ->features()
                 ->prepare(data::storedQuestions(*task), 1)
                 .computed);
    const auto task_again = data::makeTask(taskConfig());
    const Batch with = data::evaluationBatch(*task_again, framing, 0, 5);
    QCOMPARE(with.source_features.size(), without.source_features.size());
    for (std::size_t i = 0; i < with.source_features.size(); ++i)
      QVERIFY(std::abs(with.source_features[i] - without.source_features[i]) < 1e-5);
    fillWithZeros(prepared.file);
    const auto task_of_zeros = data::makeTask(taskConfig());
    const Batch zeros = data::evaluationBatch(*task_of_zeros, framing, 0, 5);
    for (const double value : zeros.source_features) QCOMPARE(value, 0.0);
    fs::remove(prepared.file);
  }

  void aDocumentKeepsAllButTheEncoder() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    qputenv("XDG_CACHE_HOME", temporary.filePath("cache").toUtf8());
    const auto restore = qScopeGuard([this] { initTestCase(); });
    fs::copy(kEncoder, folder / "bert");
    data::TaskConfig config = taskConfig();
    config.text.clear();
    config.path = folder / "reviews.tsv";
    config.encoder_path = folder / "bert";
    io::writeFile(config.path, reviews());
    const Document made = newDocument(modelConfig(*data::makeTask(config)), config, {});
    QCOMPARE(made.task->encoder_content, data::TextFeatures(kEncoder).content());
    saveDocument(folder / "m.safetensors", made);
    for (const auto& [key, value] : io::readSafetensors(folder / "m.safetensors").metadata)
      QVERIFY2(value.find(folder.string()) == value.npos, key.c_str());
    fs::remove(config.path);
    fs::remove(folder / "bert" / "vocab.txt");
    const Document opened = openDocument(folder / "m.safetensors");
    const auto task = data::makeTask(*opened.task);
    QVERIFY((task->encodeInput("the film") == data::Ids{2, 8, 5, 3}));
    const Batch batch = data::evaluationBatch(*task, data::Framing::Classes, 0, 3);
    QVERIFY(!batch.source_features.empty());

    std::string weights = io::readFile(folder / "bert" / "model.safetensors", 1 << 20);
    weights[weights.size() - 2] ^= 1;
    io::writeFile(folder / "bert" / "model.safetensors", weights);
    const auto changed = data::makeTask(*opened.task);
    TFM_VERIFY_ERROR(data::evaluationBatch(*changed, data::Framing::Classes, 0, 3),
                     "not the encoder");
    fs::remove_all(folder / "bert");
    TFM_VERIFY_ERROR(openDocument(folder / "m.safetensors"), "not a folder");
    // Another place that this machine remembers.
    data::rememberPlace(made.task->encoder_content, kEncoder);
    QCOMPARE(openDocument(folder / "m.safetensors").task->encoder_path, std::string(kEncoder));
  }

  void whatAnEncoderCannotRead() {
    data::TaskConfig config = taskConfig();
    config.max_length = 65;
    TFM_VERIFY_ERROR(data::makeTask(config), "up to 64 tokens");
    config.max_length = 64;
    TFM_VERIFY_ERROR(data::makeTask(config), "no error");
    config.text.clear();
    TFM_VERIFY_ERROR(data::makeTask(config), "built-in reviews");
    config.encoder_path = "/nowhere";
    config.text = reviews();
    TFM_VERIFY_ERROR(data::makeTask(config), "not a folder");
  }
};

TFM_TEST(TestEncoderTask)
#include "test_encoder_task.moc"
