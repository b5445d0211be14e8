// SPDX-License-Identifier: GPL-3.0-or-later
// Nested submodels from the command line: trained, measured, extracted.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/document/document.h"
#include "core/matformer/cost.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

class TestCliMatformer : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void line_data();
  void line();
  void noNameIsNoSubmodel();
  void everyGranularityIsMeasured();
  void anExtractedModelMeasuresTheSame();
  void theLogSaysWhatAStepTrained();
  void otherTextsMeasure();

 private:
  Outcome run(const QString& line) { return runCli(folder_.path(), line.split(' ')); }
  QString path(const QString& name) const { return folder_.path() + "/" + name; }

  QTemporaryDir folder_;
};

void TestCliMatformer::initTestCase() {
  const Outcome nested =
      run("train --preset sequence --task copy --matformer --nested-heads "
          "1,2,3,4 --steps 6 --evaluate-every 3 --evaluation-size 40 "
          "--out n.safetensors");
  QVERIFY2(nested.code == 0, nested.err.constData());
  QCOMPARE(run("train --preset rot13 --steps 1 --out plain.safetensors").code, 0);
  writeText(path("config.json"), R"({"model": "rot13", "train": {"stop_steps": 2,
    "nesting": {"widths": [2, 4], "training": "joint"}}})");
  writeText(path("bad.json"), R"({"model": "rot13", "train": {"nesting": {"widths": [4, 2]}}})");
  writeText(path("wide.json"), R"({"model": "rot13", "train": {"nesting": {"widths": [4, 999]}}})");
  QByteArray reviews, others;
  for (int i = 0; i < 10; ++i)  // of each class, one text may be held out
    reviews += "good\tfine and well\nbad\tpoor and dull\ngood\twell, fine\nbad\tdull, poor\n";
  for (int i = 0; i < 7; ++i) others += "good\twell and fine\n";
  writeText(path("reviews.tsv"), reviews);
  writeText(path("others.tsv"), others);
}

