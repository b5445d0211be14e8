// SPDX-License-Identifier: GPL-3.0-or-later
// What a config file and the options beside it say: what info gives back, rates, steps, counting.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/document/document.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
namespace fs = std::filesystem;

class TestCliConfig : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void whatInfoSaysTrainsTheSame_data();
  void whatInfoSaysTrainsTheSame();
  void growthsThatAreOverAreLeftOut();
  void aGivenFileTakesThePlaceOfKeptTexts();
  void aConfigsRatesStand_data();
  void aConfigsRatesStand();
  void resumingWithAnotherOptimizerSaysItsRates();
  void noStepSavesTheModelAsItIs();
  void layersAndHeadsAreCountedFromOne();
  void aQueryIsNoMap();
  void longTextsAreGivenOnDemand();
  void testTextsAreGivenOnDemand();
  void manyFeaturesAreGivenOnDemand();

 private:
  Outcome run(const QString& line) { return runCli(folder_.path(), line.split(' ')); }
  train::Document open(const QString& name) {
    return train::openDocument((folder_.path() + "/" + name).toStdString());
  }
  /// Writes what info --json says of a model.
  void keepInfo(const QString& model, const QString& file) {
    const Outcome info = run("info " + model + " --json --texts");
    QVERIFY2(info.code == 0, info.err.constData());
    writeText(folder_.path() + "/" + file, info.out);
  }

  QTemporaryDir folder_;
};

void TestCliConfig::initTestCase() {
  const QString path = folder_.path() + "/";
  writeText(path + "pairs.tsv", "one\tun\ntwo\tdeux\nthree\ttrois\nfour\tquatre\nfive\tcinq\n");
  writeText(path + "other.tsv", "six\tsix\nseven\tsept\neight\thuit\nnine\tneuf\n");
  QByteArray reviews;
  for (const char* word : {"film", "ending", "was", "great", "bad", "dull"})
    reviews += QByteArray("the ") + word + "\tno\nnot " + word + "\tyes\n";
  writeText(path + "reviews.tsv", reviews);
}

void TestCliConfig::whatInfoSaysTrainsTheSame_data() {
  QTest::addColumn<QString>("how");
  const auto row = [](const char* how) { QTest::newRow(how) << how; };
  row("--preset rot13 --seed 18446744073709551615 --lr 0.003 --schedule warmup_cosine");
  row("--preset sequence --task pairs --data pairs.tsv --optimizer sgd --momentum 0.5");
  row("--preset small-sequence --matformer --nesting joint --batch 7");
  row("--preset small-classifier --task classes --data reviews.tsv --tokenizer word");
  row("--task text --context-length 9 --batch 3 --optimizer adamw");
}

void TestCliConfig::whatInfoSaysTrainsTheSame() {
  QFETCH(QString, how);
  const Outcome first = run("train " + how + " --steps 3 --out first.safetensors");
  QVERIFY2(first.code == 0, first.err.constData());
  keepInfo("first.safetensors", "info.json");
  const Outcome again = run("train --config info.json --steps 3 --out again.safetensors");
  QVERIFY2(again.code == 0, again.err.constData());
  const train::Document a = open("first.safetensors"), b = open("again.safetensors");
  QVERIFY(a.state.config == b.state.config && a.task == b.task && a.train == b.train);
  QVERIFY(a.state.seed == b.state.seed);
  QVERIFY(a.state.parameters == b.state.parameters);
  QVERIFY(a.state.second_moment == b.state.second_moment);
}

