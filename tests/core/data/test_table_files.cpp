// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as people and their programs write them, and what documents keep of them.
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/base/content_hash.h"
#include "core/data/corpus.h"
#include "core/data/labelled_corpus.h"
#include "core/data/number_table.h"
#include "core/data/self_contained.h"
#include "core/data/task_for_file.h"
#include "core/data/task_table.h"
#include "core/data/text_references.h"
#include "core/io/atomic_file.h"
#include "tests/core/io/error_of.h"
#include "tests/core/io/packed.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

/// Six texts of each class, one a row, in a form such as "%1\t%2\n".
std::string reviews(const char* form, const char* header = "") {
  std::string table = header;
  for (int i = 0; i < 12; ++i)
    table += QString(form)
                 .arg(QString("the film %1").arg(i), i % 2 == 0 ? "positive" : "negative")
                 .toStdString();
  return table;
}

}  // namespace

class TestTableFiles : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  TaskConfig config(const char* kind, const std::string& content, const char* name = "t.csv") {
    TaskConfig config = defaultTaskConfig(kind);
    config.path = folder_.filePath(name).toStdString();
    tfm::io::writeFile(config.path, content);
    return config;
  }

  static std::int64_t examples(const Task& task) {
    return task.exampleCount(Split::Training) + task.exampleCount(Split::Evaluation);
  }

 private slots:
  void everyTableOfLabelsIsReadTheSame_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<int>("notes");
    const auto row = [](const char* name, const std::string& table, int notes) {
      QTest::newRow(name) << QByteArray::fromStdString(table) << notes;
    };
    std::string old = reviews("%1,%2\n", "text,label\n");
    std::ranges::replace(old, '\n', '\r');
    row("tabs", reviews("%1\t%2\n"), 0);
    row("a header of tabs", reviews("%1\t%2\n", "text\tlabel\n"), 1);
    row("a header of other names", reviews("%1\t%2\n", "tweet\tlabel\n"), 1);
    row("a header with one known name", reviews("%1\t%2\n", "Satz\tClass\n"), 1);
    row("commas", reviews("%1,%2\n", "text,label\n"), 0);
    row("blanks in the header", reviews("%1, %2\n", "text, label\n"), 0);
    row("blanks after labels", reviews("%1,%2 \n", "text,label\n"), 0);
    row("blanks after labels and tabs", reviews("%1\t%2 \n"), 0);
    row("semicolons", reviews("%1;%2\n", "text;label\n"), 0);
    row("a named separator", reviews("%1,%2\n", "sep=,\ntext,label\n"), 0);
    row("old line ends", old, 0);
    row("compressed", tfm::test::packed(reviews("%1,%2\n", "text,label\n")), 0);
    row("columns that nobody needs", reviews("7\t%1\t%2\n", "id\ttext\tlabel\n"), 0);
    row("another name of a class", reviews("%1,%2\n", "comment,category\n"), 0);
  }

  void everyTableOfLabelsIsReadTheSame() {
    QFETCH(QByteArray, table);
    QFETCH(int, notes);
    const auto expected = reviews("%1\t%2\n");
    for (const char* kind : {"sentiment", "classes"}) {
      TaskConfig given = config(kind, table.toStdString());
      const auto task = makeTask(given);
      QCOMPARE(examples(*task), 12);
      QCOMPARE(task->targetVocabulary().size(), 2);
      QCOMPARE(task->notes().size(), std::size_t(notes));
      if (notes > 0) QCOMPARE(task->notes().front().field, std::string("header"));
      // What a document keeps is the same task, without the file and without a guess.
      TaskConfig kept = withTexts(given);
      if (std::string_view(kind) == "classes") QCOMPARE(kept.text, expected);
      kept.path = "/no/such/file";
      const auto again = makeTask(kept);
      QVERIFY(again->notes().empty());
      QCOMPARE(withTexts(kept).text, kept.text);
      for (const Split side : {Split::Training, Split::Evaluation})
        for (std::uint64_t i = 0; i < std::uint64_t(task->exampleCount(side)); ++i)
          QCOMPARE(again->example(side, 1, i), task->example(side, 1, i));
    }
  }

  void theHeaderMayBeSaid() {
    TaskConfig given = config("classes", reviews("%1\t%2\n", "tweet\tlabel\n"));
    given.header = TableHeader::No;
    QCOMPARE(examples(*makeTask(given)), 13);
    QVERIFY(makeTask(given)->notes().empty());
    given = config("classes", reviews("%1\t%2\n", "Satz\tKlasse\n"));
    const auto unclear = makeTask(given);  // no name is known: a row, but it is said
    QCOMPARE(examples(*unclear), 13);
    QCOMPARE(unclear->notes().size(), 1U);
    QCOMPARE(unclear->notes().front().value, std::string("yes"));
    given.header = TableHeader::Yes;
    QCOMPARE(examples(*makeTask(given)), 12);
    given = config("sentiment", reviews("%1,%2\n"));
    TFM_VERIFY_ERROR(makeTask(given), "no column of texts");
    given.header = TableHeader::No;
    QCOMPARE(examples(*makeTask(given)), 12);
    QCOMPARE(makeTask(given)->targetVocabulary().size(), 2);
  }

  void aNameThatIsALabelIsNoHeader() {
    // "label" is a class of its own here, with several texts.
    const auto task =
        makeTask(config("classes", reviews("%1\t%2\n", "a b\tlabel\nc d\tlabel\ne f\tlabel\n")));
    QCOMPARE(task->targetVocabulary().size(), 3);
    QCOMPARE(examples(*task), 15);
  }

  void aHeaderSaysWhichColumnIsTheLabel() {
    const auto task = makeTask(config("classes", reviews("%2\t%1\n", "label\ttext\n")));
    QCOMPARE(task->targetVocabulary().tokens(), (std::vector<std::string>{"negative", "positive"}));
  }

  void labelsThatDifferInCaseAreSaid() {
    const auto task = makeTask(config("classes", reviews("%1\t%2\n", "the end\tPositive\n")));
    QCOMPARE(task->targetVocabulary().size(), 3);
    QVERIFY(std::ranges::any_of(task->notes(), [](const ReadingNote& note) {
      return note.sentence.find("differ only in case") != std::string::npos;
    }));
  }

  void pairsMayHaveAHeaderAndAnySeparator() {
    const auto read = [&](const std::string& content, const char* header = "found") {
      TaskConfig given = config("pairs", content);
      given.header = header == std::string("no")    ? TableHeader::No
                     : header == std::string("yes") ? TableHeader::Yes
                                                    : TableHeader::Found;
      return readCorpus(given);
    };
    const std::string rows = "Go.\tVa !\nRun!\tCours !\n";
    QCOMPARE(read(rows).text, rows);
    QVERIFY(read(rows).notes.empty());
    for (const char* names : {"source\ttarget\n", "English\tFrench\n", " Question \tanswer\n"}) {
      QCOMPARE(read(names + rows).text, rows);
      QCOMPARE(read(names + rows).notes.size(), 1U);
      QCOMPARE(read(names + rows, "no").text, names + rows);
    }
    QCOMPARE(read("source,target\nGo.,Va !\nRun!,\"Cours !\"\n").text, rows);
    QCOMPARE(read("source;target\nGo.;Va !\nRun!;Cours !\n").text, rows);
    QCOMPARE(read("A\tB\n" + rows, "yes").text, rows);
    QCOMPARE(read("\"=1+1\",\"two, or 2\"\n3,\"th\tree\"\n").text,
             std::string("=1+1\ttwo, or 2\n3\tth ree\n"));
    // More columns stay as they were kept before.
    QCOMPARE(read("Go.\tVa !\tby A\nRun!\tCours !\tby B\n").text,
             std::string("Go.\tVa !\tby A\nRun!\tCours !\tby B\n"));
    TFM_VERIFY_ERROR(read("source\ttarget\n"), "no rows after the header");
    TFM_VERIFY_ERROR(read("{\"a\": \"b\"}\n{\"a\": \"c\"}\n"), "JSON lines");
  }

  void numbersKeepTheirMeaning() {
    const std::string plain = "x1,x2,y1\n0.1,2,3\n-4,0.50,6\n7,8,9\n";
    QCOMPARE(readCorpus(config("regression", plain)).text, plain);  // as it is
    const auto same = [&](const std::string& other) {
      const std::string text = readCorpus(config("regression", other)).text;
      return parseNumberTable(text, "t", true, ReadingRules::Kept) ==
             parseNumberTable(plain, "t", true, ReadingRules::Kept);
    };
    QVERIFY(same("x2,x1,y1\n2,0.1,3\n0.50,-4,6\n8,7,9\n"));
    QVERIFY(same("y1;x2;x1\n3;2;0,1\n6;0,5;-4\n9;8;7\n"));
    QVERIFY(same("x1\tx2\ty1\n0.1\t2\t3\n-4\t0.5\t6\n7\t8\t9\n"));
    QVERIFY(same(" X1 , X2,y\n +0.1,  2,3\n-4 ,.5,6\n7.,8,+9e0\n"));
    QVERIFY(same("sep=;\nx1;x2;y1\n0.1;2;3\n-4;0.50;6\n7;8;9\n"));
    QVERIFY(!same("x1,x2,y1\n2,0.1,3\n0.50,-4,6\n8,7,9\n"));
    // Doubles stay doubles, so that the same sequences are held out as before.
    const std::string fine = readCorpus(config("regression",
                                               "y1,x2,x1\n1,2,0.123456789012\n"
                                               "1,2,3\n"))
                                 .text;
    QCOMPARE(parseNumberTable(fine, "t", true, ReadingRules::Kept).inputs.front(), 0.123456789012);
  }

  void documentsKeepTheirMeaning() {
    // Of a document: taken by place, headers are rows, blanks belong to labels.
    TaskConfig numbers = defaultTaskConfig("regression");
    numbers.text = "x2,x1,y1\n5,1,2\n6,3,4\n";
    QCOMPARE(parseNumberTable(readCorpus(numbers).text, "t", true, ReadingRules::Kept).inputs,
             (std::vector<double>{5, 1, 6, 3}));
    QCOMPARE(makeTask(numbers)->exampleCount(Split::Training), 1);
    TaskConfig pairs = defaultTaskConfig("pairs");
    pairs.text = "source\ttarget\na\tb\nc\td\n";
    QCOMPARE(examples(*makeTask(pairs)), 3);
    TaskConfig classes = defaultTaskConfig("classes");
    classes.text = "text\tlabel\na\tb\nc\tb \nd\tb\n";
    QCOMPARE(makeTask(classes)->targetVocabulary().size(), 3);
    TaskConfig sentiment = defaultTaskConfig("sentiment");
    sentiment.label_first = true;
    sentiment.text = "label\ttext\na\tb b\na\tc b\na \td\nb\td d\n";
    QCOMPARE(makeTask(sentiment)->targetVocabulary().size(), 4);
  }

  void textsOfEarlierDocumentsAreFound_data() {
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("kept");
    const auto row = [](const char* kind, const char* content, const char* kept) {
      QTest::newRow(kind) << QByteArray(kind) << QByteArray(content) << QByteArray(kept);
    };
    // What the first version kept: a header as a row, blanks in labels, columns in their order.
    row("pairs", "source\ttarget\r\na\tb\r\n", "source\ttarget\na\tb\n");
    row("classes", "text\tlabel\na\tb\nc\td \n", "text\tlabel\na\tb\nc\td \n");
    row("regression", "x2,x1,y1\n1,2,3\n4,5,6\n", "x2,x1,y1\n1,2,3\n4,5,6\n");
    row("sentiment", "tweet\tlabel\na fine film\tpos \na poor film\tneg\n",
        "label\ttweet\npos \ta fine film\nneg\ta poor film\n");
  }

  void textsOfEarlierDocumentsAreFound() {
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, kept);
    const TaskConfig files = config(kind.constData(), content.toStdString());
    tfm::ContentHash hash;
    hash.add(kept.toStdString());
    const TextReferences references{
        {{files.path}, std::int64_t(kept.size()), hash.text()}, {}, false};
    QCOMPARE(withReferencedTexts(files, references).text, kept.toStdString());
    // Of this version, another text is kept.
    QVERIFY(withTexts(files).text != kept.toStdString() || kind == "pairs");
  }

  void aFileTellsWhatCanBeLearntFromIt() {
    const auto kindOf = [&](const std::string& content, const char* name = "t.csv") {
      return taskForFile(config("text", content, name).path).kind;
    };
    QCOMPARE(kindOf(reviews("%1;%2\n", "text;label\n")), std::string("sentiment"));
    QCOMPARE(kindOf(tfm::test::packed(reviews("%1,%2\n", "text,label\n")), "t.csv.gz"),
             std::string("sentiment"));
    QCOMPARE(kindOf("x2;x1;y1\n0,5;1;2\n"), std::string("regression"));
    QCOMPARE(kindOf("x1,x3,y1\n1,2,3\n"), std::string("regression"));  // whose error then says it
    QCOMPARE(kindOf("\xEF\xBB\xBFx1,y1\n1,2\n"), std::string("regression"));
    QCOMPARE(kindOf("x1,y1\r1,2\r3,4\r"), std::string("regression"));
    QCOMPARE(kindOf("\"sep=;\"\nx1;y1\n1;2\n"), std::string("regression"));
    std::string old = reviews("%1,%2\n", "text,label\n");
    std::ranges::replace(old, '\n', '\r');
    QCOMPARE(kindOf(old), std::string("sentiment"));
    QCOMPARE(kindOf("English,German\none,eins\ntwo,zwei\n"), std::string("pairs"));
  }
};

TFM_TEST(TestTableFiles)
#include "test_table_files.moc"