void TestCliMatformer::line_data() {
  addLineColumns();
  const auto row = addLine;
  row("train --help", 0, "--matformer.*--widths.*--nested-heads.*--nesting-weights.*--nesting ",
      "^$");
  row("train --preset rot13 --matformer --steps 2 --evaluate-every 1 --out a.safetensors", 0,
      "nested +S [0-9.]+ %  M .*\nsaved", "^step 1  S [0-9.]+ %  M .*\nstep 2  S ");
  row("train --preset rot13 --widths 2,4 --nesting joint --nesting-weights 1,1,2 --steps 1 --json "
      "--out b.safetensors",
      0, "\"granularities\":\\[\\{\"name\":\"S\",.*\"name\":\"L\",\"loss\":[0-9.]+,[^{]*\\]\\}",
      "^$");
  row("train --config config.json --json --out c.safetensors", 0, "\"name\":\"L\",", "^$");
  row("train --resume n.safetensors --steps 2 --nesting joint --out d.safetensors", 0, "nested +S ",
      "^$");
  row("train --config bad.json --out x.safetensors", 1, "^$", "widths has 2 after 4");
  row("train --preset rot13 --widths 4,2 --out x.safetensors", 2, "^$",
      "widths has 2 after 4.*smallest first");
  row("train --preset rot13 --widths 2,x --out x.safetensors", 2, "^$", "--widths");
  row("train --preset rot13 --widths 2 --nested-heads 1,2 --out x.safetensors", 2, "^$",
      "2 numbers of heads for 1 widths");
  row("train --preset rot13 --widths 2 --nesting-weights 1,0 --out x.safetensors", 2, "^$",
      "a weight is 0");
  row("train --config wide.json --steps 1 --out x.safetensors", 1, "^$",
      "the width 999 is no submodel.*\nwhere: wide.json: nesting");
  row("nesting-study --config wide.json --seeds 1 --steps 1 --out x.tsv", 1, "^$",
      "the width 999 is no submodel.*\nwhere: wide.json: nesting");
  row("train --preset rot13 --nesting both --out x.safetensors", 2, "^$", "--nesting");

  row("eval n.safetensors", 0, "^loss", "^$");
  row("eval n.safetensors --granularity S --examples 9", 0,
      "parameters +FLOP.*\nS .*of 9 evaluation examples", "^$");
  row("eval n.safetensors --granularity all --examples 9 --json", 0,
      "\"name\":\"XL\",.*\"agreement\":1.0,", "^$");
  row("eval n.safetensors --granularity 20/2 --examples 9 --json", 0,
      "\"name\":\"20/2,20/2[^\"]*\",\"widths\":\\[20,20", "^$");
  row("eval n.safetensors --granularity XXL", 2, "^$", "no granularity \"XXL\".*S, M, L, XL");
  row("eval n.safetensors --granularity 1,2,3,4,5,6,7", 2, "^$", "7 widths for");
  row("eval n.safetensors --granularity 9999", 2, "^$", "width 9999 in layer 1.*Allowed: 1 to ");
  row("eval n.safetensors --granularity S --all-granularities", 2, "^$", "--granularity");
  row("eval plain.safetensors --all-granularities", 1, "^$", "not trained with nested");
  row("eval plain.safetensors --granularity 2 --json", 0, "\"widths\":\\[2,2\\]", "^$");
  row("eval plain.safetensors --test reviews.tsv", 2, "^$", "does not allow other test texts");

  row("extract n.safetensors --granularity M --out e.safetensors", 0,
      "^extracted +M\nparameters +[0-9,]+ of [0-9,]+\nsaved +e.safetensors\n$", "^$");
  row("extract n.safetensors --granularity M --out ./n.safetensors", 2, "^$",
      "would replace n.safetensors");
  row("extract n.safetensors --granularity M", 2, "^$", "--out");
  row("extract n.safetensors --out x.safetensors", 2, "^$", "--granularity");
  row("extract n.safetensors --granularity N --out x.safetensors", 2, "^$", "no granularity");
  row("extract n.safetensors --granularity S --out no/x.safetensors", 1, "^$", "where: no/x");
  row("extract no.safetensors --granularity S --out x.safetensors", 1, "^$", "where: no.safe");
}

void TestCliMatformer::line() { checkLine(folder_.path()); }

void TestCliMatformer::noNameIsNoSubmodel() {
  for (const QStringList& line : {QStringList{"eval", "n.safetensors"},
                                  {"extract", "n.safetensors", "--out", "x.safetensors"}}) {
    const Outcome outcome = runCli(folder_.path(), line + QStringList{"--granularity", ""});
    const QByteArray fault = faultOf(outcome, 2, "^$", "is empty");
    QVERIFY2(fault.isEmpty(), fault.constData());
  }
}

void TestCliMatformer::everyGranularityIsMeasured() {
  const train::Document document = train::openDocument(path("n.safetensors").toStdString());
  const ModelConfig& config = document.state.config;
  const auto expected = matformer::granularities(config, document.train.nesting);
  const QJsonObject json =
      run("eval n.safetensors --all-granularities --examples 40 --json").json();
  const QJsonArray found = json["granularities"].toArray();
  QCOMPARE(json["examples"].toInt(), 40);
  QCOMPARE(json["step"].toInt(), 6);
  QCOMPARE(found.size(), qsizetype(expected.size()));
  const auto& scores = document.history.evaluations.back().granularities;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const QJsonObject one = found[qsizetype(i)].toObject();
    const matformer::Cost cost = matformer::costOf(config, expected[i].submodel);
    QCOMPARE(one["name"].toString().toStdString(), expected[i].name);
    QCOMPARE(one["parameters"].toInteger(), cost.parameters);
    QCOMPARE(one["flops"].toInteger(), cost.flops);
    QCOMPARE(one["widths"].toArray().size(), qsizetype(expected[i].submodel.widths.size()));
    // What the training measured after its last step, on the same examples.
    QVERIFY(qAbs(one["loss"].toDouble() - scores[i].loss) < 1e-6);
    QCOMPARE(one["accuracy"].toDouble(), scores[i].accuracy);
    QVERIFY(one["milliseconds"].toDouble() > 0.0);
    const bool whole = i + 1 == expected.size();
    QCOMPARE(one["agreement"].toDouble() == 1.0 && one["divergence"].toDouble() == 0.0, whole);
  }
}

