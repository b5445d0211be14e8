// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <set>

#include "core/ask/answering.h"
#include "core/ask/translation_score.h"
#include "core/data/task_table.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// Forty sentences with one or two translations each.
std::string sentences() {
  const char* names[] = {"Anna", "Ben", "Tom", "Eva"};
  const char* verbs[][2] = {{"sleeps", "dort"},
                            {"reads", "lit"},
                            {"runs", "court"},
                            {"eats", "mange"},
                            {"sings", "chante"}};
  std::string text;
  for (const char* name : names)
    for (const auto& [english, french] : verbs)
      for (const bool here : {false, true}) {
        const std::string question = std::string(name) + " " + english + (here ? " here." : ".");
        const std::string answer = std::string(name) + " " + french;
        text += question + "\t" + answer + (here ? " ici." : ".") + "\n";
        if (here) text += question + "\tIci, " + answer + " !\n";
      }
  return text;
}

data::TaskConfig translation() {
  data::TaskConfig config = data::defaultTaskConfig("pairs");
  config.text = sentences();
  config.tokenizer = "bpe";
  config.vocabulary_size = 120;
  config.max_length = 16;
  config.held_out = 0.25;
  config.loss_positions = data::LossPositions::FirstPad;
  return config;
}

Document translator() {
  const auto task = data::makeTask(translation());
  TrainConfig config;
  config.batch_size = 16;
  config.schedule.learning_rate = 5e-3;
  return newDocument(modelFor("small-sequence", *task), task->config(), config);
}

TranslationScore scored(const Trainer& trainer, std::int64_t beams, std::int64_t most = 0,
                        const TranslationProgress& progress = {}) {
  return scoreTranslations(trainer.state(), trainer.task(), {.beams = beams}, most,
                           trainer.backend(), progress);
}

}  // namespace

class TestTranslationScore : public QObject {
  Q_OBJECT

 private slots:
  void everyQuestionOnceWithAllItsAnswers() {
    Trainer trainer = trainerOf(translator());
    const data::Task& task = trainer.task();
    const TranslationScore score = scored(trainer, 1);
    QCOMPARE(score.questions.size(), std::size_t(10));  // a quarter of forty
    QCOMPARE(std::set(score.questions.begin(), score.questions.end()).size(), std::size_t(10));
    std::int64_t references = 0;
    for (std::size_t i = 0; i < score.questions.size(); ++i) {
      const bool two = score.questions[i].find("here") != std::string::npos;
      const auto& own = score.translations[i].references;
      QCOMPARE(own.size(), std::size_t(two ? 2 : 1));
      references += std::ssize(own);
    }
    QCOMPARE(references, task.exampleCount(data::Split::Evaluation));
    QCOMPARE(score.bleu.score, data::corpusBleu(score.translations).score);
    QCOMPARE(scored(trainer, 1, 3).questions.size(), std::size_t(3));
  }

  void oneBeamGivesTheGreedyAnswers() {
    Trainer trainer = trainerOf(translator());
    losses(trainer, 30);
    const TranslationScore score = scored(trainer, 1);
    SamplingOptions greedy;
    greedy.max_tokens = trainer.task().maxTargetLength();
    const auto answers = answer(trainer.state(), trainer.task(), trainer.framing(), score.questions,
                                greedy, trainer.backend());
    for (std::size_t i = 0; i < answers.size(); ++i)
      QCOMPARE(score.translations[i].hypothesis, answers[i].answer);
  }

  void trainingRaisesTheScore() {
    Trainer trainer = trainerOf(translator());
    const double before = scored(trainer, 2).bleu.score;
    losses(trainer, 400);
    const double after = scored(trainer, 2).bleu.score;
    QVERIFY2(after > before + 20.0, qPrintable(QString("%1 to %2").arg(before).arg(after)));
  }

  void aDocumentKeepsItsVocabulary() {
    const QTemporaryDir folder;
    const std::filesystem::path path(folder.filePath("model.safetensors").toStdString());
    const Document document = translator();
    saveDocument(path, document);
    const Document opened = openDocument(path);
    QVERIFY(!opened.task->vocabulary.empty());
    QCOMPARE(data::makeTask(*opened.task)->sourceVocabulary(),
             data::makeTask(translation())->sourceVocabulary());
    Trainer trainer = trainerOf(document), again = trainerOf(opened);
    QCOMPARE(losses(again, 3), losses(trainer, 3));
    // Without its task it answers the same.
    const Document alone = modelAlone(opened);
    const std::string question[] = {"Tom sings here."};
    const auto own =
        answer(opened.state, trainer.task(), trainer.framing(), question, {}, trainer.backend());
    const auto codecs =
        answer(alone.state, *alone.codec, trainer.framing(), question, {}, trainer.backend());
    QCOMPARE(codecs.front().answer, own.front().answer);
    QCOMPARE(alone.codec->tokenizerName(), std::string_view("bpe"));
  }

  void stopsWhereAsked() {
    Trainer trainer = trainerOf(translator());
    std::int64_t done = 0, all = 0;
    const auto stop = [&](std::int64_t now, std::int64_t of) {
      done = now;
      all = of;
      return false;
    };
    const TranslationScore part = scored(trainer, 100, 0, stop);
    QCOMPARE(done, 1);
    QCOMPARE(all, 10);
    // What has been translated by then is scored: the shortest question, with its own answers.
    QCOMPARE(part.asked, 10);
    QCOMPARE(part.questions.size(), std::size_t(1));
    const TranslationScore whole = scored(trainer, 100);
    QCOMPARE(whole.asked, std::ssize(whole.questions));
    const auto shortest = std::ranges::min_element(
        whole.questions, {}, [](const std::string& question) { return question.size(); });
    const auto place = std::size_t(shortest - whole.questions.begin());
    QCOMPARE(part.questions.front(), *shortest);
    QCOMPARE(part.translations.front().references, whole.translations[place].references);
    QCOMPARE(part.translations.front().hypothesis, whole.translations[place].hypothesis);
    QCOMPARE(part.bleu.score, data::corpusBleu(part.translations).score);
  }

  void refusesWhatIsNoTranslation() {
    Trainer trainer = trainerOf(documentOf("rot13", "rot13"));
    TFM_VERIFY_ERROR(scored(trainer, 1), "no held-out texts and translations");
    TFM_VERIFY_ERROR(scored(trainer, 0), "no held-out texts and translations");
    Trainer other = trainerOf(translator());
    TFM_VERIFY_ERROR(scored(other, 0), "beams is 0");
  }
};

TFM_TEST(TestTranslationScore)
#include "test_translation_score.moc"
