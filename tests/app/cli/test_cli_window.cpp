// SPDX-License-Identifier: GPL-3.0-or-later
// What a document keeps of the window, as the verbs of the tool treat it.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/document/document.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

class TestCliWindow : public QObject {
  Q_OBJECT

 private slots:
  /// Only the window writes it; here the test does.
  void initTestCase() {
    QCOMPARE(run("train --preset rot13 --steps 20 --out plain.safetensors").code, 0);
    train::Document document = train::openDocument(file("plain.safetensors").toStdString());
    const auto now = std::make_shared<const ModelState>(document.state);
    auto earlier = std::make_shared<ModelState>(document.state);
    earlier->step = 7;
    train::WindowState& window = document.window;
    window.moments = {{earlier, 0, true}, {now, 0, true}};
    window.pins = {window.moments[0], window.moments[1]};
    window.shown = train::WindowState::Shown::Difference;
    window.texts = {"there", "hey", "you"};
    window.text = 1;
    window.screen = "Flow";
    window.parts["Flow"] = R"({"open":"encoder","locked_number":"output[0, 3]"})";
    window.weights = train::weightsOf(document.state);
    train::saveDocument(file("prepared.safetensors").toStdString(), document);
  }

  void infoShowsIt() {
    const QJsonObject window = run("info prepared.safetensors --json").json()["window"].toObject();
    QCOMPARE(window["screen"].toString(), QString("Flow"));
    QCOMPARE(window["texts"].toArray(), (QJsonArray{"there", "hey", "you"}));
    QCOMPARE(window["text"].toInt(), 1);
    QCOMPARE(window["pin_a"].toInt(), 7);
    QCOMPARE(window["pin_b"].toInt(), 20);
    QCOMPARE(window["shown"].toString(), QString("A-B"));
    QCOMPARE(window["moments"].toArray(), (QJsonArray{7, 20}));
    QVERIFY(window["bytes"].toInt() > 2 * 12 * 4000);
    QCOMPARE(window["parts"]["Flow"]["locked_number"].toString(), QString("output[0, 3]"));
    QVERIFY(!run("info plain.safetensors --json").json().contains("window"));
  }

  void verbs_data() {
    addLineColumns();
    const auto row = addLine;
    const char* dropped = "note: without what the window showed .*3 texts, 2 pins and 2 moments";
    row("info prepared.safetensors", 0, "Window.*locked_number.*output\\[0, 3\\]", "");
    row("decode prepared.safetensors hey", 0, "hey -> ", "");
    row("extract prepared.safetensors --granularity 5,5 --out same.safetensors", 0, "", "^$");
    row("info same.safetensors", 0, "Window.*there", "");
    row("extract prepared.safetensors --granularity 3,3 --out part.safetensors", 0, "", dropped);
    row("expand prepared.safetensors --set hidden=16 --out grown.safetensors", 0, "", dropped);
    row("train --resume prepared.safetensors --steps 5 --out later.safetensors", 0, "", dropped);
    row("export prepared.safetensors --format safetensors --out alone.safetensors", 0, "", "^$");
    row("info later.safetensors", 0, "Model", "");
  }
  void verbs() { checkLine(folder_.path()); }

  void theOthersHaveNone() {
    for (const char* name : {"part", "grown", "later", "alone"}) {
      const Outcome info = run(QString("info %1.safetensors --json").arg(name));
      QCOMPARE(info.code, 0);
      QVERIFY2(!info.json().contains("window"), name);
    }
  }

 private:
  QString file(const QString& name) const { return folder_.filePath(name); }
  Outcome run(const QString& line) { return runCli(folder_.path(), line.split(' ')); }

  QTemporaryDir folder_;
};

TFM_TEST(TestCliWindow)
#include "test_cli_window.moc"
