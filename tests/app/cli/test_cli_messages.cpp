// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong, where, and what to do about it: in words, and as JSON for scripts.
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/io/safetensors.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

class TestCliMessages : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void line_data();
  void line() { checkLine(folder_.path()); }
  void aWrongValueNamesItsDocument();
  void aLongGrowthCanBeStopped();
  void aStudyThatIsStoppedKeepsWhatIsMeasured();
  void noThreadIsNoFaultOfTheProgram_data();
  void noThreadIsNoFaultOfTheProgram();
  void aFailureIsJsonToo_data();
  void aFailureIsJsonToo();
  void exportHasAUsualName();

 private:
  QString path(const QString& name) const { return folder_.filePath(name); }

  QTemporaryDir folder_;
};

void TestCliMessages::initTestCase() {
  const Outcome trained = runCli(
      folder_.path(), {"train", "--preset", "rot13", "--steps", "2", "--out", "m.safetensors"});
  QVERIFY2(trained.code == 0, trained.err.constData());
  writeText(path("cut.json"), "[1");
  writeText(path("large.json"), R"({"model": 1e999})");
  writeText(path("one.tsv"), "the film\tgood\nthe ending\tgood\n \tbad\n");
  writeText(path("both.tsv"), "the film\tgood\nthe ending\tbad\n");
  writeText(path("empty.txt"), "\n");
  writeText(path("gap.txt"), "[PAD]\n[UNK]\n\nfilm\n");
  writeText(path("twice.txt"), "[PAD]\n[UNK]\nfilm\nfilm\n");
  writeText(path("batch.json"), R"({"model": "rot13", "train": {"batch_size": 0}})");
}

