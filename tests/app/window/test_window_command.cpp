// SPDX-License-Identifier: GPL-3.0-or-later
// The window's command line without a display: help, version and errors.
#include <QProcess>
#include <QTest>

#include "tests/test_program.h"

namespace {

struct Outcome {
  int code = -1;  ///< -1: it crashed or never ended
  QByteArray out, err;
};

/// Without a display, so that no application could start.
Outcome run(const QStringList& arguments) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    environment.remove(variable);
  process.setProcessEnvironment(environment);
  process.start(TFM_WINDOW, arguments);
  Outcome outcome;
  if (process.waitForFinished(300'000) && process.exitStatus() == QProcess::NormalExit)
    outcome.code = process.exitCode();
  outcome.out = process.readAllStandardOutput();
  outcome.err = process.readAllStandardError();
  return outcome;
}

}  // namespace

class TestWindowCommand : public QObject {
  Q_OBJECT

 private slots:
  void saysHelpAndVersion_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("--help") << QStringList{"--help"} << QByteArray("Usage: transformarium");
    QTest::newRow("-h") << QStringList{"-h"} << QByteArray("--device NAME");
    QTest::newRow("with a file") << QStringList{"x.safetensors", "--help"} << QByteArray("Usage");
    QTest::newRow("of Qt") << QStringList{"-platform", "xcb", "--help"} << QByteArray("Usage");
    QTest::newRow("--version") << QStringList{"--version"} << QByteArray("transformarium ");
    QTest::newRow("-v") << QStringList{"-v"} << QByteArray("transformarium ");
  }
  void saysHelpAndVersion() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    const Outcome outcome = run(arguments);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.contains(words), outcome.out.constData());
    QCOMPARE(outcome.err, QByteArray());
  }

  void reportsWrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const QStringList& arguments, int code, const char* words) {
      QTest::newRow(qPrintable("'" + arguments.join(' ') + "'"))
          << arguments << code << QByteArray(words);
    };
    row({"--wobble"}, 2, "'wobble'");
    row({"--device"}, 2, "device");
    row({"a.safetensors", "b.safetensors"}, 2, "'b.safetensors' is unexpected");
    row({"--device", "abacus"}, 2,
        "'abacus' that can run here\nwhere: --device\nhint:  Choose one of cpu");
    row({"--device", "cpu"}, 1, "there is no display");
    row({}, 1, "there is no display");
    row({"a.safetensors"}, 1, "there is no display");
  }
  void reportsWrongUsage() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, words);
    const Outcome outcome = run(arguments);
    QVERIFY2(outcome.code == code, outcome.err.constData());
    QVERIFY2(outcome.err.startsWith("error: ") && outcome.err.contains("\nhint:  "),
             outcome.err.constData());
    QVERIFY2(outcome.err.contains(words), outcome.err.constData());
    QCOMPARE(outcome.out, QByteArray());
  }
};

TFM_TEST(TestWindowCommand)
#include "test_window_command.moc"