/// The model has them already; the later one is still to come.
void TestCliConfig::growthsThatAreOverAreLeftOut() {
  QCOMPARE(run("train --preset rot13 --steps 4 --grow 2:feed_forward=9 --grow 9:heads=8 "
               "--out grown.safetensors")
               .code,
           0);
  keepInfo("grown.safetensors", "grown.json");
  const Outcome again = run("train --config grown.json --steps 3 --out anew.safetensors");
  QVERIFY2(again.code == 0 && again.out.contains("growing after step 9"), again.err.constData());
  const train::Document anew = open("anew.safetensors");
  QCOMPARE(anew.train.growths.size(), std::size_t(1));
  QCOMPARE(anew.state.config.encoder_layers.front().first<FeedForward>()->width, std::int64_t(9));
}

void TestCliConfig::aGivenFileTakesThePlaceOfKeptTexts() {
  QCOMPARE(
      run("train --preset sequence --task pairs --data pairs.tsv --steps 1 --out p.safetensors")
          .code,
      0);
  keepInfo("p.safetensors", "p.json");
  QCOMPARE(run("train --config p.json --data other.tsv --steps 1 --out o.safetensors").code, 0);
  QVERIFY(open("o.safetensors").task->text.starts_with("six"));
}

void TestCliConfig::aConfigsRatesStand_data() {
  QTest::addColumn<QByteArray>("train");
  QTest::addColumn<QString>("options");
  QTest::addColumn<double>("rate");
  QTest::addColumn<double>("clip");
  QTest::addColumn<double>("decay");
  const auto row = [](const char* train, const char* options, double rate, double clip,
                      double decay) {
    QTest::addRow("%s %s", train, options)
        << QByteArray(train) << QString(options) << rate << clip << decay;
  };
  const char* stated = R"({"learning_rate": 0.003, "clip_norm": 2.5})";
  row("{}", "", 0.01, 0.0, 0.0);
  row("{}", " --optimizer sgd", 0.5, 1.0, 0.0);
  row("{}", " --optimizer adamw", 0.01, 0.0, 0.01);
  row("{}", " --optimizer adamw --weight-decay 0", 0.01, 0.0, 0.0);
  row(stated, " --optimizer sgd", 0.003, 2.5, 0.0);
  row(stated, " --optimizer sgd --lr 0.7", 0.7, 2.5, 0.0);
  row(R"({"clip_norm": 0})", " --optimizer sgd", 0.5, 0.0, 0.0);
  row(R"({"weight_decay": 0.2})", " --optimizer adamw", 0.01, 0.0, 0.2);
  row(R"({"optimizer": "sgd"})", "", 0.5, 1.0, 0.0);
  row(R"({"optimizer": "sgd", "learning_rate": 0.1})", "", 0.1, 1.0, 0.0);
  row(R"({"optimizer": "adamw"})", "", 0.01, 0.0, 0.01);
}

void TestCliConfig::aConfigsRatesStand() {
  QFETCH(QByteArray, train);
  QFETCH(QString, options);
  QFETCH(double, rate);
  QFETCH(double, clip);
  QFETCH(double, decay);
  writeText(folder_.path() + "/rates.json", R"({"model": "rot13", "train": )" + train + "}");
  const Outcome done = run("train --config rates.json --steps 0 --out rates.safetensors" + options);
  QVERIFY2(done.code == 0, done.err.constData());
  const train::TrainConfig config = open("rates.safetensors").train;
  QCOMPARE(config.schedule.learning_rate, rate);
  QCOMPARE(config.clip_norm, clip);
  QCOMPARE(config.optimizer.weight_decay, decay);
}

void TestCliConfig::resumingWithAnotherOptimizerSaysItsRates() {
  QCOMPARE(run("train --preset rot13 --lr 0.003 --steps 2 --out r.safetensors").code, 0);
  const Outcome same = run("train --resume r.safetensors --steps 1 --out r1.safetensors");
  QVERIFY2(same.code == 0 && same.err.isEmpty(), same.err.constData());
  QCOMPARE(open("r1.safetensors").train.schedule.learning_rate, 0.003);
  const Outcome other =
      run("train --resume r.safetensors --optimizer sgd --clip 3 --steps 1 --out r2.safetensors");
  QVERIFY2(other.err.contains("--learning-rate 0.5, --clip-norm 3, --weight-decay 0"),
           other.err.constData());
}

