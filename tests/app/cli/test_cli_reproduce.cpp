// SPDX-License-Identifier: GPL-3.0-or-later
// The source documents from the command line, and what can be done with their models.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

class TestCliReproduce : public QObject {
  Q_OBJECT

 private slots:
  void line_data() {
    addLineColumns();
    const auto row = addLine;

    row("reproduce lightweight-notes", 0,
        "^Notes on .*ok +T_M = .*\n +printed +512 256 128\n +ours +512 256 128\n.*0 not, 2 not "
        "computed",
        "^$");
    row("reproduce encoder-layer-notebook --json", 0,
        "^\\{\"pass\":true,.*\"printed\":\\[676.0\\],\"ours\":\\[676.0\\],\"pass\":true,", "^$");
    row("reproduce annotated-transformer --out recipe.safetensors", 0, "only with --full",
        "^saved recipe.safetensors\n$");
    row("train --resume recipe.safetensors --steps 1 --out recipe.safetensors", 0, "step 1\n",
        "^$");
    row("reproduce encoder-layer-notebook --out notebook.safetensors", 0, " ok ",
        "^saved notebook.safetensors\n$");
    row("probe notebook.safetensors --input abc --select *.probabilities --out notebook.npz", 0,
        "self_attention.probabilities", "^$");
    row("reproduce all --out x.safetensors", 2, "^$", "one recipe");
    row("reproduce lightweight-notes --figures .", 0, "reproduced, 0 not",
        "saved .*lightweight-notes-shuffle.tsv");
    row("reproduce annotated-transformer --as-written --out written.safetensors", 0, " ok ",
        "^saved written.safetensors\n$");
    row("info written.safetensors", 0, "warmup_exponential|4,665", "^$");
    row("reproduce another", 2, "^$", "no source document 'another'.*annotated-transformer");
    row("expand notebook.safetensors --set key_size=3 --log log.tsv --out grown.safetensors", 0,
        "saved", "^$");
    row("expand notebook.safetensors --set key_size=3 --log both --out both", 2, "^$", "--log");
  }
  void line() { checkLine(folder_.path()); }

  void theManualHasTheTablesThatItPrints() {
    const Outcome tables = runCli(folder_.path(), {"reproduce", "all", "--markdown"});
    QCOMPARE(tables.code, 0);
    QVERIFY(tables.out.startsWith("| document | agree |") && tables.out.count('\n') > 15);
    QFile page(TFM_TEST_DATA "/../docs/source-documents.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY2(page.readAll().contains(tables.out),
             "docs/source-documents.md: put in what 'reproduce all --markdown' prints");
  }

  void theLogHasALineForEachParameter() {
    QFile log(folder_.filePath("log.tsv"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = log.readAll().trimmed().split('\n');
    QVERIFY(lines.front().startsWith("parameter\trows_before\tcols_before\trows\tcols\tcopied"));
    const auto keys = [&] {
      QList<QByteArray> found;
      for (const QByteArray& line : lines)
        if (line.contains("key.weight")) found << line;
      return found;
    }();
    QCOMPARE(keys.size(), 1);  // one layer, which runs three times
    const QList<QByteArray> key = keys.front().split('\t');
    QCOMPARE(key[1].toInt(), 4);
    QCOMPARE(key[3].toInt(), 6);
    QCOMPARE(key[6].toInt(), 16);  // rescaled
  }

 private:
  QTemporaryDir folder_;
};

TFM_TEST(TestCliReproduce)
#include "test_cli_reproduce.moc"
