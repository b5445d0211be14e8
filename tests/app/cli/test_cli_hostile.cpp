// SPDX-License-Identifier: GPL-3.0-or-later
// Files of strangers: what they say does not command the terminal, what they are makes nobody wait.
#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/document/document.h"
#include "core/io/safetensors.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

namespace {

/// The title of the window, red, red once more in one byte, and text from right to left.
const QByteArray kCommands = "\x1b]0;x\x07\x1b[31m\u009b31m\u202e";

QString typed() { return QString::fromUtf8("ab" + kCommands); }

/// Whether a terminal would show this and do nothing else.
bool isPlain(const QByteArray& output) {
  for (const char32_t c : QString::fromUtf8(output).toUcs4())
    if ((c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c <= 0x9F) ||
        (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFFFD)
      return false;
  return true;
}

/// What a run writes to a terminal that its standard output and standard error both are.
QByteArray shownOnTerminal(const QString& folder, const QStringList& arguments) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return "no terminal";
  const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios raw{};
  ::tcgetattr(terminal, &raw);
  ::cfmakeraw(&raw);
  ::tcsetattr(terminal, TCSANOW, &raw);
  QProcess process;
  process.setWorkingDirectory(folder);
  process.setChildProcessModifier([terminal] {
    ::dup2(terminal, STDOUT_FILENO);
    ::dup2(terminal, STDERR_FILENO);
  });
  process.start(TFM_CLI, arguments);
  QByteArray shown;
  const auto read = [&] {
    char buffer[4096];
    for (ssize_t count; (count = ::read(master, buffer, sizeof buffer)) > 0;)
      shown.append(buffer, count);
  };
  while (!process.waitForFinished(20) && process.state() != QProcess::NotRunning) read();
  read();
  ::close(terminal);
  ::close(master);
  return shown;
}

}  // namespace

class TestCliHostile : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void aDocumentDoesNotCommandTheTerminal_data();
  void aDocumentDoesNotCommandTheTerminal();
  void jsonHasTheSameText();
  void progressIsStillShown();
  void aBrokenPluginIsInNobodysWay_data();
  void aBrokenPluginIsInNobodysWay();
  void pluginsAreNamedUnopened();
  void whatIsNoFileIsRefusedAtOnce_data();
  void whatIsNoFileIsRefusedAtOnce();
  void aLogIntoAPipeNeedsItsReader();
  void aRescuedModelReplacesNothing();
  void aDamagedCheckpointCanBeDeleted();

 private:
  QString path(const QString& name) const { return folder_.filePath(name); }
  Outcome run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }
  /// Saves m.safetensors with other metadata and without its checksums.
  void saveWith(const char* name, const std::string& key, const std::string& value) const {
    io::TensorFile file = io::readSafetensors(path("m.safetensors").toStdString());
    file.metadata.erase("checksums");
    file.metadata[key] = value;
    io::writeSafetensors(path(name).toStdString(), file);
  }

  QTemporaryDir folder_;
};

void TestCliHostile::initTestCase() {
  const Outcome model =
      run({"train", "--preset", "rot13", "--steps", "2", "--out", "m.safetensors"});
  QVERIFY2(model.code == 0, model.err.constData());
  writeText(path("text.txt"), ("ab" + kCommands + "cd\n").repeated(40));
  const Outcome text = run({"train", "--task", "text", "--data", "text.txt", "--context-length",
                            "16", "--steps", "0", "--out", "text.safetensors"});
  QVERIFY2(text.code == 0, text.err.constData());
  const std::string commands = kCommands.toStdString();
  saveWith("format.safetensors", "format", commands);
  saveWith("version.safetensors", "version", commands);
  saveWith("field.safetensors", "model", R"({"\u001b[31m\u202e": 1})");
  QVERIFY(QFile::copy(path("m.safetensors"), path("\x1b[31m.safetensors")));
}

void TestCliHostile::aDocumentDoesNotCommandTheTerminal_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("shows");
  const auto row = [](const char* name, const QStringList& arguments, const char* shows) {
    QTest::newRow(name) << arguments << QByteArray(shows);
  };
  row("answer", {"decode", "text.safetensors", typed(), "--max-tokens", "40"},
      "\\x1b]0;x\\x07\\x1b[31m\\u009b31m\\u202e");
  row("samples", {"data", "--task", "text", "--data", "text.txt"}, "\\x1b]0;x");
  row("probabilities", {"lens", "text.safetensors", "--input", typed()}, "U+001B");
  row("tokens", {"tokenize", "--tokenizer", "character", "--learn", "text.txt", typed()}, "a b");
  row("text", {"info", "text.safetensors"}, "Model");
  row("format", {"info", "format.safetensors"}, "the format is '\\x1b]0;x");
  row("version", {"decode", "version.safetensors", "a"}, "version \\x1b]0;x");
  row("field", {"info", "field.safetensors"}, "\\x1b[31m\\u202e");
  row("file", {"info", "\x1b[31m.safetensors", "--wibble"}, "");
  row("missing file", {"info", "\x1b[32m.safetensors"}, "where: \\x1b[32m.safetensors");
  row("verb", {"\x1b[31m"}, "there is no verb '\\x1b[31m'");
  row("option", {"presets", "--\x1b[31m"}, "there is no option '--\\x1b[31m'");
}

