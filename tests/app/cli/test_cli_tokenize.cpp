// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces and ids on the command line, with BERT's ids and with learned ones.
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli/cli_program.h"
#include "tests/core/data/tokenizer/bert_vocabulary.h"
#include "tests/test_program.h"

using namespace tfm::test;

class TestCliTokenize : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void showsEachPieceAboveItsId();
  void textsInBracketsAreTexts();
  void cleansFirst();
  void readsLinesOfStandardInput();
  void learnsFromAFile();
  void showsSpaces();
  void refuses_data();
  void refuses();

 private:
  Outcome run(const QStringList& arguments) {
    return runCli(folder_.path(), QStringList{"tokenize"} + arguments);
  }

  QTemporaryDir folder_;
};

void TestCliTokenize::initTestCase() {
  QByteArray lines;
  for (const std::string& token : bertVocabulary())
    lines += QByteArray::fromStdString(token) + '\n';
  writeText(folder_.path() + "/vocab.txt", lines);
  writeText(folder_.path() + "/corpus.txt", "The cat sat. The CAT ran!\nthe end\n");
  writeText(folder_.path() + "/words.txt", "a\nb\n");
  writeText(folder_.path() + "/bytes.txt", "caf\xe9\n");
  writeText(folder_.path() + "/lines.txt", "unaffable\n\nembeddings\n");
}

void TestCliTokenize::showsEachPieceAboveItsId() {
  const Outcome outcome = run({"--vocabulary", "vocab.txt", "unaffable embeddings", "the 日"});
  QCOMPARE(outcome.code, 0);
  QCOMPARE(outcome.out, QByteArray("una   ##ffa ##ble em   ##bed ##ding ##s\n"
                                   "14477 20961 3468  7861 8270  4667   2015\n"
                                   "the  日\n"
                                   "1996 1864\n"));
  QCOMPARE(outcome.err, QByteArray());
}

void TestCliTokenize::textsInBracketsAreTexts() {
  const auto idsOf = [&](const QStringList& texts) {
    QJsonArray ids;
    const Outcome outcome = run(QStringList{"--vocabulary", "vocab.txt", "--json", "--"} + texts);
    for (const QJsonValue text : outcome.json()["texts"].toArray()) ids.append(text["ids"]);
    return ids;
  };
  const QJsonArray hello{1031, 7592, 1033};
  QCOMPARE(idsOf({"[hello]"}), QJsonArray{hello});
  QCOMPARE(idsOf({"[hello]", "[hello]"}), (QJsonArray{hello, hello}));
  QCOMPARE(idsOf({"[the,the]"}), (QJsonArray{QJsonArray{1031, 1996, 1010, 1996, 1033}}));
  QCOMPARE(idsOf({"--", "++"}), (QJsonArray{QJsonArray{1011, 1011}, QJsonArray{1009, 1009}}));
  QCOMPARE(
      run({"--vocabulary", "vocab.txt", "[hello]", "--json"}).json()["texts"][0]["ids"].toArray(),
      hello);
}

void TestCliTokenize::cleansFirst() {
  const QString review = "This movie wasn't GREAT...<br />I don't recommend it!";
  const QJsonObject result = run({"--vocabulary", "vocab.txt", "--clean", "--json", review}).json();
  QCOMPARE(result["vocabulary_size"].toInt(), 30522);
  const QJsonObject text = result["texts"][0].toObject();
  QCOMPARE(text["text"].toString(), "this movie wasnt great i dont recommend it");
  QCOMPARE(text["ids"].toArray(),
           (QJsonArray{2023, 3185, 2347, 2102, 2307, 1045, 2123, 2102, 16755, 2009}));
  QCOMPARE(text["pieces"].toArray(), (QJsonArray{"this", "movie", "wasn", "##t", "great", "i",
                                                 "don", "##t", "recommend", "it"}));
}

