// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong, where, and what to do about it: in words, and as JSON for scripts.
#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/io/safetensors.h"
#include "tests/app/cli/cli_program.h"

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
  writeText(path("batch.json"), R"({"model": "rot13", "train": {"batch_size": 0}})");
}

void TestCliMessages::line_data() {
  addLineColumns();
  const auto row = addLine;
  row("frobnicate", 2, "^$", "error: there is no verb 'frobnicate'\n");
  row("--wobble", 2, "^$", "error: there is no option '--wobble'\n");
  row("eval m.safetensors --wibble 3", 2, "^$", "error: there is no option '--wibble'\n");
  row("eval m.safetensors 3", 2, "^$", "error: '3' is one word too many\n");
  row("train --preset rot13 --seed -1 --out o", 2, "^$", "--seed: -1 is no whole .{0,40}\n");
  row("train --preset rot13 --seed 18446744073709551616 --out o", 2, "^$", "551616 is no whole");
  row("train --preset rot13 --seed 18446744073709551615 --steps 1 --out o", 0, "saved", "^$");
  row("train --preset rot13 --until-accuracy 2 --out o", 1, "^$",
      "hint:  Allowed: a number from 0 to 1\n");
  row("train --preset rot13 --until-accuracy 1 --steps 1 --out o", 0, "saved", "^$");
  row("train --preset small-sequence --task pairs --out o", 1, "^$", "where: --data\nhint: ");
  row("train --preset small-sequence --task addition --digits 12 --out o", 1, "^$",
      "digits is 12.*where: --digits\nhint: ");
  row("train --config cut.json --out o", 1, "^$", "not valid JSON.*where: cut.json, .*\nhint: ");
  row("train --config large.json --out o", 1, "^$", "where: large.json\nhint: ");
  row("train --config batch.json --out o", 1, "^$", "where: batch.json: training config\nhint: ");
  row("decode m.safetensors a --temperature 1e300", 2, "^$", "--temperature");
  row("decode m.safetensors a --top-k -1", 2, "^$", "--top-k: Value -1 not in range 0 to");
  row("decode m.safetensors a --max-tokens -2", 2, "^$",
      "--max-tokens: Value -2 not in range 1 to");
  row("decode m.safetensors hey HEY", 1, "^$", "where: the text \"HEY\"\n");
  row("probe m.safetensors --input hey --select *.probabilities,nothing --out p.npz", 1, "^$",
      "fits 'nothing'");
  row("expand m.safetensors --set decoder.layers=1024,hidden=65536 --out huge.safetensors", 1, "^$",
      "error: growing needs about .* of memory and .*where: growing hidden\nhint: ");
  row("info --preset character-model", 0, "follow what it is trained on", "^$");
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
  QVERIFY2(outcome.err.contains("growing to 35,") && outcome.err.contains("nothing is saved"),
           outcome.err.constData());
  QVERIFY(outcome.out.isEmpty() && !QFile::exists(path("huge")));
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

QTEST_GUILESS_MAIN(TestCliMessages)
#include "test_cli_messages.moc"