void TestCliHostile::aDocumentDoesNotCommandTheTerminal() {
  QFETCH(const QStringList, arguments);
  QFETCH(const QByteArray, shows);
  const Outcome piped = run(arguments);  // to a pager, say
  const QByteArray shown = shownOnTerminal(folder_.path(), arguments);
  for (const QByteArray& output : {piped.out + piped.err, shown}) {
    QVERIFY2(isPlain(output), output.toPercentEncoding(" \n\\'()[];->").constData());
    QVERIFY2(output.contains(shows), output.constData());
  }
  QVERIFY(piped.code >= 0);
}

void TestCliHostile::jsonHasTheSameText() {
  const Outcome outcome =
      run({"decode", "text.safetensors", typed(), "--max-tokens", "4", "--json"});
  QCOMPARE(outcome.code, 0);
  QVERIFY2(isPlain(outcome.out), outcome.out.constData());
  const Outcome info = run({"info", "text.safetensors", "--json", "--texts"});
  QVERIFY2(isPlain(info.out), info.out.constData());
  QCOMPARE(info.json()["task"].toObject()["text"].toString(),
           QString(typed() + "cd\n").repeated(40));
}

void TestCliHostile::progressIsStillShown() {
  QByteArray shown = shownOnTerminal(folder_.path(), {"train", "--preset", "rot13", "--steps", "40",
                                                      "--out", "progress.safetensors"});
  QVERIFY2(shown.contains("\r\x1b[K"), shown.constData());
  QVERIFY2(shown.contains("saved"), shown.constData());
  QVERIFY2(isPlain(shown.replace("\r\x1b[K", "")), shown.constData());
}

void TestCliHostile::aBrokenPluginIsInNobodysWay_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("why");
  QTest::newRow("cut off") << "cut"
                           << "is cut off";
  QTest::newRow("pipe") << "pipe"
                        << "a device or a pipe, not a library";
  QTest::newRow("text") << "text"
                        << "is not a library";
}

void TestCliHostile::aBrokenPluginIsInNobodysWay() {
  QFETCH(const QString, kind);
  QFETCH(const QString, why);
  const QString folder = path("plugins-" + kind);
  QVERIFY(QDir().mkpath(folder));
  const QString plugin = folder + "/transformarium_cuda.so";
  if (kind == "pipe") {
    QCOMPARE(::mkfifo(plugin.toLocal8Bit().constData(), 0600), 0);
  } else {
    QFile library(TFM_FAKE_PLUGINS "/good/transformarium_fake.so");
    QVERIFY(library.open(QFile::ReadOnly));
    writeText(plugin, kind == "cut" ? library.read(library.size() / 2) : "text");
  }
  qputenv("TFM_PLUGINS", folder.toUtf8());
  const auto restore = qScopeGuard([] { qunsetenv("TFM_PLUGINS"); });
  const QString decode = "decode m.safetensors ab";
  QCOMPARE(run(decode.split(' ')).code, 0);
  QCOMPARE(run((decode + " --device cpu").split(' ')).code, 0);
  const QString named = "where: --device\nhint:  Choose one of cpu, cuda \\(cannot run here: .*";
  for (const char* device : {"cuda", "abacus"}) {
    const Outcome refused = run((decode + " --device " + device).split(' '));
    const QByteArray fault = faultOf(refused, 2, "^$", named + why);
    QVERIFY2(fault.isEmpty(), fault.constData());
  }
}

void TestCliHostile::pluginsAreNamedUnopened() {
  QVERIFY(QDir().mkpath(path("named")));
  QCOMPARE(::mkfifo(path("named/transformarium_pipe.so").toLocal8Bit().constData(), 0600), 0);
  qputenv("TFM_PLUGINS", path("named").toUtf8());
  const Outcome version = run({"--version"});
  qunsetenv("TFM_PLUGINS");
  QCOMPARE(version.code, 0);
  QVERIFY2(QRegularExpression("\nplugin +" + path("named/transformarium_pipe.so") + "\n")
               .match(version.out)
               .hasMatch(),
           version.out.constData());
}

