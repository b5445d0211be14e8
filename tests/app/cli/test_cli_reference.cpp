// SPDX-License-Identifier: GPL-3.0-or-later
// The reference of the manual is what --help prints.
#include <CLI/Version.hpp>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "app/cli/verbs.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

constexpr const char* kPage = TFM_TEST_DATA "/../docs/command-line.md";
constexpr const char* kHeading = "\n## Reference\n";

/// What --help says of each verb, as Markdown.
QByteArray reference() {
  QByteArray text;
  for (const cli::Verb& verb : cli::verbs()) {
    text += "\n### " + QByteArray(verb.name) + "\n\n";
    QString help = QString::fromUtf8(test::runCli(".", {verb.name, "--help"}).out);
    help.replace(QRegularExpression("(--threads N:1 to 256)=\\d+"), "\\1");  // of this machine
    for (const QString& line : help.trimmed().split('\n'))
      text += line.isEmpty() ? QByteArray("\n") : ("    " + line + '\n').toUtf8();
  }
  return text;
}

}  // namespace

class TestCliReference : public QObject {
  Q_OBJECT

 private slots:
  /// TFM_WRITE_REFERENCE=1 in the environment writes it instead.
  void thePageSaysWhatHelpSays() {
    QFile page(kPage);
    QVERIFY(page.open(QIODevice::ReadOnly));
    QByteArray text = page.readAll();
    const qsizetype heading = text.indexOf(kHeading);
    QVERIFY(heading > 0);
    text.truncate(heading + qsizetype(qstrlen(kHeading)));
    text += reference();
    page.close();
    if (qEnvironmentVariableIsSet("TFM_WRITE_REFERENCE")) {
      QVERIFY(page.open(QIODevice::WriteOnly));
      page.write(text);
      return;
    }
#if CLI11_VERSION_MAJOR > 2 || CLI11_VERSION_MINOR > 3
    QSKIP("This CLI11 lays out help in another way than Debian 12's, which wrote the page");
#endif
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY2(page.readAll() == text,
             "docs/command-line.md differs from --help: run this test once with "
             "TFM_WRITE_REFERENCE=1");
  }
};

TFM_TEST(TestCliReference)
#include "test_cli_reference.moc"