void TestCliConfig::noStepSavesTheModelAsItIs() {
  const Outcome fresh = run("train --preset rot13 --seed 3 --steps 0 --json --out n.safetensors");
  QVERIFY2(fresh.code == 0, fresh.err.constData());
  QCOMPARE(fresh.json()["steps"].toInt(-1), 0);
  QVERIFY(fresh.json()["loss"].toDouble() > 1.0);
  const train::Document document = open("n.safetensors");
  QCOMPARE(document.state.step, std::int64_t(0));
  QVERIFY(document.state.parameters == initialState(document.state.config, 3).parameters);
  QCOMPARE(document.train.stop.steps, std::int64_t(4000));  // as the preset trains
  // It goes on as if it had never been saved, and a trained model is saved as it is too.
  QCOMPARE(run("train --resume n.safetensors --steps 3 --out n3.safetensors").code, 0);
  QCOMPARE(run("train --preset rot13 --seed 3 --steps 3 --out w3.safetensors").code, 0);
  QVERIFY(open("n3.safetensors").state.parameters == open("w3.safetensors").state.parameters);
  QCOMPARE(run("train --resume w3.safetensors --steps 0 --out w.safetensors").code, 0);
  QVERIFY(open("w.safetensors").state.parameters == open("w3.safetensors").state.parameters);
  QCOMPARE(open("w.safetensors").train.stop.steps, std::int64_t(3));
}

void TestCliConfig::layersAndHeadsAreCountedFromOne() {
  QCOMPARE(run("train --preset small-sequence --steps 1 --out c.safetensors").code, 0);
  const Outcome second =
      run("expand c.safetensors --set key_size=9,stack=decoder,attention=self,layer=2,head=1+3 "
          "--out c2.safetensors");
  QVERIFY2(second.out.contains("decoder, self-attention, layer 2, heads 1, 3"),
           second.err + second.out);
  const ModelConfig config = open("c2.safetensors").state.config;
  QVERIFY(config.decoder_layers[0].first<SelfAttention>()->sizes.key_sizes.empty());
  QCOMPARE(config.decoder_layers[1].first<SelfAttention>()->sizes.key_sizes,
           (std::vector<std::int64_t>{9, 8, 9, 8}));
  const Outcome none =
      run("expand c.safetensors --set feed_forward=99 --layers 0 --out x.safetensors");
  QVERIFY2(none.code == 2 && none.err.contains("counted from 1"), none.err.constData());
  const Outcome third =
      run("expand c.safetensors --set feed_forward=99 --layers 3 --out x.safetensors");
  QVERIFY2(third.err.contains("there is no layer 3") && third.err.contains("Layers are 1 to 2"),
           third.err.constData());
  const Outcome between =
      run("expand c.safetensors --set decoder.layers=3 --insert-layer 1 --out x.safetensors");
  QVERIFY2(between.out.contains("after layer 1"), between.err + between.out);
}

void TestCliConfig::longTextsAreGivenOnDemand() {
  QByteArray rows;
  for (int i = 0; i < 2000; ++i) rows += QByteArray::number(i) + "\tone\n";
  writeText(folder_.path() + "/long.tsv", rows);
  QCOMPARE(run("train --preset sequence --task pairs --data long.tsv --steps 1 --out l.safetensors")
               .code,
           0);
  const QJsonObject sizes = run("info l.safetensors --json").json()["task"].toObject();
  QCOMPARE(sizes["text_bytes"].toInt(), int(rows.size()));
  QVERIFY(!sizes.contains("text") && sizes.contains("vocabulary"));  // a short one stays
  const QJsonObject texts = run("info l.safetensors --json --texts").json()["task"].toObject();
  QCOMPARE(texts["text"].toString().toUtf8(), rows);
  QVERIFY(!texts.contains("text_bytes"));
  // Without its texts it trains nothing, rather than something else.
  writeText(folder_.path() + "/sizes.json", run("info l.safetensors --json").out);
  const Outcome again = run("train --config sizes.json --steps 1 --out n.safetensors");
  QVERIFY2(again.code != 0 && again.err.contains("info --json --texts"), again.err.constData());
}

