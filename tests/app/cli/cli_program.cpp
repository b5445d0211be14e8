// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/cli_program.h"
#include "tests/obeys_permissions.h"
#include "tests/test_program.h"

#include <signal.h>

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

namespace tfm::test {
namespace {

Outcome outcomeOf(QProcess& process) {
  Outcome outcome;
  if (process.waitForFinished(kPatience) && process.exitStatus() == QProcess::NormalExit)
    outcome.code = process.exitCode();
  outcome.out = process.readAllStandardOutput();
  outcome.err = process.readAllStandardError();
  return outcome;
}

}  // namespace

QJsonObject Outcome::json() const { return QJsonDocument::fromJson(out).object(); }

Outcome runCli(const QString& folder, const QStringList& arguments) {
  QProcess process;
  process.setChildProcessModifier(letObeyPermissions);
  process.setWorkingDirectory(folder);
  process.start(TFM_CLI, arguments);
  return outcomeOf(process);
}

QByteArray faultOf(const Outcome& outcome, int code, const QString& out, const QString& err) {
  const auto fits = [](const QString& pattern, const QByteArray& text) {
    return QRegularExpression(pattern, QRegularExpression::DotMatchesEverythingOption)
        .match(QString::fromUtf8(text))
        .hasMatch();
  };
  // What has to change on the command line ends with 2, all else with 1.
  const QString failed = "^(note: [^\n]*\n)*error: .*\nwhere: ";
  const bool placed =
      (code != 1 && code != 2) ||
      (fits(failed, outcome.err) && fits(failed + "(command line|--)", outcome.err) == (code == 2));
  const bool right =
      outcome.code == code && fits(out, outcome.out) && fits(err, outcome.err) && placed;
  if (right) return {};
  return QByteArray::number(outcome.code) + ":\n" + outcome.out + "\n--\n" + outcome.err;
}

void addLineColumns() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("out");
  QTest::addColumn<QString>("err");
}

void addLine(const char* arguments, int code, const char* out, const char* err) {
  QTest::newRow(arguments) << arguments << code << out << err;
}

void checkLine(const QString& folder) {
  QFETCH(QString, arguments);
  QFETCH(int, code);
  QFETCH(QString, out);
  QFETCH(QString, err);
  const Outcome outcome = runCli(folder, arguments.split(' ', Qt::SkipEmptyParts));
  const QByteArray fault = faultOf(outcome, code, out, err);
  QVERIFY2(fault.isEmpty(), fault.constData());
}

Outcome interruptCli(const QString& folder, const QStringList& arguments, const QString& file,
                     int signal, const std::function<void()>& before) {
  QProcess process;
  // Whoever runs the tests may have no terminal.
  process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_DFL); });
  process.setWorkingDirectory(folder);
  process.start(TFM_CLI, arguments);
  process.setReadChannel(QProcess::StandardError);
  const QString path = folder + "/" + file;
  const auto has_begun = [&] {
    return file.isEmpty() ? process.bytesAvailable() > 0 : QFileInfo(path).size() > 0;
  };
  const bool begun = QTest::qWaitFor(has_begun, kPatience);
  if (begun && before) before();
  if (begun) ::kill(pid_t(process.processId()), signal);
  return begun ? outcomeOf(process) : Outcome{};
}

void writeText(const QString& path, const QByteArray& content) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(content), content.size());
}

}  // namespace tfm::test