void TestCliMatformer::anExtractedModelMeasuresTheSame() {
  const QJsonObject inside = run("eval n.safetensors --granularity M --examples 40 --json").json();
  const QJsonObject told =
      run("extract n.safetensors --granularity M --out m.safetensors --json").json();
  QCOMPARE(told["parameters"], inside["parameters"]);
  QCOMPARE(told["granularity"].toString(), QString("M"));
  const QJsonObject alone = run("eval m.safetensors --examples 40 --json").json();
  QVERIFY(qAbs(alone["loss"].toDouble() - inside["loss"].toDouble()) < 1e-6);
  QCOMPARE(alone["accuracy"], inside["accuracy"]);
  const train::Document part = train::openDocument(path("m.safetensors").toStdString());
  QCOMPARE(part.state.layout.total, std::int64_t(told["parameters"].toInteger()));
  QVERIFY(part.train.nesting == matformer::Nesting{});
  QCOMPARE(part.state.step, std::int64_t{6});
  const std::string note = part.history.events.back().text;
  QVERIFY2(note.starts_with("Extracted M from "), note.c_str());
  const auto since = [&](const QString& file) {
    return run("info " + file + " --json").json()["state"].toObject()["since_then"].toArray();
  };
  QCOMPARE(since("m.safetensors").last().toString().toStdString(), note);
  QVERIFY(since("n.safetensors").isEmpty());
  QCOMPARE(run("train --resume m.safetensors --steps 2 --out m2.safetensors").code, 0);
}

void TestCliMatformer::theLogSaysWhatAStepTrained() {
  const Outcome logged =
      run("train --preset rot13 --matformer --steps 8 --evaluate-every 4 --log - "
          "--out l.safetensors");
  const train::Document document = train::openDocument(path("l.safetensors").toStdString());
  const auto all = matformer::granularities(document.state.config, document.train.nesting);
  std::uint64_t steps = 0;
  for (const QByteArray& line : logged.out.split('\n')) {
    const QJsonObject json = Outcome{0, line, {}}.json();
    if (json["kind"] == "evaluation")
      QCOMPARE(json["granularities"].toArray().size(), qsizetype(all.size()));
    if (json["kind"] != "step") continue;
    const std::size_t drawn = matformer::sampleGranularity(all, document.state.seed, steps++);
    QCOMPARE(json["granularity"].toString().toStdString(), all[drawn].name);
  }
  QCOMPARE(steps, std::uint64_t{8});
  const Outcome joint =
      run("train --preset rot13 --matformer --nesting joint --steps 1 --log - "
          "--out j.safetensors");
  QVERIFY(!joint.out.contains("granularity\""));
}

void TestCliMatformer::otherTextsMeasure() {
  const Outcome trained =
      run("train --preset classifier --task classes --label-first --tokenizer word --train "
          "reviews.tsv --matformer --steps 30 --out r.safetensors");
  QVERIFY2(trained.code == 0, trained.err.constData());
  for (const char* what : {"--granularity S ", "", "--granularity all "}) {
    const QJsonObject json =
        run(QString("eval r.safetensors %1--test others.tsv --json").arg(what)).json();
    QCOMPARE(json["examples"].toInt(), 7);
  }
  writeText(path("turned.tsv"), "text\tlabel\nfine\tgood\ndull\tbad\n");
  QCOMPARE(run("eval r.safetensors --test turned.tsv --json").json()["examples"].toInt(), 2);
  const QByteArray missing =
      faultOf(run("eval r.safetensors --test none.tsv"), 1, "^$", "where: none.tsv");
  QVERIFY2(missing.isEmpty(), missing.constData());
}

TFM_TEST(TestCliMatformer)
#include "test_cli_matformer.moc"
