// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/data/labelled_corpus.h"
#include "core/data/labelled_texts.h"
#include "core/data/task_for_file.h"
#include "core/io/atomic_file.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

std::vector<LabelledText> parse(const std::string& table, LabelColumn column = LabelColumn::Found,
                                ReadingRules rules = ReadingRules::Present) {
  return parseLabelledTexts(table, "reviews", {.column = column, .rules = rules}).rows;
}

void write(const QString& path, const std::string& text) {
  QDir().mkpath(QFileInfo(path).path());
  tfm::io::writeFile(path.toStdString(), text);
}

const std::vector<LabelledText> kThree{{"1", "a good film"}, {"0", "a bad one"}, {"1", "fine"}};

}  // namespace

class TestLabelledTexts : public QObject {
  Q_OBJECT

 private slots:
  void readsEveryFormat_data() {
    QTest::addColumn<QByteArray>("table");
    const auto row = [](const char* name, const char* table) {
      QTest::newRow(name) << QByteArray(table);
    };
    row("label first", "1\ta good film\n0\ta bad one\n1\tfine\n");
    row("text first", "a good film\t1\r\na bad one\t0\r\nfine\t1");
    row("empty lines", "\n\n1\ta good film\n\n0\ta bad one\n1\tfine\n");
    row("header", "Sentence\tLabel\na good film\t1\na bad one\t0\nfine\t1\n");
    row("header, label first", "sentiment\treview\n1\ta good film\n0\ta bad one\n1\tfine\n");
    row("csv", "text,label\na good film,1\na bad one,0\nfine,1\n");
    row("csv with more columns", "id,sentiment,review\n7,1,a good film\n8,0,a bad one\n9,1,fine\n");
    row("csv in quotes", "\"review\",\"label\"\r\n\"a good\nfilm\",\"1\"\r\na bad one,0\r\nfine,1");
  }

  void readsEveryFormat() {
    QFETCH(QByteArray, table);
    QCOMPARE(parse(table.toStdString()), kThree);
  }

  void quotesKeepCommasAndQuotes() {
    const auto rows = parse("text,label\n\"bad, \"\"very\"\" bad\",0\n");
    QCOMPARE(rows.front().text, std::string("bad, \"very\" bad"));
  }

  void whatIsSaidComesBeforeWhatIsFound() {
    // Both columns may be the label; the one with fewer different values is, unless it is said.
    const std::string table = "a\tx\nb\tx\na\ty\nc\ty\n";
    QCOMPARE(parse(table).front().label, std::string("x"));
    QCOMPARE(parse(table, LabelColumn::First).front().label, std::string("a"));
    QCOMPARE(parse("x\ta\nx\tb\n").front().label, std::string("x"));
    QCOMPARE(parse("x\ta\nx\tb\n", LabelColumn::Second).front().label, std::string("a"));
    // Equally many: the shorter one.
    QCOMPARE(parse("0\ta good film\n1\ta film\n").front().label, std::string("0"));
    QCOMPARE(parse("a good film\t0\na film\t1\n").front().label, std::string("0"));
  }

  void knownLabelsTellTheColumn() {
    // Alone this is a table of equally many short values on both sides.
    const std::string table = "bad\tterrible\ngood\twonderful\n";
    const auto labels = [&](const std::set<std::string>& known) {
      return labelsOf(parseLabelledTexts(table, "reviews", {.known = known}).rows);
    };
    QCOMPARE(labels({}), (std::set<std::string>{"bad", "good"}));
    QCOMPARE(labels({"terrible", "wonderful", "fair"}),
             (std::set<std::string>{"terrible", "wonderful"}));
    QCOMPARE(labels({"terrible"}), (std::set<std::string>{"bad", "good"}));  // not all of them
  }

  void aWrittenTableIsReadBack() {
    const std::vector<LabelledText> rows{{"label", "text"}, {"1", " a  b "}, {"0", "1"}};
    QCOMPARE(parse(labelledTable(rows), LabelColumn::First, ReadingRules::Kept), rows);
    QVERIFY(parse(labelledTable(rows)) != rows);  // takes row 1 for a header
  }

