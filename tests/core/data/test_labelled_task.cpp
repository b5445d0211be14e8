// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/data/self_contained.h"
#include "core/data/task_statistics.h"
#include "core/data/task_table.h"
#include "core/io/atomic_file.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

/// A hundred texts of 1 to 10 words; word 3 of a text says its class.
std::string table(int first = 0) {
  std::string text;
  for (int i = first; i < first + 100; ++i) {
    text += std::to_string(i % 2) + "\tthe film " + std::to_string(i) +
            (i % 2 == 0 ? " bores" : " shines");
    for (int j = 0; j < i % 7; ++j) text += " so";
    text += '\n';
  }
  return text;
}

TaskConfig sentimentConfig(const std::string& text = table()) {
  TaskConfig config = defaultTaskConfig("sentiment");
  config.text = text;
  return config;
}

std::set<std::string> textsOf(const Task& task, Split split) {
  std::set<std::string> texts;
  for (std::int64_t i = 0; i < task.exampleCount(split); ++i)
    texts.insert(task.questionText(split, 3, static_cast<std::uint64_t>(i)));
  return texts;
}

}  // namespace

class TestLabelledTask : public QObject {
  Q_OBJECT

 private slots:
  void learnsItsWordsAndClasses() {
    const auto task = makeTask(sentimentConfig());
    QCOMPARE(task->form(), TaskForm::Classes);
    QCOMPARE(task->targetVocabulary().tokens(), (std::vector<std::string>{"negative", "positive"}));
    QVERIFY(task->sourceVocabulary().find("bores") >= 0);
    QCOMPARE(task->sourceVocabulary().find("17"), -1);  // there once: unknown
    QCOMPARE(task->exampleCount(Split::Training), 90);
    QCOMPARE(task->exampleCount(Split::Evaluation), 10);
    for (std::uint64_t i = 0; i < 90; ++i) {
      const Sample sample = task->sample(i);
      QCOMPARE(sample.target == "negative", sample.source.find("bores") != std::string::npos);
      QCOMPARE(task->encodeInput(sample.source), task->example(Split::Training, 0, i).source);
    }
  }

  void otherLabelsKeepTheirNames() {
    std::string text = table();
    text += "2\tneither\n";
    QCOMPARE(makeTask(sentimentConfig(text))->targetVocabulary().tokens(),
             (std::vector<std::string>{"0", "1", "2"}));
  }

  void sidesDoNotDependOnTheVocabulary() {
    TaskConfig small = sentimentConfig();
    small.vocabulary_size = 16;
    small.tokenizer = "character";
    const auto words = makeTask(sentimentConfig());
    const auto characters = makeTask(small);
    QCOMPARE(textsOf(*words, Split::Evaluation), textsOf(*characters, Split::Evaluation));
    std::set<std::string> both = textsOf(*words, Split::Training);
    both.merge(textsOf(*words, Split::Evaluation));
    QCOMPARE(both.size(), 100U);
    QVERIFY(words->sourceVocabulary() != characters->sourceVocabulary());
  }

  void theVocabularyIsLearntFromTheTrainingTextsAlone() {
    TaskConfig apart = sentimentConfig();
    apart.test_text = "1\tunheard unheard unheard\n0\tthe film bores\n";
    const auto task = makeTask(apart);
    QCOMPARE(task->exampleCount(Split::Training), 100);
    QCOMPARE(task->exampleCount(Split::Evaluation), 2);
    QCOMPARE(task->sourceVocabulary().find("unheard"), -1);
    apart.text += "1\tunheard unheard unheard\n";
    QVERIFY(makeTask(apart)->sourceVocabulary().find("unheard") >= 0);
  }

  /// Both classes are there, but nothing of one can be learned from.
  void oneClassIsNothingToLearn() {
    TaskConfig one = sentimentConfig("0\tthe film bores\n0\tthe film shines\n1\t  \n");
    one.test_text = "1\tthe film\n0\tfilm\n";
    const auto task = makeTask(one);
    QCOMPARE(task->exampleCount(Split::Training), 2);
    TFM_VERIFY_ERROR(requireTwoClasses(*task),
                     "all 2 training examples have the class \"negative\"");
    TFM_VERIFY_ERROR(requireTwoClasses(*makeTask(sentimentConfig())), "no error");
    TFM_VERIFY_ERROR(requireTwoClasses(*makeTask(defaultTaskConfig("rot13"))), "no error");
    TFM_VERIFY_ERROR(requireTwoClasses(*makeTask(defaultTaskConfig("parentheses"))), "no error");
  }

  void longTextsAreCutAndCounted() {
    TaskConfig shorter = sentimentConfig();
    shorter.max_length = 6;
    const auto task = makeTask(shorter);
    std::int64_t cut = 0;
    for (const Split split : {Split::Training, Split::Evaluation}) {
      std::int64_t of_side = 0;
      for (std::int64_t i = 0; i < task->exampleCount(split); ++i) {
        const auto index = static_cast<std::uint64_t>(i);
        const std::string text = task->questionText(split, 0, index);
        QVERIFY(task->example(split, 0, index).source.size() <= 6U);
        of_side += std::count(text.begin(), text.end(), ' ') >= 6 ? 1 : 0;
      }
      QCOMPARE(task->cutExamples(split), of_side);
      cut += of_side;
    }
    QVERIFY(cut > 20);
    QCOMPARE(task->leftOut(), 0);
    QCOMPARE(makeTask(sentimentConfig())->cutExamples(Split::Training), 0);
  }

