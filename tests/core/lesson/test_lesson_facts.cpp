// SPDX-License-Identifier: GPL-3.0-or-later
// What the shipped lessons say about the model that they open is true of it.
#include <QTest>
#include <algorithm>

#include "core/ask/explained_run.h"
#include "core/backend/registry.h"
#include "core/lesson/lesson_check.h"
#include "core/observe/logit_lens.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::lesson;

namespace {

const std::filesystem::path kLessons =
    std::filesystem::path(TFM_TEST_DATA).parent_path() / "resources" / "lessons";

Desk reading(const std::string& text) {
  Lesson lesson;
  lesson.start = "../documents/rot13.safetensors";
  lesson.text = text;
  return Desk(startOf(lesson, filesIn(kLessons)));
}

std::string answerTo(const std::string& text, const std::string& change = {}) {
  Desk desk = reading(text);
  if (!change.empty()) desk.intervene(change);
  return snapshotFor(Page{}, desk)->probe.answer;
}

}  // namespace

class TestLessonFacts : public QObject {
  Q_OBJECT

 private slots:
  /// Lesson 1: the bright cells of a cross-attention stay on the diagonal, whatever the word.
  void readsByPlace() {
    for (const char* text : {"there", "hello", "mouse"}) {
      Page page;
      page.markdown = "{decoder.layers.0.cross_attention.probabilities[0, 0, 0]}";
      const auto seen = snapshotFor(page, reading(text));
      const auto& maps = seen->observed.at("decoder.layers.0.cross_attention.probabilities");
      const auto queries = std::int64_t(seen->probe.decoder_labels.size());
      int heads = 0;
      for (int head = 0; head < 7; ++head) {
        std::int64_t brightest = 0;  // of the third row
        for (std::int64_t key = 1; key < 5; ++key)
          if (maps.at(head * queries + 2, key) > maps.at(head * queries + 2, brightest))
            brightest = key;
        heads += int(brightest == 2);
      }
      QVERIFY2(heads >= 4, text);  // "in most heads"
    }
  }

  /// Lesson 5: what is lost without a head, without a block, and with states of another text.
  void partsMatterAsItSays() {
    const std::string cross = "decoder.layers.0.cross_attention";
    QCOMPARE(answerTo("there"), std::string("gurer"));
    QVERIFY(answerTo("there", cross + ".head.2=0") != "gurer");
    QCOMPARE(answerTo("there", cross + ".head.5=0"), std::string("gurer"));
    const std::string blind = answerTo("there", cross + "=0");
    QVERIFY(blind != "gurer");
    QCOMPARE(answerTo("hello", cross + "=0"), blind);  // the same for every word
    QCOMPARE(answerTo("there", "encoder.layers.0=from \"hello\""), std::string("gurer"));
    // Only the second letter, which is now the one that belongs to e.
    QCOMPARE(answerTo("there", "encoder.embedding[1, .]=from \"hello\""), std::string("grrer"));
  }

  /// Lesson 4: u is the answer only after the feed-forward.
  void knowsTheLetterAtLast() {
    const Desk desk = reading("there");
    const auto seen = snapshotFor(Page{}, desk);
    train::ExplainedRun<double> run(desk.document().state, seen->probe);
    const auto lens = observe::logitLens(run.explainer(), *makeBackend<double>());
    QVERIFY(lens.size() >= 4);
    constexpr std::int64_t kPosition = 1, kLetter = 'u' - 'a';
    for (std::size_t stage = 0; stage < lens.size(); ++stage) {
      const auto first = lens[stage].logits.begin() + kPosition * lens[stage].cols;
      const auto best = std::max_element(first, first + lens[stage].cols) - first;
      QCOMPARE(best == kLetter, stage + 1 == lens.size());
    }
  }

  /// Lesson 3: nearly all weights change in a step, and the random model knows nothing.
  void oneStepChangesNearlyAll() {
    Desk desk = reading("there");
    desk.startOver();
    QVERIFY(snapshotFor(Page{}, desk)->probe.answer != "gurer");
    const auto before = desk.document().state.parameters;
    desk.trainUntil(1, [](const Situation& now) { return now.step >= 1; });
    const auto& after = desk.document().state.parameters;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) changed += std::size_t(before[i] != after[i]);
    QVERIFY(double(changed) > 0.95 * double(before.size()));
    QVERIFY(changed < before.size());
  }

  /// The head's text and data are what the model reads and learns.
  void aPresetLearnsFromTheLessonsText() {
    Lesson lesson;
    lesson.start = "preset character-model";
    lesson.data = "a.txt";
    Files files = filesIn(kLessons);
    files.text = [](const std::string& path) {
      std::string text;
      for (int line = 0; line < 40; ++line) text += "qqq zzz " + path + "\n";
      return text;
    };
    const train::Document document = startOf(lesson, files);
    QVERIFY(document.task && document.task->text.find("qqq zzz a.txt") == 0);
    QVERIFY(document.task->path.empty());  // so that it is not one's own file
    lesson.data = "missing.txt";
    QVERIFY(problemOf([&] { (void)startOf(lesson, filesIn(kLessons)); }));
  }
};

TFM_TEST(TestLessonFacts)
#include "test_lesson_facts.moc"
