// SPDX-License-Identifier: GPL-3.0-or-later
// Models without a task, and texts that stay in their files, from the command line.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/document/document.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

namespace {

const char* const kBert = TFM_TEST_DATA "/goldens/bert";

QByteArray story() {
  QByteArray text;
  for (int i = 0; i < 80'000; ++i)
    text += "line " + QByteArray::number(i * 7919 % 10007) + " of it\n";
  return text;
}

}  // namespace

class TestCliNoTask : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QCOMPARE(run("train --preset rot13 --steps 30 --out whole.safetensors").code, 0);
    const Outcome exported = run("export whole.safetensors --format safetensors");
    QCOMPARE(exported.code, 0);
    QVERIFY(exported.out.contains("whole.weights.safetensors"));
    QVERIFY(QFile::rename(file("whole.weights.safetensors"), file("alone.safetensors")));
  }

  void everyVerbBut_data() {
    addLineColumns();
    const auto row = addLine;
    row("info alone.safetensors", 0, "No task.*rot13.*same_length", "");
    row("decode alone.safetensors hey", 0, "hey -> ", "");
    row("probe alone.safetensors --input hey --select *.probabilities --out p.npz", 0,
        "probabilities", "");
    row("expand alone.safetensors --set hidden=16 --out grown.safetensors", 0,
        "yes.*random tokens.*are the same", "");
    row("extract alone.safetensors --granularity 5,5 --out part.safetensors", 0, "extracted", "");
    row("export alone.safetensors --format npz --out w.npz", 0, "saved", "");
    row("export alone.safetensors --format safetensors --out again.safetensors", 0, "saved", "");
    row("eval alone.safetensors", 1, "", "no task to learn.*--resume");
    row("train --resume alone.safetensors --steps 5 --out t.safetensors", 1, "",
        "no task to learn.*--task");
    row("train --resume alone.safetensors --task addition --steps 5 --out t.safetensors", 1, "",
        "addition");
    row("train --resume alone.safetensors --task rot13 --steps 5 --out t.safetensors", 0,
        "now at step 35", "");
    row("train --resume whole.safetensors --task rot13 --steps 5 --out t.safetensors", 2, "",
        "keeps its task");
  }
  void everyVerbBut() { checkLine(folder_.path()); }

  void answersAsBefore() {
    QCOMPARE(run("decode alone.safetensors hey there").out,
             run("decode whole.safetensors hey there").out);
    const QJsonObject info = run("info alone.safetensors --json").json();
    QVERIFY(info["task"].isNull());
    QCOMPARE(info["codec"]["form"].toString(), QString("same_length"));
  }

  void grownItIsSavedWithoutATask() {
    const QJsonObject proof =
        run("expand alone.safetensors --set feed_forward=40 --out g.safetensors --json").json();
    QCOMPARE(proof["exact"].toBool(), true);
    QCOMPARE(proof["held_out"].toBool(true), false);
    QVERIFY(!open("g.safetensors").task);
    // A broken rule is found on random tokens, too.
    const QJsonObject broken = run("expand alone.safetensors --set feed_forward=40 --break "
                                   "random_instead_of_zero --out b.safetensors --json")
                                   .json();
    QCOMPARE(broken["exact"].toBool(true), false);
    const QJsonObject usual =
        run("expand whole.safetensors --set feed_forward=40 --out g.safetensors --json").json();
    QCOMPARE(usual["held_out"].toBool(), true);
  }

  void aPretrainedEncoder() {
    QCOMPARE(run(QString("import %1 --out bert.safetensors").arg(kBert)).code, 0);
    const QJsonObject info = run("info bert.safetensors --json").json();
    QCOMPARE(info["codec"]["tokenizer"].toString(), QString("bert"));
    const QJsonObject seen =
        runCli(folder_.path(), {"probe", "bert.safetensors", "--input", "the film was great",
                                "--select", "*.probabilities", "--out", "p.npz", "--json"})
            .json();
    QCOMPARE(seen["source_tokens"].toArray().first().toString(), QString("[CLS]"));
    QCOMPARE(seen["tensors"].toArray().size(), 2);
    QCOMPARE(run("expand bert.safetensors --set feed_forward=80 --out big.safetensors --json")
                 .json()["exact"]
                 .toBool(),
             true);
    const Outcome asked = run("decode bert.safetensors film");
    QVERIFY2(faultOf(asked, 1, "", "no answers.*probe").isEmpty(),
             faultOf(asked, 1, "", "no answers.*probe"));
    const Outcome none = run("import nowhere --out none.safetensors");
    QVERIFY2(faultOf(none, 1, "", "nowhere").isEmpty(), none.err);
  }

  void aPretrainedDecoder() {
    const QString folder = TFM_TEST_DATA "/goldens/families/gpt2";
    QVERIFY(QDir().mkpath(file("gpt2")));
    for (const char* name : {"config.json", "model.safetensors"})
      QVERIFY(QFile::copy(folder + '/' + name, file(QString("gpt2/") + name)));
    const Outcome bare = run("import gpt2 --out gpt2.safetensors");
    QVERIFY2(faultOf(bare, 1, "", "no tokenizer.*tokenizer.json").isEmpty(), bare.err);
    writeText(file("gpt2/vocab.json"), R"({"a": 0, "b": 1, "ab": 2, "Ġ": 3, "Ġa": 4})");
    writeText(file("gpt2/merges.txt"), "#version: 0.2\na b\nĠ a\n");
    const QJsonObject read = run("import gpt2 --out gpt2.safetensors --json").json();
    QCOMPARE(read["vocabulary"].toInt(), 31);
    const QJsonArray map = run("import gpt2 --dry-run --json").json()["tensors"].toArray();
    QCOMPARE(map.at(4)["done"].toString(), QString("transposed, rows 1 to 16 of 48"));
    const Outcome table = run("import gpt2 --dry-run");
    QVERIFY(table.out.startsWith("tensor") && table.out.contains("decoder.final_norm.bias"));
    const Outcome answer = run("decode gpt2.safetensors \"ab a\" --max-tokens 3 --json");
    QVERIFY2(answer.code == 0 && answer.out.contains("outputs"), answer.err);
    // An answer ends with a token that a file names, which is no part of it. Ids without a row do
    // not matter.
    const auto wordsWith = [&](const char* ends) {
      writeText(file("gpt2/generation_config.json"),
                QByteArray(R"({"eos_token_id": )") + ends + "}");
      const QByteArray out = run("decode gpt2 \"ab a\" --max-tokens 9 --json").out;
      return QJsonDocument::fromJson(out)["outputs"].toArray().at(0).toString();
    };
    QCOMPARE(wordsWith("99"), QString("[no token 23]").repeated(9));
    QCOMPARE(wordsWith("[30, 23]"), QString());
    writeText(file("gpt2/generation_config.json"), R"({"eos_token_id": "a"})");
    const Outcome wrong = run("decode gpt2 \"ab a\"");
    QVERIFY2(faultOf(wrong, 1, "", "eos_token_id is").isEmpty(), wrong.err);
    QVERIFY(QFile::remove(file("gpt2/generation_config.json")));
    QCOMPARE(run("expand gpt2.safetensors --set feed_forward=40 --out big.safetensors --json")
                 .json()["exact"]
                 .toBool(),
             true);
    const Outcome features = run("features --encoder gpt2 \"ab\"");
    QVERIFY2(features.code != 0 && features.err.contains("no encoder"), features.err);
    const Outcome nothing = run("import gpt2");
    QVERIFY2(nothing.code == 2 && nothing.err.contains("--dry-run"), nothing.err);
  }

  void aTextThatMoves() {
    writeText(file("book.txt"), story());
    const QString train =
        "train --preset character-model --data book.txt --steps 4 --batch-size 2 "
        "--save-every 2 --keep 2 --out book.safetensors";
    const Outcome trained = run(train);
    QVERIFY2(trained.code == 0, trained.err);
    QVERIFY(QFile(file("book.safetensors")).size() < story().size() + 1'000'000);

    // The same command goes on from a checkpoint, whose text it finds.
    QVERIFY(QFile::copy(file("book.step-2.safetensors"), file("book.checkpoint.safetensors")));
    QVERIFY(QFile::rename(file("book.safetensors"), file("first.safetensors")));
    const Outcome again = run(train);
    QVERIFY2(again.code == 0 && again.err.contains("resuming from the checkpoint"), again.err);
    QVERIFY(open("book.safetensors").state.parameters ==
            open("first.safetensors").state.parameters);

    QVERIFY(QFile::rename(file("book.txt"), file("moved.txt")));
    const Outcome asked = run("decode book.safetensors line --max-tokens 3");
    QVERIFY2(asked.code == 0 && asked.err.contains("book.txt") && asked.err.contains("--data"),
             asked.err);
    for (const char* line : {"eval book.safetensors",
                             "train --resume book.safetensors --steps 2 --out more.safetensors"}) {
      const Outcome refused = run(line);
      QVERIFY2(refused.code == 1 && refused.err.contains("no longer there"), refused.err);
    }
    const QString resumed = "train --resume %1 %2 --steps 2 --out %3";
    const Outcome given =
        run(resumed.arg("book.safetensors", "--data moved.txt", "more.safetensors"));
    QVERIFY2(given.code == 0 && !given.err.contains("another text"), given.err);
    QVERIFY(QFile::copy(file("moved.txt"), file("book.txt")));
    QCOMPARE(run(resumed.arg("book.safetensors", "", "same.safetensors")).code, 0);
    QVERIFY(open("more.safetensors").state.parameters == open("same.safetensors").state.parameters);
    QVERIFY(QFile::remove(file("book.txt")));
    writeText(file("other.txt"), story().right(story().size() - 17));
    const Outcome other =
        run(resumed.arg("book.safetensors", "--data other.txt", "other.safetensors"));
    QVERIFY2(other.code == 0 && other.err.contains("another text"), other.err);
  }

 private:
  Outcome run(const QString& line) {
    return runCli(folder_.path(), line.split(' ', Qt::SkipEmptyParts));
  }
  QString file(const QString& name) const { return folder_.filePath(name); }
  train::Document open(const QString& name) {
    return train::openDocument(file(name).toStdString());
  }

  QTemporaryDir folder_;
};

TFM_TEST(TestCliNoTask)
#include "test_cli_no_task.moc"