  void whatAModelDoesNotSeeIsSaid() {
    TaskConfig shorter = sentimentConfig();
    shorter.max_length = 6;
    const auto task = makeTask(shorter);
    QCOMPARE(task->inputNotice("the film bores"), std::string());
    QCOMPARE(task->inputNotice("the unheard film"),
             std::string("1 token is not in the vocabulary"));
    QCOMPARE(task->inputNotice("so so so so so so so zzz"),
             std::string("only the first 6 of 8 tokens are read"));
    const Reading reading = task->readInput("so xx yy so so so so");
    QCOMPARE(reading.ids.size(), 6U);
    QCOMPARE(reading.tokens, 7);
    QCOMPARE(reading.unknown, 2);
    TFM_VERIFY_ERROR(task->encodeInput("  "), "nothing to answer");
  }

  void cleaningIsDoneToWhatIsAskedToo() {
    TaskConfig cleaned = sentimentConfig(
        "1\tIt's GREAT!<br />really\n0\tnot its best\n"
        "1\tits great\n0\tits bad, bad\n0\t!?\n");
    cleaned.clean = true;
    const auto task = makeTask(cleaned);
    QCOMPARE(task->leftOut(), 1);  // nothing is left of "!?"
    QCOMPARE(task->encodeInput("IT'S<br />"), task->encodeInput("its"));
    cleaned.clean = false;
    QVERIFY(makeTask(cleaned)->encodeInput("IT'S<br />") != makeTask(cleaned)->encodeInput("its"));
  }

  void vocabulariesMayBeGiven() {
    const QTemporaryDir folder;
    TaskConfig given = sentimentConfig();
    given.vocabulary_path = folder.filePath("vocab.txt").toStdString();
    TFM_VERIFY_ERROR(makeTask(given), "vocab.txt");
    tfm::io::writeFile(given.vocabulary_path, "<pad>\n<unknown>\nthe\nfilm\n");
    QCOMPARE(makeTask(given)->sourceVocabulary().size(), 4);
    tfm::io::writeFile(given.vocabulary_path, "the\nfilm\n");
    TFM_VERIFY_ERROR(makeTask(given), "<pad>");
    TFM_VERIFY_ERROR(makeTask(given), "vocab.txt: the vocabulary has no token");
    TaskConfig rare = sentimentConfig("1\tgood\n0\tbad\n1\tfine\n");
    TFM_VERIFY_ERROR(makeTask(rare), "text of the task: a vocabulary of");  // nothing occurs twice
  }

  void aConfigBecomesSelfContained() {
    const QTemporaryDir folder;
    TaskConfig files = defaultTaskConfig("sentiment");
    files.path = folder.filePath("train.tsv").toStdString();
    files.test_path = folder.filePath("test.csv").toStdString();
    tfm::io::writeFile(files.path, table());
    tfm::io::writeFile(files.test_path, "text,label\n\"good, really\",1\nbores,0\n");
    QVERIFY(!isSelfContained(files));
    const auto before = makeTask(files);
    TaskConfig inside = withTexts(files);
    QVERIFY(!isSelfContained(inside));  // the vocabulary would be learned
    keepVocabulary(inside, *before);
    QVERIFY(isSelfContained(inside));

    QFile::remove(QString::fromStdString(files.path));
    QFile::remove(QString::fromStdString(files.test_path));
    TFM_VERIFY_ERROR(makeTask(files), "train.tsv");
    const auto after = makeTask(taskConfigFromJson(toJson(inside)));
    QVERIFY(after->sourceVocabulary() == before->sourceVocabulary());
    QVERIFY(after->targetVocabulary() == before->targetVocabulary());
    for (const Split split : {Split::Training, Split::Evaluation})
      for (std::uint64_t i = 0; i < 100; ++i)
        QCOMPARE(after->example(split, 5, i), before->example(split, 5, i));
    TaskConfig again = withTexts(inside);
    keepVocabulary(again, *after);
    QCOMPARE(again, inside);
  }