void TestCliTokenize::readsLinesOfStandardInput() {
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  process.setStandardInputFile(folder_.path() + "/lines.txt");
  process.start(TFM_CLI, {"tokenize", "--vocabulary", "vocab.txt", "--json"});
  QVERIFY(process.waitForFinished(300'000));
  const Outcome outcome{process.exitCode(), process.readAllStandardOutput(), {}};
  QCOMPARE(outcome.code, 0);
  const QJsonArray texts = outcome.json()["texts"].toArray();
  QCOMPARE(texts.size(), 3);
  QCOMPARE(texts[0]["ids"].toArray(), (QJsonArray{14477, 20961, 3468}));
  QCOMPARE(texts[1]["ids"].toArray(), QJsonArray());
  QCOMPARE(texts[2]["text"].toString(), "embeddings");
}

void TestCliTokenize::learnsFromAFile() {
  const QJsonObject words =
      run({"--learn", "corpus.txt", "--tokenizer", "word", "--json", "the dog"}).json();
  QCOMPARE(words["vocabulary_size"].toInt(), 4);  // the cat, twice or more
  QCOMPARE(words["texts"][0]["pieces"].toArray(), (QJsonArray{"the", "<unknown>"}));
  const QJsonObject few = run({"--learn", "corpus.txt", "--tokenizer", "word", "--least-count", "1",
                               "--vocabulary-size", "5", "--json", "the cat"})
                              .json();
  QCOMPARE(few["vocabulary_size"].toInt(), 5);
  const QJsonObject pieces = run({"--learn", "corpus.txt", "--json", "cats"}).json();
  QCOMPARE(pieces["texts"][0]["pieces"].toArray(), (QJsonArray{"[UNK]"}));  // one s: too rare
  const QJsonObject all =
      run({"--learn", "corpus.txt", "--least-count", "1", "--json", "cats"}).json();
  QCOMPARE(all["texts"][0]["pieces"].toArray(), (QJsonArray{"cat", "##s"}));
}

void TestCliTokenize::showsSpaces() {
  const Outcome outcome = run({"--learn", "corpus.txt", "--tokenizer", "character", "a cat"});
  QVERIFY2(outcome.out.startsWith("a ␣ c a t\n"), outcome.out.constData());
}

void TestCliTokenize::refuses_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("code");
  QTest::addColumn<QByteArray>("message");
  const auto row = [](const char* arguments, int code, const char* message) {
    QTest::newRow(arguments) << QString(arguments).split(' ') << code << QByteArray(message);
  };
  row("a", 2, "--vocabulary");
  row("a --vocabulary vocab.txt --learn corpus.txt", 2, "--learn");
  row("a --vocabulary vocab.txt --least-count 3", 2, "--least-count");
  row("a --learn corpus.txt --vocabulary-size 0", 2, "--vocabulary-size");
  row("a --learn corpus.txt --vocabulary-size 4", 1, "vocabulary_size");
  row("a --learn corpus.txt --least-count 99", 1, "occur 99 times");
  row("a --learn corpus.txt --tokenizer bytes", 2, "character, word, wordpiece");
  row("a --vocabulary words.txt", 1, "no token [PAD]\nwhere: words.txt");
  row("a --vocabulary words.txt --tokenizer word", 1, "no token <pad>");
  row("a --vocabulary bytes.txt", 1, "where: bytes.txt");
  row("a --vocabulary no.txt", 1, "where: no.txt");
  row("a --learn no.txt", 1, "where: no.txt");
}

void TestCliTokenize::refuses() {
  QFETCH(QStringList, arguments);
  QFETCH(int, code);
  QFETCH(QByteArray, message);
  const Outcome outcome = run(arguments);
  QVERIFY2(outcome.code == code, outcome.err.constData());
  QVERIFY2(outcome.err.contains(message), outcome.err.constData());
  QCOMPARE(outcome.out, QByteArray());
}

TFM_TEST(TestCliTokenize)
#include "test_cli_tokenize.moc"