void TestCliHostile::whatIsNoFileIsRefusedAtOnce_data() {
  QTest::addColumn<QString>("file");
  for (const char* file : {"pipe", "/dev/zero", "/dev/tty", "/proc/kmsg", "/proc/cpuinfo"})
    QTest::newRow(file) << file;
}

void TestCliHostile::whatIsNoFileIsRefusedAtOnce() {
  QFETCH(const QString, file);
  if (file == "pipe" && !QFile::exists(path(file)))
    QCOMPARE(::mkfifo(path(file).toLocal8Bit().constData(), 0600), 0);
  const char* lines[] = {"data --task text --data %1",
                         "data --task classes --data %1",
                         "data --task pairs --data %1",
                         "data --task regression --data %1",
                         "train --task sentiment --data %1 --steps 1 --out x.safetensors",
                         "train --config %1 --out x.safetensors",
                         "tokenize --vocabulary %1 ab",
                         "expand m.safetensors --plan %1 --out x.safetensors",
                         "info %1",
                         "train --resume %1 --steps 1 --out x.safetensors"};
  for (const char* line : lines) {
    const Outcome outcome = run(QString(line).arg(file).split(' '));
    QVERIFY2(outcome.code == 1 || outcome.code == 2, line);
    QVERIFY2(outcome.err.contains(file.toUtf8()), outcome.err.constData());
    QVERIFY(!QFile::exists(path("x.safetensors")));
  }
}

void TestCliHostile::aLogIntoAPipeNeedsItsReader() {
  QCOMPARE(::mkfifo(path("log").toLocal8Bit().constData(), 0600), 0);
  const QStringList train =
      QString("train --preset rot13 --steps 3 --log log --out piped.safetensors").split(' ');
  const QByteArray fault = faultOf(run(train), 1, "^$", "nobody reads this pipe\nwhere: log\n");
  QVERIFY2(fault.isEmpty(), fault.constData());
  QProcess reader;
  reader.start("cat", {path("log")});
  QVERIFY(reader.waitForStarted());
  bool done = false;
  const auto trained = [&] {  // once the reader has opened the pipe
    return done = done || run(train).code == 0;
  };
  QTRY_VERIFY_WITH_TIMEOUT(trained(), kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(reader.state(), QProcess::NotRunning, kPatience);
  QCOMPARE(reader.readAllStandardOutput().count(R"("kind":"step")"), 3);
}

void TestCliHostile::aRescuedModelReplacesNothing() {
  QDir folder(folder_.path());
  QVERIFY(folder.mkdir("gone") && folder.mkdir("tmp"));
  writeText(path("victim"), "precious");
  // The name that it had before has the id of the process, which is known only once it runs.
  qputenv("TMPDIR", path("tmp").toUtf8());
  const auto restore = qScopeGuard([] { qunsetenv("TMPDIR"); });
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  const QString line =
      "ln -s $PWD/victim tmp/transformarium-$$.safetensors; exec %1 train --preset rot13 --steps "
      "1000000 --log r.log --out gone/x.safetensors --json";
  process.start("sh", {"-c", line.arg(TFM_CLI)});
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path("r.log")).size() > 0, kPatience);
  QVERIFY(QDir(path("gone")).removeRecursively());
  ::kill(pid_t(process.processId()), SIGTERM);
  QVERIFY(process.waitForFinished(kPatience));
  const QByteArray out = process.readAllStandardOutput();
  const QString kept = QJsonDocument::fromJson(out).object()["file"].toString();
  QVERIFY2(kept.startsWith(path("tmp/transformarium-")), out.constData());
  QCOMPARE(QFile::permissions(kept) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
  QVERIFY(!QFileInfo(kept).isSymLink());
  QVERIFY(train::openDocument(kept.toStdString()).state.step > 0);
  QFile victim(path("victim"));
  QVERIFY(victim.open(QFile::ReadOnly));
  QCOMPARE(victim.readAll(), QByteArray("precious"));
}

void TestCliHostile::aDamagedCheckpointCanBeDeleted() {
  QFile model(path("m.safetensors"));
  QVERIFY(model.open(QFile::ReadOnly));
  QByteArray damaged = model.readAll();
  damaged[damaged.size() - 1] = char(damaged[damaged.size() - 1] ^ 1);
  writeText(path("c.checkpoint.safetensors"), damaged);
  const QStringList train =
      QString("train --preset rot13 --steps 3 --out c.safetensors").split(' ');
  const QByteArray fault =
      faultOf(run(train), 1, "^$", "where: c.checkpoint.safetensors\nhint: .*Delete it");
  QVERIFY2(fault.isEmpty(), fault.constData());
  QVERIFY(QFile::remove(path("c.checkpoint.safetensors")));
  QCOMPARE(run(train).code, 0);
}

TFM_TEST(TestCliHostile)
#include "test_cli_hostile.moc"