void TestCliConfig::testTextsAreGivenOnDemand() {
  QByteArray rows;
  for (int i = 0; i < 3000; ++i)
    rows += (i % 2 == 0 ? "good " : "bad ") + QByteArray::number(i) + '\t' +
            (i % 2 == 0 ? "positive" : "negative") + '\n';
  writeText(folder_.path() + "/train.tsv", rows.first(rows.indexOf('\n', 400) + 1));
  writeText(folder_.path() + "/test.tsv", rows);
  QCOMPARE(run("train --preset classifier --task classes --tokenizer word --data train.tsv --test "
               "test.tsv --steps 1 --out t.safetensors")
               .code,
           0);
  const Outcome plain = run("info t.safetensors");
  QVERIFY2(plain.out.contains("test_text_bytes"), plain.out.constData());
  QVERIFY(!plain.out.contains("good 2998") && plain.out.size() < 10'000);
  const QJsonObject sizes = run("info t.safetensors --json").json()["task"].toObject();
  QVERIFY(sizes["test_text_bytes"].toInt() >= int(rows.size()));
  QVERIFY(!sizes.contains("test_text") && sizes.contains("text"));
  const QJsonObject texts = run("info t.safetensors --json --texts").json()["task"].toObject();
  QVERIFY(texts["test_text"].toString().contains("good 2998"));
}

void TestCliConfig::manyFeaturesAreGivenOnDemand() {
  const fs::path encoder = fs::path(TFM_TEST_DATA) / "goldens/torch_encoder";
  const fs::path folder = fs::path(folder_.path().toStdString()) / "encoder";
  fs::create_directory(folder);
  for (const char* name : {"config.json", "model.safetensors"})
    fs::copy_file(encoder / name, folder / name);
  QByteArray rows = "x1,x2,x3,x4\n";
  for (int i = 0; i < 3000; ++i) rows += QByteArray::number(i) + ",1,2,3\n";
  writeText(folder_.path() + "/encoder/inputs.csv", rows);
  QVERIFY(run("import encoder --out e.safetensors").out.contains("each a row of 4 numbers"));
  const QJsonObject sizes = run("info e.safetensors --json").json()["codec"].toObject();
  QCOMPARE(sizes["feature_numbers_count"].toInt(), (3000 + 2) * 4);
  QVERIFY(!sizes.contains("feature_numbers"));
  QVERIFY(run("info e.safetensors").out.contains("feature_numbers_count"));
  QVERIFY(run("info e.safetensors --json --texts")
              .json()["codec"]
              .toObject()
              .contains("feature_numbers"));
}

void TestCliConfig::aQueryIsNoMap() {
  writeText(folder_.path() + "/square.json", R"({"model": {"hidden": 8, "encoder_layers": 1,
    "decoder_layers": 1, "heads": 1, "key_size": 5, "value_size": 5, "feed_forward": 8},
    "task": "rot13"})");
  QCOMPARE(run("train --config square.json --steps 1 --out sq.safetensors").code, 0);
  const Outcome probe =
      run("probe sq.safetensors --input there --select "
          "encoder.*.query,encoder.*.probabilities --out sq.npz");
  QVERIFY2(probe.code == 0, probe.err.constData());
  QVERIFY2(probe.out.contains("query  5 x 5\n"), probe.out.constData());
  QVERIFY2(probe.out.contains("probabilities  1 x 5 x 5\n"), probe.out.constData());
}

TFM_TEST(TestCliConfig)
#include "test_cli_config.moc"