void TestCliMessages::line_data() {
  addLineColumns();
  const auto row = addLine;
  row("frobnicate", 2, "^$",
      "error: there is no verb 'frobnicate'\n.*See transformarium-cli --help");
  row("--wobble", 2, "^$", "error: there is no option '--wobble'\n");
  row("eval m.safetensors --wibble 3", 2, "^$", "error: there is no option '--wibble'\n");
  row("eval m.safetensors 3", 2, "^$", "error: '3' is unexpected\n");
  row("train --preset rot13 --seed -1 --out o", 2, "^$",
      "--seed is \"-1\"\nwhere: --seed\nhint:  Allowed: a whole number from 0");
  row("train --preset rot13 --seed 18446744073709551616 --out o", 2, "^$",
      "551616\"\nwhere: --seed");
  row("train --preset rot13 --seed 18446744073709551615 --steps 1 --out o", 0, "saved", "^$");
  row("train --preset rot13 --until-accuracy 2 --out o", 2, "^$",
      "hint:  Allowed: a number from 0 to 1\n");
  row("train --preset rot13 --until-accuracy 1 --steps 1 --out o2", 0, "saved", "^$");
  row("train --preset small-sequence --task pairs --out o", 2, "^$", "where: --data\nhint: ");
  row("train --preset small-sequence --task addition --digits 12 --out o", 2, "^$",
      "digits is 12.*where: --digits\nhint: ");
  row("train --preset rot13 --digits 3 --out o", 2, "^$",
      "where: --digits\nhint: .*for addition\n");
  row("train --config cut.json --out o", 1, "^$", "not valid JSON.*where: cut.json, .*\nhint: ");
  row("train --config large.json --out o", 1, "^$", "where: large.json\nhint: ");
  row("train --config batch.json --out o", 1, "^$", "where: batch.json: training config\nhint: ");
  row("decode m.safetensors a --temperature 1e300", 2, "^$", "--temperature");
  row("decode m.safetensors a --top-k -1", 2, "^$", "--top-k is \"-1\"\n.*from 0 to");
  row("decode m.safetensors a --max-tokens -2", 2, "^$", "--max-tokens is \"-2\"\n.*from 1 to");
  row("decode m.safetensors hey HEY", 2, "^$", "where: command line, the text \"HEY\"\n");
  row("probe m.safetensors --input hey --select *.probabilities,nothing --out p.npz", 2, "^$",
      "matches 'nothing'");
  row("expand m.safetensors --set decoder.layers=1024,hidden=65536 --out huge.safetensors", 1, "^$",
      "error: growing needs about .* of memory and .*where: memory\nhint: ");
  // Texts are texts, also where the parser would read a list or an option.
  row("decode m.safetensors [hey,there]", 2, "^$", "the text \"\\[hey,there\\]\"\nhint");
  row("decode m.safetensors hey -- -5", 2, "^$", "the text \"-5\"");
  row("decode m.safetensors ++", 2, "^$", "the text \"\\+\\+\"");
  row("decode --top-k 3 -- m.safetensors hey there", 0, "^hey -> .*\nthere -> ", "^$");
  row("probe m.safetensors --input [hey] --select *.mixed --out p.npz", 2, "^$", "where: --input");
  row("probe --input hey --select *.mixed --out p.npz -- m.safetensors", 0, "saved", "^$");
  row("info --json -- m.safetensors", 0, "^\\{\"parameters\":4665", "^$");
  row("eval --examples 3 -- m.safetensors", 0, "^loss", "^$");
  row("eval m.safetensors -- --wibble", 2, "^$", "'--wibble' is unexpected");
  row("export --format npz --out q.npz -- m.safetensors", 0, "^saved", "^$");
  row("expand --set feed_forward=9 --out q.safetensors -- m.safetensors", 0, "saved", "^$");
  row("extract --granularity 2,2 --out q.safetensors -- m.safetensors", 0, "saved", "^$");
  row("train --preset rot13 --steps 1 --out q.safetensors -- x", 2, "^$", "'x' is unexpected");
  // What cannot be a value, wherever it is found out.
  row("train --task pairs --data both.tsv --held-out nan --out o", 2, "^$",
      "--held-out is \"nan\"\n");
  row("train --task pairs --data both.tsv --held-out 0.9 --out o", 2, "^$",
      "held_out is 0.9.*where: --held-out\nhint: ");
  row("decode m.safetensors hey --temperature nan", 2, "^$", "temperature");
  row("decode m.safetensors hey --top-p nan", 2, "^$", "--top-p is \"nan\"");
  row("train --preset rot13 --alphabet-size 3 --out o", 2, "^$",
      "rot13 needs 26\nwhere: --alphabet-size\nhint:  Choose 26");
  row("train --task classes --train one.tsv --test both.tsv --tokenizer word --out o", 1, "^$",
      "all 2 training examples have the class \"good\".*where: one.tsv\nhint:  Add texts");
  row("tokenize --learn empty.txt film", 1, "^$", "nothing to learn.*\nhint:  Choose a text");
  row("tokenize --vocabulary gap.txt film", 1, "^$", "token 2 is empty\n.*hint:  Write each token");
  row("tokenize --vocabulary twice.txt film", 1, "^$", "appears twice\n.*hint:  Write each token");
  row("info --preset character-model", 0, "depend on the training data", "^$");
  row("info --preset character-model --json", 0, "\"follows_task\":true", "^$");
  row("info m.safetensors --json", 0, "\"follows_task\":false", "^$");
}

void TestCliMessages::aWrongValueNamesItsDocument() {
  const auto refusal = [&](const char* key, const std::string& from, const std::string& to) {
    io::TensorFile file = io::readSafetensors(path("m.safetensors").toStdString());
    std::string& json = file.metadata.at(key);
    const auto found = json.find(from);
    if (found == std::string::npos) return QByteArray("nothing to replace");
    json.replace(found, from.size(), to);
    io::writeSafetensors(path("wrong.safetensors").toStdString(), file);
    return runCli(folder_.path(), {"info", "wrong.safetensors"}).err;
  };
  const auto names = [](const QByteArray& text) {
    return text.contains("where: wrong.safetensors") && text.contains("hint: ");
  };
  QVERIFY(names(refusal("train", "\"batch_size\":", "\"batch_size\":-")));
  QVERIFY(names(refusal("task", "\"kind\":\"rot13\"", "\"kind\":\"nope\"")));
  QVERIFY(names(refusal("model", "\"hidden\":", "\"hidden\":-")));
}

void TestCliMessages::aLongGrowthCanBeStopped() {
  // It says how long it will take before it begins.
  const Outcome outcome = interruptCli(
      folder_.path(), {"expand", "m.safetensors", "--set", "hidden=65536", "--out", "huge"}, {},
      SIGINT);
  QCOMPARE(outcome.code, 128 + SIGINT);
  QVERIFY2(outcome.err.contains("growing to 35,") && outcome.err.contains("nothing was saved"),
           outcome.err.constData());
  QVERIFY(outcome.out.isEmpty() && !QFile::exists(path("huge")));
}

