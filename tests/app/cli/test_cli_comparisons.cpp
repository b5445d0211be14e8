// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of study --arm: arguments, exit code, what is said on standard output and standard error.
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

class TestCliComparisons : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    writeText(folder_.path() + "/good.json", R"({"model": {"architecture": "decoder", "hidden": 8,
      "decoder_layers": 1, "heads": 2, "key_size": 4, "feed_forward": 8},
      "task": {"kind": "copy", "max_length": 5}, "train": {"stop_steps": 2}})");
    const Outcome trained = runCli(
        folder_.path(), {"train", "--preset", "rot13", "--steps", "3", "--out", "m.safetensors"});
    QVERIFY2(trained.code == 0, trained.err.constData());
  }
  void line_data();
  void line() { checkLine(folder_.path()); }

 private:
  QTemporaryDir folder_;
};

void TestCliComparisons::line_data() {
  addLineColumns();
  const auto row = addLine;

  row("study --arm a=rot13 --arm b=rot13,layers=3,hidden=16 --steps 8 --seeds 2 --batch 8 "
      "--equal operations --out s1.tsv",
      0,
      "^a +4,665 parameters, .*at step 8, 2 seeds\nb +[0-9,]+ para.* at step [1-7], 2 seeds\nsaved",
      "^$");
  row("study --arm a=rot13 --arm b=rot13,2:hidden=16,heads=8,4:feed_forward=9 --steps 5 --batch 8 "
      "--evaluate-every 1 --seeds 1 --json --out s2.tsv",
      0,
      "\"arm\":\"b\",\"step\":2,[^}]*\"parameters\":4665}.*\"step\":3,[^}]*\"parameters\":9982\\}",
      "^$");
  row("study --arm old=m.safetensors --arm S=rot13,matformer,granularity=S,learning_rate=0.1 "
      "--steps 2 --seeds 1 --out s3.tsv",
      0, "^old +4,665 .*\nS +4,\\d+ parameters", "^$");
  row("study --arm a=good.json --arm b=good.json,decoder.layers=2,feed_forward=16,heads=4 "
      "--steps 2 --seeds 1 --equal seconds --out s4.tsv",
      0, "^a .*\nb .*\nsaved", "^$");
  row("study --arm a=rot13 --arm b=rot13,layers=2 --same-start --steps 2 --seeds 1 --json --out "
      "s5.tsv",
      0, "\"same_start\":\\[\\{\"arm\":\"b\",\"tensors\":[1-9]", "^$");
  row("study --arm a=rot13 --arm b=m.safetensors --same-start --steps 2 --out s6.tsv", 2, "^$",
      "b is a saved model.*where: --same-start");
  row("study --arm a=character-model --arm b=character-model --steps 2 --seeds 1 --out s7.tsv", 0,
      "^a .* position accuracy ", "^$");
  row("study --arm a=rot13 --steps 4 --out s.tsv", 2, "^$",
      "only one model\nwhere: --arm\nhint:  Give");
  row("study --arm a=rot13 --arm a=rot13 --steps 4 --out s.tsv", 2, "^$",
      "two .* called a\nwhere: --arm");
  row("study --arm a=rot13 --arm rot13 --steps 4 --out s.tsv", 2, "^$",
      "'rot13' is not NAME=MODEL\nwhere: --arm");
  row("study --arm a=rot13 --arm b=rot12 --steps 4 --out s.tsv", 2, "^$",
      "no preset 'rot12'\nwhere: --arm b.*Choose one of");
  row("study --arm a=rot13 --arm b=none.json --steps 4 --out s.tsv", 2, "^$", "none.json");
  row("study --arm a=rot13 --arm b=rot13,arms=2 --steps 4 --out s.tsv", 2, "^$",
      "no 'arms' to choose\nwhere: --arm b\n.*layers, hidden");
  row("study --arm a=rot13 --arm b=rot13,layers=many --steps 4 --out s.tsv", 2, "^$",
      "many.*where: --arm b");
  row("study --arm a=rot13 --arm b=m.safetensors,layers=3 --steps 4 --out s.tsv", 2, "^$",
      "no 'layers'.*where: --arm b\n.*keeps its sizes.*expand");
  row("study --arm a=rot13 --arm b=small-tagger --steps 4 --out s.tsv", 2, "^$",
      "a and b learn different tasks: 'rot13' and .*where: --arm\n.*--task");
  row("study --arm a=classifier --arm b=rot13 --task rot13 --steps 4 --out s.tsv", 2, "^$",
      "cannot learn the task 'rot13'\nwhere: --arm a");
  row("study --arm a=small-sequence --arm b=m.safetensors --task addition --steps 4 --out s.tsv", 2,
      "^$", "vocabulary.*where: --arm b");
  row("study --arm a=rot13 --arm b=rot13,granularity=S --steps 4 --out s.tsv", 2, "^$",
      "b has no granularity S\nwhere: --arm");
  row("study --arm a=rot13 --arm b=rot13 --seeds 0 --steps 4 --out s.tsv", 2, "^$", "--seeds");
  row("study --arm a=rot13 --arm b=rot13 --equal money --steps 4 --out s.tsv", 2, "^$", "--equal");
  row("study --arm a=rot13 --arm b=rot13 --grow 2:heads=8 --steps 4 --out s.tsv", 2, "^$",
      "where: --grow\n.*--arm NAME=MODEL,2:heads=8");
  row("study --preset rot13 --arm b=rot13 --steps 4 --out s.tsv", 2, "^$", "--preset.*--arm");
}

TFM_TEST(TestCliComparisons)
#include "test_cli_comparisons.moc"
