// SPDX-License-Identifier: GPL-3.0-or-later
// Pretraining with hidden tokens and fine-tuning, from the command line.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/document/document.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

namespace {

QByteArray sentences(bool labelled) {
  const char* const things[] = {"cat", "dog", "bird", "fish"};
  QByteArray text;
  for (int i = 0; i < 200; ++i) {
    const bool good = i * 7 % 5 < 2;
    if (labelled) text += good ? "1\t" : "0\t";
    text += QByteArray("the ") + things[i % 4] + " is a " + (good ? "good " : "bad ") +
            things[i / 7 % 4] + '\n';
  }
  return text;
}

}  // namespace

class TestCliMasked : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    writeText(file("text.txt"), sentences(false));
    writeText(file("labels.tsv"), sentences(true));
    const Outcome trained =
        run("train --task masked --data text.txt --by-line --max-length 8 --steps 30 "
            "--batch-size 8 --out masked.safetensors");
    QVERIFY2(trained.code == 0, trained.err);
    QVERIFY2(trained.out.contains("of the hidden tokens filled in correctly"), trained.out);
    QVERIFY2(trained.err.contains("--preset masked-encoder"), trained.err);
    QCOMPARE(run("train --preset rot13 --steps 2 --out letters.safetensors").code, 0);
  }

  void lines_data() {
    addLineColumns();
    const auto row = addLine;
    row("tasks", 0, "masked +Fills in the hidden tokens", "");
    row("eval masked.safetensors", 0, "of the hidden tokens in .* examples filled in correctly",
        "");
    row("decode masked.safetensors [MASK]", 0, "\\n  .* %, .* %", "");
    row("decode masked.safetensors cat", 0, "^cat\n$", "no token is hidden: write \\[MASK\\]");
    row("probe masked.safetensors --input [MASK] --select *.probabilities --out p.npz", 0,
        "probabilities", "");
    row("data --task masked --data text.txt --by-line --max-length 8", 0, "training", "");
    row("train --task masked --mask-rate 2 --steps 1 --out t.safetensors", 2, "",
        "0.01 to 0.9.*--mask-rate");
    row("train --preset rot13 --task masked --steps 1 --out t.safetensors", 2, "",
        "cannot learn the task 'masked'.*masked-encoder");
    row("train --resume masked.safetensors --task sentiment --steps 1 --out t.safetensors", 1, "",
        "other tokens than the model.*--data");
    row("train --resume masked.safetensors --task rot13 --steps 1 --out t.safetensors", 1, "",
        "sentiment, classes or masked");
    row("train --resume letters.safetensors --task copy --steps 1 --out t.safetensors", 2, "",
        "keeps its task");
    row("train --resume masked.safetensors --steps 3 --out more.safetensors", 0, "now at step 33",
        "");
    row("train --resume masked.safetensors --seed 3 --steps 3 --out t.safetensors", 2, "",
        "keeps its seed");
  }
  void lines() { checkLine(folder_.path()); }

  void fillsIn() {
    const Outcome asked = runCli(folder_.path(), {"decode", "masked.safetensors",
                                                  "the cat is [MASK] good [MASK]", "--json"});
    QCOMPARE(asked.code, 0);
    const QString filled = asked.json()["outputs"].toArray().first().toString();
    QVERIFY2(filled.startsWith("the cat is ") && !filled.contains("[MASK]"), qPrintable(filled));
    const QJsonArray candidates = asked.json()["candidates"].toArray().first().toArray();
    QCOMPARE(candidates.size(), 2);
    double last = 1.0;
    for (const QJsonValue& one : candidates.first().toArray()) {
      QVERIFY(one["probability"].toDouble() <= last);
      last = one["probability"].toDouble();
    }
    QCOMPARE(filled.split(' ').at(3), candidates.first().toArray().first()["token"].toString());
  }

  void becomesAClassifier() {
    const QString line =
        "train --resume masked.safetensors --task sentiment --data labels.tsv --steps %1 "
        "--batch-size 8 --seed 2 --out %2";
    const Outcome begun = run(line.arg("0", "begun.safetensors"));
    QVERIFY2(begun.code == 0, begun.err);
    QVERIFY2(begun.err.contains("it keeps") && begun.err.contains("the output layer (130"),
             begun.err);
    const ModelState before = open("masked.safetensors").state;
    const ModelState after = open("begun.safetensors").state;
    QCOMPARE(after.step, std::int64_t(0));
    QCOMPARE(after.seed, std::uint64_t(2));
    for (const ParameterInfo& p : after.layout.parameters) {
      if (p.name.starts_with("output.")) continue;
      const ParameterInfo* from = before.layout.find(p.name);
      QVERIFY(std::equal(after.parameters.begin() + p.offset,
                         after.parameters.begin() + p.offset + p.size(),
                         before.parameters.begin() + from->offset));
    }
    QCOMPARE(run(line.arg("60", "tuned.safetensors")).code, 0);
    QVERIFY(run("eval tuned.safetensors --json").json()["accuracy"].toDouble() > 0.9);
    // Without its task, it still can: only the form of the answers is another.
    QCOMPARE(run("export masked.safetensors --format safetensors --out alone.safetensors").code, 0);
    QCOMPARE(run("train --resume alone.safetensors --task sentiment --data labels.tsv --steps 1 "
                 "--out again.safetensors")
                 .code,
             0);
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

TFM_TEST(TestCliMasked)
#include "test_cli_masked.moc"