void TestCliMessages::aStudyThatIsStoppedKeepsWhatIsMeasured() {
  const QString line = "importance m.safetensors --of neurons --examples 200000 --out i.tsv";
  const Outcome outcome = interruptCli(folder_.path(), line.split(' '), "m.safetensors", SIGINT,
                                       [] { QTest::qWait(2'000); });
  QCOMPARE(outcome.code, 128 + SIGINT);
  QVERIFY2(outcome.err.contains("Interrupted: "), outcome.err.constData());
  QFile table(path("i.tsv"));
  QVERIFY(table.open(QIODevice::ReadOnly));
  QVERIFY(table.readLine().startsWith("target\t"));
  QVERIFY(table.readLine().startsWith("whole\t"));
  // Parts that were not measured have no row.
  for (QByteArray row = table.readLine(); !row.isEmpty(); row = table.readLine())
    QVERIFY2(row.split('\t').at(3).toDouble() > 0.0, row.constData());
}

void TestCliMessages::noThreadIsNoFaultOfTheProgram_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<rlim_t>("stack");
  QTest::addColumn<rlim_t>("all");
  QTest::addColumn<QByteArray>("problem");
  const auto row = [](const char* name, const char* arguments, int bits, rlim_t all,
                      const char* problem) {
    QTest::newRow(name) << QString(arguments) << (rlim_t{1} << bits) << all << QByteArray(problem);
  };
  row("none starts", "eval m.safetensors --threads 8", 47, RLIM_INFINITY,
      "only 1 of 8 threads can be started: ");
  row("some start", "eval m.safetensors --threads 64", 28, rlim_t{3} << 30,
      " of 64 threads can be started: ");
  row("one beside them", "train --preset rot13 --steps 1 --out t.safetensors", 47, RLIM_INFINITY,
      "Resource temporarily unavailable");
}

void TestCliMessages::noThreadIsNoFaultOfTheProgram() {
  QFETCH(QString, arguments);
  QFETCH(rlim_t, stack);
  QFETCH(rlim_t, all);
  QFETCH(QByteArray, problem);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  QSKIP("a sanitizer takes address space too");
#endif
  rlimit usual{};
  getrlimit(RLIMIT_STACK, &usual);
  if (usual.rlim_max != RLIM_INFINITY) QSKIP("the limit of a thread's memory cannot be raised");
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  // Each thread takes as much of the address space as the first limit says.
  process.setChildProcessModifier([stack, all] {
    const rlimit each{stack, RLIM_INFINITY}, together{all, RLIM_INFINITY};
    ::setrlimit(RLIMIT_STACK, &each);
    ::setrlimit(RLIMIT_AS, &together);
  });
  process.start(TFM_CLI, arguments.split(' '));
  QVERIFY(process.waitForFinished(300'000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 1);
  const QByteArray err = process.readAllStandardError();
  QVERIFY2(err.contains(problem) && err.contains("where: this machine") &&
               err.contains("hint:  Choose fewer "),
           err.constData());
}

void TestCliMessages::aFailureIsJsonToo_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<int>("code");
  QTest::newRow("failed") << "eval no.safetensors --json" << 1;
  QTest::newRow("wrong use") << "eval m.safetensors --wibble --json" << 2;
}

void TestCliMessages::aFailureIsJsonToo() {
  QFETCH(QString, arguments);
  QFETCH(int, code);
  const Outcome outcome = runCli(folder_.path(), arguments.split(' '));
  QCOMPARE(outcome.code, code);
  const QJsonObject error = outcome.json()["error"].toObject();
  for (const char* member : {"what", "where", "hint"}) {
    const QString text = error[member].toString();
    QVERIFY2(!text.isEmpty(), outcome.out.constData());
    QVERIFY(outcome.err.contains(text.toUtf8()));
  }
}

void TestCliMessages::exportHasAUsualName() {
  QCOMPARE(runCli(folder_.path(), {"export", "m.safetensors", "--format", "npz"}).code, 0);
  QVERIFY(QFile::exists(path("m.npz")));
}

TFM_TEST(TestCliMessages)
#include "test_cli_messages.moc"
