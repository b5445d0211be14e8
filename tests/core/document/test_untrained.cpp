// SPDX-License-Identifier: GPL-3.0-or-later
// New models before their first step, with a task and without one.
#include <QTemporaryDir>
#include <QTest>

#include "core/ask/answering.h"
#include "core/ask/observer.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/document/untrained.h"
#include "core/model/build_program.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

class TestUntrained : public QObject {
  Q_OBJECT

 private slots:
  void everyPresetOpensAndRuns_data() {
    constexpr std::int64_t kMost = 5'000'000;  // the published ones take gigabytes
    QTest::addColumn<QByteArray>("name");
    for (const Preset& preset : presets())
      if (parameterLayout(preset.config()).total <= kMost)
        QTest::newRow(preset.name.data()) << QByteArray(preset.name.data());
  }
  void everyPresetOpensAndRuns() {
    QFETCH(const QByteArray, name);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("m.safetensors").toStdString();
    saveDocument(path, untrained(presetNamed(name.constData())));
    const Document document = openDocument(path);
    QCOMPARE(document.state.step, 0);
    Looking looking;
    looking.question = "ab";
    looking.pattern = "*.probabilities,output";
    looking.samples = {looking.question};
    const auto codec = makeCodec(document);
    if (!codec->canRead("ab")) looking.question = looking.samples.front() = questionOf(*codec);
    const Snapshot snapshot = *Observer(codec).look(looking, shared(document.state));
    QCOMPARE(snapshot.problem, std::string());
    QVERIFY(!snapshot.observed.empty());
  }

  void aPresetWithoutATaskKeepsItsSizes() {
    for (const char* name : {"annotated-encoder", "small-translator", "delight-wmt16-en-ro-128"}) {
      const ModelConfig config = presetNamed(name).config();
      const Document document = untrained(presetNamed(name));
      QVERIFY(!document.task);
      QVERIFY(document.state.config == config);
      QCOMPARE(document.codec->sourceVocabulary().size(), config.source_vocabulary);
    }
    const data::Vocabulary letters =
        untrained(presetNamed("annotated-encoder")).codec->sourceVocabulary();
    QVERIFY(letters == data::Vocabulary::annotated());
    const data::Vocabulary many =
        untrained(presetNamed("small-translator")).codec->sourceVocabulary();
    QCOMPARE(many.find("A"), many.find("z") + 34);  // after the space and 33 signs and digits
    QCOMPARE(many.token(2000), std::string("[token 2000]"));
  }

  void theSeedDrawsTheWeights() {
    const ModelConfig config = presetNamed("annotated-encoder").config();
    QVERIFY(sameState(untrainedAlone(config, seeded(3)).state,
                      untrainedAlone(config, seeded(3)).state));
    QVERIFY(!sameState(untrainedAlone(config, seeded(3)).state,
                       untrainedAlone(config, seeded(4)).state));
  }

  void otherOutputsCanBeWithoutATask() {
    for (const char* name : {"small-classifier", "small-tagger", "character-model",
                             "annotated-decoder", "expansions-notebook"}) {
      ModelConfig config = presetNamed(name).config();
      config.output_size = config.output_size == 2 ? 5 : config.output_size;
      const Document document = untrainedAlone(config, {});
      QVERIFY(document.state.config == config);
      QVERIFY(!answersOf(document).empty());
    }
  }

  void whatCannotBeNamedIsRefused() {
    ModelConfig config = presetNamed("annotated-encoder").config();
    config.source_vocabulary = 2;
    TFM_VERIFY_ERROR(untrainedAlone(config, {}), "source_vocabulary is 2");
    TFM_VERIFY_ERROR(untrainedAlone(presetNamed("annotated-attention").config(), {}),
                     "cannot learn the task");
    config = presetNamed("delight-wmt14-en-de-640").config();
    setUniform(config, 900, 900, {64, 640, 640, 1 << 20, 1e-5});
    config.share_embeddings = true;
    TFM_VERIFY_ERROR(untrainedAlone(config, {}), "of memory");
  }

  void aDecoderAloneLearnsToReadOneHotLetters() {
    // Its sizes are the vocabulary's, whatever they were.
    ModelConfig config = presetNamed("annotated-decoder").config();
    config.memory_size = 7;
    const auto task = taskOf("addition");
    fitToTask(config, *task);
    QCOMPARE(config.memory_size, task->sourceVocabulary().size());
    QCOMPARE(config.source_vocabulary, 0);
    config.memory_size += 1;
    TFM_VERIFY_ERROR(checkFit(config, *task), "memory_size is");

    TrainConfig train;
    train.batch_size = 32;
    train.schedule.learning_rate = 3e-3;
    Document document = documentOf("annotated-decoder", "rot13", train);
    document.train.schedule.learning_rate = 3e-3;
    Trainer trainer = trainerOf(document);
    const double before = trainer.evaluate(200).loss;
    losses(trainer, 150);
    QVERIFY2(trainer.evaluate(200).loss < 0.8 * before,
             qPrintable(QString("%1 to %2").arg(before).arg(trainer.evaluate(200).loss)));
  }

 private:
  static TrainConfig seeded(std::uint64_t seed) {
    TrainConfig train;
    train.seed = seed;
    return train;
  }
  static std::string questionOf(const data::TextCodec& codec) {
    const data::Vocabulary& read = codec.sourceVocabulary();
    return codec.inputText(std::vector<std::int32_t>{0, std::int32_t(read.size() > 1 ? 1 : 0)});
  }
  static std::string answersOf(const Document& document) {
    const std::string question = "ab";
    SamplingOptions greedy;
    greedy.max_tokens = 3;
    const auto backend = makeCpuBackend<float>();
    const auto codec = makeCodec(document);
    return answer(document.state, *codec, framingFor(document.state.config, *codec), {&question, 1},
                  greedy, *backend)
        .front()
        .question;
  }
};

TFM_TEST(TestUntrained)
#include "test_untrained.moc"