  void otherTextsMeasureWhicheverColumnIsTheLabel() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("others.tsv").toStdString();
    TaskConfig inside = withTexts(sentimentConfig());
    const auto texts = [&](const char* table) {
      tfm::io::writeFile(path, table);
      measureOn(inside, path);
      return textsOf(*makeTask(inside), Split::Evaluation);
    };
    const std::set<std::string> two{"bores", "it shines"};
    QCOMPARE(texts("0\tbores\n1\tit shines\n"), two);
    QCOMPARE(texts("bores\t0\nit shines\t1\n"), two);
    QCOMPARE(texts("sentence\tlabel\nbores\t0\nit shines\t1\n"), two);
    QCOMPARE(texts("label,text\n0,bores\n1,it shines\n"), two);
    TFM_VERIFY_ERROR(texts("2\tbores\n1\tit shines\n"), "the label \"2\"");
    TFM_VERIFY_ERROR(measureOn(inside, folder.path().toStdString()), "there is no folder neg");
  }

  void eachFileMayNameTheClassesInItsOwnWay() {
    for (const char* others : {"pos\tit shines\nneg\tbores\n", "NEG\tbores\nPos\tit shines\n",
                               "positive\tit shines\nnegative\tbores\n"}) {
      TaskConfig mixed = sentimentConfig();
      mixed.test_text = others;
      const auto task = makeTask(mixed);
      QCOMPARE(task->targetVocabulary().tokens(),
               (std::vector<std::string>{"negative", "positive"}));
      for (std::uint64_t i = 0; i < 2; ++i) {
        const bool shines = task->questionText(Split::Evaluation, 0, i) == "it shines";
        QCOMPARE(task->example(Split::Evaluation, 0, i).target, Ids{shines ? 1 : 0});
      }
    }
    TaskConfig other = sentimentConfig();
    other.test_text = "pos\tit shines\nneutral\tit runs\n";
    TFM_VERIFY_ERROR(makeTask(other), "the label \"pos\" is not in");
    TFM_VERIFY_ERROR(makeTask(other), "Training labels: \"0\", \"1\".");
  }

  void theBuiltInReviewsHaveNoOtherTest() {
    TaskConfig grammar = defaultTaskConfig("sentiment");
    grammar.test_path = "reviews.tsv";
    TFM_VERIFY_ERROR(makeTask(grammar), "have their own test reviews");
  }

  void classesMayHaveATokenizer() {
    TaskConfig classes = sentimentConfig();
    classes.kind = "classes";
    TFM_VERIFY_ERROR(makeTask(classes), "");  // the second column is no label here
    classes.label_first = true;
    const auto words = makeTask(classes);
    QVERIFY(words->sourceVocabulary().find("bores") >= 0);
    QCOMPARE(words->targetVocabulary().tokens(), (std::vector<std::string>{"0", "1"}));
    classes.tokenizer = "character";
    QCOMPARE(makeTask(classes)->sourceVocabulary().find("bores"), -1);
    QCOMPARE(makeTask(classes)->sourceVocabulary().unknown(), -1);  // as it always was
  }

  void wrongTextsAreRefused() {
    TFM_VERIFY_ERROR(makeTask(sentimentConfig("1\ta\n1\tb\n")), "1 different labels");
    TaskConfig same = sentimentConfig("1\tsame\n0\tsame\n");
    same.label_first = true;
    TFM_VERIFY_ERROR(makeTask(same), "fewer than two different texts");
    TaskConfig apart = sentimentConfig();
    apart.test_text = "3\tother\n0\tthe film\n";
    TFM_VERIFY_ERROR(makeTask(apart), "the label \"3\" is not in the training texts");
    TaskConfig unknown = sentimentConfig();
    unknown.tokenizer = "syllables";
    TFM_VERIFY_ERROR(makeTask(unknown), "syllables");
    unknown = sentimentConfig();
    unknown.vocabulary_size = 5;
    TFM_VERIFY_ERROR(makeTask(unknown), "vocabulary_size is 5; allowed are 16 to 65536");
  }

  void statisticsCountWhatThereIs() {
    TaskConfig shorter = sentimentConfig();
    shorter.max_length = 6;
    const auto task = makeTask(shorter);
    const TaskStatistics statistics = statisticsOf(*task);
    QCOMPARE(statistics.training.examples, 90);
    QCOMPARE(statistics.evaluation.examples, 10);
    const SideStatistics& side = statistics.training;
    std::int64_t of_classes = 0, of_lengths = 0, tokens = 0, unknown = 0;
    std::vector<std::int64_t> exact(7);
    for (std::uint64_t i = 0; i < 90; ++i) {
      const Example example = task->example(Split::Training, 0, i);
      tokens += static_cast<std::int64_t>(example.source.size());
      ++exact[example.source.size()];
      unknown += 1;  // every text has one number of its own
    }
    for (const std::int64_t count : side.classes) of_classes += count;
    for (const LengthBin& bin : side.lengths) {
      QCOMPARE(bin.first, bin.last);
      QCOMPARE(bin.count, exact[static_cast<std::size_t>(bin.first)]);
      of_lengths += bin.count;
    }
    QCOMPARE(of_classes, 90);
    QCOMPARE(of_lengths, 90);
    QCOMPARE(side.tokens, tokens);
    QCOMPARE(side.unknown, unknown);
    QCOMPARE(side.cut, task->cutExamples(Split::Training));
    QCOMPARE(side.shortest, 4);
    QCOMPARE(side.longest, 6);
    QCOMPARE(statistics.samples.size(), 6U);
    const TaskStatistics generated = statisticsOf(*makeTask(defaultTaskConfig("rot13")), 200, 2);
    QCOMPARE(generated.training.examples, 200);
    QCOMPARE(generated.samples.size(), 2U);
    QVERIFY(generated.training.classes.empty());
  }
};

TFM_TEST(TestLabelledTask)
#include "test_labelled_task.moc"
