// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and texts as given to the command line: what is assumed is said, and what is not read.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

namespace {

const QString kBertFolder = TFM_TEST_DATA "/goldens/bert";

QByteArray tableOf(const QByteArray& header, const QByteArray& between) {
  QByteArray table = header;
  for (int i = 0; i < 12; ++i)
    table += "the film " + QByteArray::number(i) + between +
             (i % 2 == 0 ? "positive" : "negative") + "\n";
  return table;
}

}  // namespace

class TestCliTables : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  Outcome run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }
  Outcome data(const QString& kind, const QByteArray& table, QStringList more = {}) const {
    writeText(folder_.path() + "/t.csv", table);
    return run(QStringList{"data", "--task", kind, "--data", "t.csv", "--json"} + more);
  }

 private slots:
  void aHeaderIsSaidAndMayBeChosen() {
    const QByteArray table = tableOf("tweet\tlabel\n", "\t");
    for (const char* kind : {"sentiment", "classes"}) {
      Outcome o = data(kind, table, {"--tokenizer", "word"});
      QVERIFY2(o.code == 0, o.err.constData());
      QVERIFY2(o.err.contains("--header no"), o.err.constData());
      QCOMPARE(o.json()["notes"].toArray().size(), 1);
      QCOMPARE(o.json()["training"].toObject()["classes"].toObject().size(), 2);
      o = data(kind, table, {"--tokenizer", "word", "--header", "no"});
      QVERIFY(o.json()["notes"].toArray().isEmpty());
      QCOMPARE(o.json()["training"].toObject()["classes"].toObject().size(), 3);
    }
    const Outcome train = run({"train", "--task", "pairs", "--data", "t.csv", "--header", "found",
                               "--steps", "0", "--out", "m.safetensors"});
    QVERIFY2(train.code == 0, train.err.constData());
    QVERIFY2(train.err.contains("--header"), train.err.constData());
    QVERIFY(data("regression", "x1,y1\n1,2\n3,4\n", {"--header", "no"}).code != 0);
  }

  void columnsOfNumbersKeepTheirNumbers() {
    const auto loss = [&](const QByteArray& table) {
      writeText(folder_.path() + "/n.csv", table);
      const Outcome o = run({"train", "--task", "regression", "--data", "n.csv", "--steps", "3",
                             "--seed", "1", "--json", "--out", "n.safetensors"});
      return o.code == 0 ? o.json()["loss"].toDouble() : -1.0;
    };
    const double expected = loss("x1,x2,y1\n1,20,3\n4,50,6\n7,80,9\n");
    QVERIFY(expected > 0.0);
    QCOMPARE(loss("x2,x1,y1\n20,1,3\n50,4,6\n80,7,9\n"), expected);
    QVERIFY(loss("x1,x2,y1\n20,1,3\n50,4,6\n80,7,9\n") != expected);
    QCOMPARE(loss("x1;x2;y1\n1,0;20;3\n4,0;50;6\n7,0;80;9\n"), expected);
    const Outcome o = data("regression", "x1,y1\n1,2\n3,1e39\n");
    QVERIFY2(o.code != 0 && (o.out + o.err).contains("line 3"), o.out.constData());
  }

  void everyVerbSaysWhatItDoesNotRead() {
    // An imported encoder of at most 64 positions, whose vocabulary lacks a word.
    QCOMPARE(run({"import", kBertFolder, "--out", "b.safetensors"}).code, 0);
    const QString longer = QStringList(QVector<QString>(200, "the")).join(' ');
    for (const QString& text : {longer, QString("the 日本")}) {
      const char* part = text == longer ? "tokens are read" : "not in the vocabulary";
      const QList<QStringList> commands{
          {"probe", "b.safetensors", "--input", text, "--select", "output", "--out", "o.npz"},
          {"explain", "b.safetensors", "--input", text, "--number", "output[0, 0]"},
          {"features", "--encoder", kBertFolder, text}};
      for (const QStringList& command : commands) {
        const Outcome o = run(command);
        QVERIFY2(o.code == 0, (command[0].toUtf8() + ": " + o.err).constData());
        QVERIFY2(o.err.contains(part), (command[0].toUtf8() + ": " + o.err).constData());
      }
    }
    QCOMPARE(run({"train", "--task", "sentiment", "--steps", "1", "--out", "s.safetensors"}).code,
             0);
    const QString unknown = "a zebra";
    for (const QStringList& command :
         {QStringList{"lens", "s.safetensors", "--input", unknown},
          QStringList{"patch", "s.safetensors", "--from", unknown, "--into", "a film"},
          QStringList{"decode", "s.safetensors", unknown}}) {
      const Outcome o = run(command);
      QVERIFY2(o.err.contains("not in the vocabulary"), (command[0].toUtf8() + o.err).constData());
    }
  }

  void hiddenBytePairsAreLearned() {
    QByteArray text;
    for (int i = 0; i < 50; ++i) text += "ab cab cab cab c\nabc ab\n";
    writeText(folder_.path() + "/ab.txt", text);
    const QStringList task{"--task", "masked", "--by-line", "--tokenizer",
                           "bpe",    "--data", "ab.txt"};
    const Outcome o =
        run(QStringList{"train"} + task + QStringList{"--steps", "2", "--out", "m.safetensors"});
    QVERIFY2(o.code == 0, o.err.constData());
    const Outcome filled = run({"decode", "m.safetensors", "ab [MASK] cab", "--json"});
    QVERIFY2(filled.code == 0, filled.err.constData());
    QCOMPARE(filled.json()["candidates"].toArray().at(0).toArray().size(), 1);
  }
};

TFM_TEST(TestCliTables)
#include "test_cli_tables.moc"