  void namesWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const std::string& table, const char* message) {
      QTest::newRow(name) << QByteArray::fromStdString(table) << QByteArray(message);
    };
    row("nothing", "\n", "no row");
    row("one column", "1\tgood\nbad\n", "reviews, line 2");
    row("three columns", "1\tgood\t2\n", "found 3 columns, expected 2");
    row("empty text", "1\tgood\n0\t\n", "column 2 is empty");
    row("no header", "a good film,1\na bad one,0\n", "there is no column of texts or of labels");
    row("two texts", "text,review,label\na,b,1\n", "more than one column of texts or labels");
    row("a long label after empty lines",
        "label\ttext\n1\tgood\n\n\n" + std::string(65, 'x') + "\tbad\n", "reviews, line 5");
    row("two labels", "text,Label,label\na,1,0\n", "the first line is \"text,Label,label\"");
    row("no header after empty lines", "\n\nstars,5\n", "the first line is \"stars,5\"");
    row("header only", "text,label\n", "no rows after the header");
    row("no label column", "text,price\ngood,5\n", "the first line is \"text,price\"");
    row("a cell too many", "text,label\ngood,1\nbad, really,0\n", "reviews, line 3");
    row("a cell too many, said", "text,label\nbad, really,0\n", "found 3 cells, expected 2");
    row("open quote", "text,label\n\"good,1\nbad,0\n", "a quote is not closed");
    row("open quote, line", "text,label\nfine,1\n\"good,1\nbad,0\n", "reviews, line 3");
    row("after a quote", "text,label\n\"good\"x,1\n", "text after a closing quote");
    row("quote inside", "text,label\ngo\"od,1\n", "quote inside an unquoted cell");
    row("line after a long cell", "text,label\n\"a\nb\",1\n,0\n", "reviews, line 4");
    row("empty cell", "text,label\n,1\n", "the text is empty");
    row("empty label", "text,label\ngood,\n", "the label is \"\"");
    row("blank label", "text,label\ngood,\"  \"\n", "the label is \"  \"");
    row("long label", "text,label\ngood," + std::string(65, 'x') + "\n", "1 to 64 bytes");
    row("control character", "text,label\ngood,\"1\n2\"\n", "without control characters");
    std::string texts;
    for (int i = 0; i < 300; ++i) texts += std::to_string(i) + "\t" + std::to_string(-i - 1) + "\n";
    row("no labels", texts, "neither column holds labels");
    row("good", "1\tgood\n0\tbad\n", "no error");
  }

  void namesWhatIsWrong() {
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, message);
    TFM_VERIFY_ERROR(parse(table.toStdString()), message);
  }

  void readsFolders() {
    const QTemporaryDir folder;
    TaskConfig config;
    config.path = folder.path().toStdString();
    write(folder.filePath("train/pos/2_8.txt"), "good\tand\nfine");
    TFM_VERIFY_ERROR(readLabelledCorpus(config, LabelColumn::Found), "there is no folder neg");
    write(folder.filePath("train/pos/1_9.txt"), "great");
    write(folder.filePath("train/neg/1_1.txt"), "awful");
    write(folder.filePath("train/neg/notes.md"), "not a review");
    write(folder.filePath("test/pos/5_9.txt"), "nice");
    write(folder.filePath("test/neg/5_1.txt"), "poor");
    const LabelledCorpus both = readLabelledCorpus(config, LabelColumn::Found);
    QCOMPARE(both.training, (std::vector<LabelledText>{
                                {"neg", "awful"}, {"pos", "great"}, {"pos", "good and fine"}}));
    QCOMPARE(both.test, (std::vector<LabelledText>{{"neg", "poor"}, {"pos", "nice"}}));

    config.path = folder.filePath("train").toStdString();
    const LabelledCorpus one = readLabelledCorpus(config, LabelColumn::Found);
    QCOMPARE(one.training, both.training);
    QVERIFY(one.test.empty());
    config.test_path = folder.filePath("test").toStdString();
    QCOMPARE(readLabelledCorpus(config, LabelColumn::Found).test, both.test);

    write(folder.filePath("train/neg/2_2.txt"), "\xFF");
    TFM_VERIFY_ERROR(readLabelledCorpus(config, LabelColumn::Found), "2_2.txt");
    QFile::remove(folder.filePath("test/neg/5_1.txt"));
    config.path = folder.filePath("test").toStdString();
    TFM_VERIFY_ERROR(readLabelledCorpus(config, LabelColumn::Found), "contains no text file");
  }

  void theTestHasTheLabelsOfTheOthers() {
    TaskConfig config;
    config.text =
        "a film that shines\tpositive\na film that bores\tnegative\nit shines\tpositive\n";
    config.test_text = "ok\tpositive\nno\tnegative\n";  // whose texts are shorter than its labels
    const LabelledCorpus corpus = readLabelledCorpus(config, LabelColumn::Found);
    QCOMPARE(labelsOf(corpus.test), labelsOf(corpus.training));
  }

  void readsFiles() {
    const QTemporaryDir folder;
    TaskConfig config;
    config.path = folder.filePath("a.csv").toStdString();
    TFM_VERIFY_ERROR(readLabelledCorpus(config, LabelColumn::Found), "a.csv");
    write(folder.filePath("a.csv"), "\xEF\xBB\xBFtext,label\na good film,1\na bad one,0\nfine,1\n");
    QCOMPARE(readLabelledCorpus(config, LabelColumn::Found).training, kThree);
    config.text = "0\tinside\n1\tthe config\n";  // comes before the path
    QCOMPARE(readLabelledCorpus(config, LabelColumn::Found).training.front().text,
             std::string("inside"));
  }

  void aFileTellsWhatCanBeLearntFromIt() {
    const QTemporaryDir folder;
    const auto kindOf = [&](const char* name, const std::string& content) {
      write(folder.filePath(name), content);
      const TaskConfig task = taskForFile(folder.filePath(name).toStdString());
      return task.kind + (task.label_first ? ", label first" : "") + ", " + task.tokenizer;
    };
    std::string topics, turned, translations;
    for (int i = 0; i < 6; ++i) {
      const std::string number = std::to_string(i), topic = i % 2 == 0 ? "sport" : "weather";
      topics += "what is said in text " + number + "\t" + topic + "\n";
      turned += topic + "\twhat is said in text " + number + "\n";
      translations += "word " + number + "\tWort " + number + "\n";
    }
    const std::string word = ", word", character = ", character";
    QCOMPARE(kindOf("reviews.tsv", "good film\tpos\nbad film\tneg\nfine\tpos\npoor\tneg\n"),
             "sentiment" + word);
    QCOMPARE(kindOf("reviews.csv", "review,sentiment\ngood,1\nbad,0\nfine,1\npoor,0\n"),
             "sentiment" + word);
    QCOMPARE(kindOf("topics.tsv", topics), "classes" + word);
    QCOMPARE(kindOf("turned.tsv", turned), "classes, label first" + word);
    QCOMPARE(kindOf("pairs.tsv", translations), "pairs" + character);
    QCOMPARE(kindOf("numbers.csv", "a,b\n1,2\n"), "text" + character);
    QCOMPARE(kindOf("book.txt", "Once upon a time.\n"), "text" + character);
    QCOMPARE(taskForFile(folder.filePath("book.txt").toStdString()).path,
             folder.filePath("book.txt").toStdString());
    QCOMPARE(taskForFile(folder.path().toStdString()).kind, std::string("sentiment"));
    QCOMPARE(taskForFile(folder.path().toStdString()).path, folder.path().toStdString());
    write(folder.filePath("bert/config.json"), "{}");
    write(folder.filePath("bert/vocab.txt"), "[PAD]");
    const TaskConfig encoder = taskForFile(folder.filePath("bert").toStdString());
    QVERIFY(encoder.path.empty());
    QCOMPARE(encoder.encoder_path, folder.filePath("bert").toStdString());
    write(folder.filePath("fast/config.json"), "{}");
    write(folder.filePath("fast/tokenizer.json"), "{}");
    QCOMPARE(taskForFile(folder.filePath("fast").toStdString()).encoder_path,
             folder.filePath("fast").toStdString());
    QCOMPARE(taskForFile("/no/such/file").kind, std::string("text"));
  }
};

TFM_TEST(TestLabelledTexts)
#include "test_labelled_texts.moc"
