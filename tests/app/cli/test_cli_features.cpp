// SPDX-License-Identifier: GPL-3.0-or-later
// A pretrained encoder from the command line: its features, and a model that is trained on them.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "tests/app/cli/cli_program.h"
#include "tests/core/golden.h"
#include "tests/test_program.h"

using namespace tfm::test;

namespace {

const QString kEncoder = TFM_TEST_DATA "/goldens/bert";

QByteArray reviews() {
  QByteArray table;
  for (const char* word : {"film", "ending", "was", "great", "bad", "dull"})
    table += QByteArray("no\tthe ") + word + "\nyes\tnot " + word + "\n";
  return table;
}

}  // namespace

class TestCliFeatures : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  Outcome run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }

 private slots:
  void initTestCase() {
    qputenv("XDG_CACHE_HOME", (folder_.path() + "/cache").toUtf8());
    writeText(folder_.path() + "/r.tsv", reviews());
  }

  void aTextsFeaturesAreThoseOfTransformers() {
    const Golden golden = Golden::read("bert_encoder");
    const Outcome o = run({"features", "--encoder", kEncoder, "--json",
                           QString::fromStdString(golden.at("texts").at(0).text())});
    QVERIFY2(o.code == 0, o.err.constData());
    const QJsonArray ids = o.json()["ids"][0].toArray();
    const QJsonArray features = o.json()["features"].toArray();
    QCOMPARE(ids.size(), 8);
    QCOMPARE(features.size(), 8 * 32);
    const std::vector<double> expected_ids = golden.at("ids").numbers();
    const std::vector<double> expected = golden.at("hidden_states").at(2).numbers();
    for (int i = 0; i < 8; ++i) QCOMPARE(ids[i].toDouble(), expected_ids[std::size_t(i)]);
    for (int i = 0; i < 8 * 32; ++i)
      QVERIFY(std::abs(features[i].toDouble() - expected[std::size_t(i)]) <= 2e-5);
  }

  void featuresThatOverflowAreNoResult() {
    const QString folder = folder_.filePath("large");
    QVERIFY(QDir(folder_.path()).mkdir("large"));
    for (const char* name : {"config.json", "vocab.txt"})
      QVERIFY(QFile::copy(kEncoder + "/" + name, folder + "/" + name));
    tfm::io::TensorFile file =
        tfm::io::readSafetensors((kEncoder + "/model.safetensors").toStdString());
    for (const char* name :
         {"encoder.layer.0.intermediate.dense.weight", "encoder.layer.0.output.dense.weight"}) {
      tfm::io::NamedTensor& tensor = file.tensors.at(name);
      std::vector<float> values = tfm::io::floatValues(tensor);
      for (float& value : values) value *= 1e30F;
      tensor = tfm::io::makeTensor(tensor.shape, values);
    }
    tfm::io::writeSafetensors((folder + "/model.safetensors").toStdString(), file);
    for (const QStringList& texts : {QStringList{"film"}, QStringList{"--train", "r.tsv"}}) {
      const Outcome o = run(QStringList{"features", "--encoder", folder, "--json"} + texts);
      QCOMPARE(o.code, 1);
      QVERIFY2(o.err.contains("overflow in encoder.layers.0.feed_forward.linear2"),
               o.err.constData());
      QVERIFY2(o.err.contains("where: ") && o.err.contains("text 0"), o.err.constData());
    }
  }

  void optionsMayEndBeforeTheTexts() {
    const Outcome o = run({"features", "--encoder", kEncoder, "--json", "--", "film"});
    QVERIFY2(o.code == 0 && o.json()["texts"].toInt() == 1, o.err.constData());
  }

  void aFilesFeaturesAreComputedOnce() {
    const QStringList command{"features", "--encoder", kEncoder, "--train", "r.tsv", "--json"};
    const Outcome first = run(command + QStringList{"--out", "f.npz"});
    QVERIFY2(first.code == 0, first.err.constData());
    QVERIFY(first.json()["computed"].toBool());
    QVERIFY(first.json()["cache"].toString().startsWith(folder_.path() + "/cache/transformarium/"));
    const Outcome second = run(command);
    QVERIFY(second.code == 0 && !second.json()["computed"].toBool(true));
    QCOMPARE(second.json()["tokens"], first.json()["tokens"]);

    QFile cache(first.json()["cache"].toString());
    QVERIFY(cache.open(QIODevice::ReadWrite) && cache.seek(cache.size() / 2));
    QCOMPARE(cache.write("\x01\x02\x03\x04"), 4);
    cache.close();
    const Outcome damaged = run(command);
    QVERIFY2(damaged.code == 0 && damaged.err.contains("differ from their checksum"),
             damaged.err.constData());
    QVERIFY(damaged.json()["computed"].toBool());
    QVERIFY(!run(command).json()["computed"].toBool(true));
    const Outcome shorter = run(command + QStringList{"--max-length", "3"});
    QVERIFY(shorter.json()["computed"].toBool());
    QCOMPARE(shorter.json()["tokens"].toInt(), 12 * 3);

    const auto arrays = tfm::io::readNpz((folder_.path() + "/f.npz").toStdString());
    const std::int64_t tokens = first.json()["tokens"].toInt();
    QVERIFY((arrays.at("features").shape == std::vector<std::int64_t>{tokens, 32}));
    QVERIFY((arrays.at("ids").shape == std::vector<std::int64_t>{tokens}));
    QVERIFY((arrays.at("lengths").shape == std::vector<std::int64_t>{12}));
  }

  void textsWithoutATokenAreLeftOut() {
    writeText(folder_.path() + "/blank.tsv", reviews() + "no\t \n");
    writeText(folder_.path() + "/blanks.tsv", "no\t \nyes\t  \n");
    const QStringList command{"features", "--encoder", kEncoder, "--json", "--train"};
    const Outcome o = run(command + QStringList{"blank.tsv"});
    QVERIFY2(o.code == 0 && o.err.contains("skipped 1 text without a token"), o.err.constData());
    QCOMPARE(o.json()["texts"].toInt(), 12);
    const Outcome none = run(command + QStringList{"blanks.tsv"});
    QVERIFY2(none.code == 1 && none.err.contains("where: blanks.tsv"), none.err.constData());
  }

  void aModelLearnsOnFeatures() {
    const Outcome trained = run({"train", "--preset", "small-classifier", "--task", "sentiment",
                                 "--train", "r.tsv", "--encoder", kEncoder, "--max-length", "20",
                                 "--steps", "3", "--json", "--out", "m.safetensors"});
    QVERIFY2(trained.code == 0, trained.err.constData());
    const Outcome info = run({"info", "m.safetensors"});
    QVERIFY(info.out.contains("features") && info.out.contains("feature_size             32"));
    const QJsonObject counts = run({"info", "m.safetensors", "--json"}).json();
    const int trained_ones = counts["parameters"].toInt();
    const int frozen_ones = counts["frozen_parameters"].toInt();
    QVERIFY(trained_ones > 0 && frozen_ones > 0);
    writeText(folder_.path() + "/as-config.json", run({"info", "m.safetensors", "--json"}).out);
    const Outcome again = run({"info", "--config", "as-config.json"});
    QVERIFY2(again.code == 0, again.err.constData());
    const auto withCommas = [](int number) {
      return QLocale(QLocale::English).toString(number).toUtf8();
    };
    QVERIFY(info.out.contains(withCommas(frozen_ones) + " more in the frozen encoder, " +
                              withCommas(trained_ones + frozen_ones) + " in all"));
    const Outcome decoded = run({"decode", "m.safetensors", "the film was not great", "--json"});
    const QString answer = decoded.json()["outputs"][0].toString();
    QVERIFY2(answer == "yes" || answer == "no", decoded.err.constData());
  }

  void theEncoderIsFoundFromAnotherFolder() {
    QVERIFY(QFile::link(kEncoder, folder_.filePath("bert")));
    QVERIFY(QDir(folder_.path()).mkdir("else"));
    const Outcome trained = run({"train", "--preset", "small-classifier", "--task", "sentiment",
                                 "--train", "r.tsv", "--encoder", "bert", "--max-length", "20",
                                 "--steps", "1", "--out", "near.safetensors"});
    QVERIFY2(trained.code == 0, trained.err.constData());
    const Outcome measured = runCli(folder_.filePath("else"), {"eval", "../near.safetensors"});
    QVERIFY2(measured.code == 0, measured.err.constData());
  }

  void whatCannotBeIsSaid_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("problem");
    const auto row = [](const char* name, const QStringList& arguments, int code,
                        const char* problem) {
      QTest::newRow(name) << QStringList("features") + arguments << code << QByteArray(problem);
    };
    row("no text", {"--encoder", kEncoder}, 2, "TEXT or --train");
    row("no encoder", {"film"}, 2, "--encoder");
    row("no folder", {"--encoder", "nowhere", "film"}, 1, "not a folder");
    row("empty text", {"--encoder", kEncoder, ""}, 2, "0 tokens");
    row("no such file", {"--encoder", kEncoder, "--train", "nothing.tsv"}, 1, "nothing.tsv");
    row("nowhere to save", {"--encoder", kEncoder, "film", "--out", "no/f.npz"}, 1, "no/f.npz");
  }
  void whatCannotBeIsSaid() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, problem);
    const Outcome o = run(arguments);
    QCOMPARE(o.code, code);
    QVERIFY(o.out.isEmpty());
    QVERIFY2(o.err.contains(problem), o.err.constData());
  }
};

TFM_TEST(TestCliFeatures)
#include "test_cli_features.moc"
