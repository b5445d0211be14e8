// SPDX-License-Identifier: GPL-3.0-or-later
// What --json promises to other programs.
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/io/npz.h"
#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

class TestCliJson : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void train();
  void infoListsEveryTensor();
  void infoOfAPresetIsThatOfItsModel();
  void evalMeasuresWhatTrainDid();
  void decodeAnswersInOrder();
  void probeSavesWhatItLists();
  void explainGivesTermsThatAddUp();
  void lensEndsWithTheAnswer();
  void exportSavesEveryTensor();
  void benchTracesEveryOp();
  void benchComparesFreshGradients();
  void aFileNameThatIsNotUtf8StaysJson();

 private:
  Outcome run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }

  QTemporaryDir folder_;
  QJsonObject trained_;
};

void TestCliJson::initTestCase() {
  const Outcome outcome =
      run({"train", "--preset", "rot13", "--steps", "400", "--out", "m.safetensors", "--json"});
  QVERIFY2(outcome.code == 0, outcome.err.constData());
  trained_ = outcome.json();
}

void TestCliJson::train() {
  QCOMPARE(trained_["steps"].toInt(), 400);
  QCOMPARE(trained_["step"].toInt(), 400);
  QCOMPARE(trained_["parameters"].toInt(), 4665);
  QVERIFY(trained_["seconds"].toDouble() > 0.0);
  QVERIFY(trained_["loss"].toDouble() > 0.0);
  QVERIFY(trained_["accuracy"].isDouble());
  QCOMPARE(trained_["ending"].toString(), "as_asked");
  QCOMPARE(trained_["file"].toString(), "m.safetensors");
}

void TestCliJson::infoListsEveryTensor() {
  const QJsonObject info = run({"info", "m.safetensors", "--json"}).json();
  QCOMPARE(info["parameters"].toInt(), 4665);
  qint64 total = 0;
  for (const QJsonValue tensor : info["tensors"].toArray()) {
    QVERIFY(!tensor["name"].toString().isEmpty());
    qint64 size = 1;
    for (const QJsonValue dimension : tensor["shape"].toArray()) size *= dimension.toInt();
    total += size;
  }
  QCOMPARE(total, 4665);
  QCOMPARE(info["model"]["hidden"].toInt(), 8);
  QCOMPARE(info["task"]["kind"].toString(), "rot13");
  QCOMPARE(info["state"]["step"].toInt(), 400);
}

void TestCliJson::infoOfAPresetIsThatOfItsModel() {
  const QJsonObject file = run({"info", "m.safetensors", "--json"}).json();
  const QJsonObject preset = run({"info", "--preset", "rot13", "--json"}).json();
  QCOMPARE(preset["model"], file["model"]);
  QCOMPARE(preset["tensors"], file["tensors"]);
  QVERIFY(preset["state"].isNull());
  QCOMPARE(preset["operations"], file["operations"]);
  const QJsonObject delight = run({"info", "--preset", "delight-wmt14-en-de-128", "--json"}).json();
  QCOMPARE(delight["parameters"].toInt(), 8'094'176);
  QVERIFY(delight["operations"].toDouble() > 1e9);
}

void TestCliJson::evalMeasuresWhatTrainDid() {
  const QJsonObject eval = run({"eval", "m.safetensors", "--json"}).json();
  QCOMPARE(eval["loss"], trained_["loss"]);
  QCOMPARE(eval["accuracy"], trained_["accuracy"]);
  const QJsonObject other = run({"eval", "m.safetensors", "--examples", "20", "--json"}).json();
  QVERIFY(other["loss"] != trained_["loss"]);
}

void TestCliJson::decodeAnswersInOrder() {
  const auto outputs = [&](const QStringList& texts) {
    return run(QStringList{"decode", "m.safetensors", "--json"} + texts)
        .json()["outputs"]
        .toArray();
  };
  const QJsonArray both = outputs({"hey", "there"});
  QCOMPARE(both.size(), 2);
  QVERIFY(both[0] != both[1]);
  QCOMPARE(outputs({"there", "hey"}), (QJsonArray{both[1], both[0]}));
}

void TestCliJson::probeSavesWhatItLists() {
  const QJsonObject probe =
      run({"probe", "m.safetensors", "--input", "hey", "--select",
           "encoder.*.probabilities,encoder.embedding", "--out", "p.npz", "--json"})
          .json();
  const auto saved = tfm::io::readNpz((folder_.path() + "/p.npz").toStdString());
  QCOMPARE(probe["tensors"].toArray().size(), qsizetype(saved.size()));
  QCOMPARE(saved.size(), std::size_t(2));
  QCOMPARE(probe["source_tokens"].toArray(), (QJsonArray{"h", "e", "y"}));
  const auto& maps = saved.at("encoder.layers.0.self_attention.probabilities");
  QCOMPARE(maps.shape, (std::vector<std::int64_t>{7, 3, 3}));
  const std::vector<float> values = tfm::io::floatValues(maps);
  for (std::size_t row = 0; row < values.size(); row += 3)
    QVERIFY(std::abs(values[row] + values[row + 1] + values[row + 2] - 1.0F) < 1e-5F);
  // Two texts are one padded batch.
  const QJsonObject both =
      run({"probe", "m.safetensors", "--input", "hey", "--input", "there", "--select",
           "encoder.*.probabilities,encoder.embedding", "--out", "two.npz", "--json"})
          .json();
  QCOMPARE(both["texts"].toArray().size(), 2);
  QCOMPARE(both["texts"][0]["source_pads"].toInt(), 2);
  QCOMPARE(both["texts"][1]["source_pads"].toInt(), 0);
  QCOMPARE(both["texts"][0]["source_ids"].toArray().size(), 5);
  QVERIFY(!both.contains("answer"));
  const auto two = tfm::io::readNpz((folder_.path() + "/two.npz").toStdString());
  const auto& of_two = two.at("encoder.layers.0.self_attention.probabilities");
  QCOMPARE(of_two.shape, (std::vector<std::int64_t>{2, 7, 5, 5}));
  QCOMPARE(two.at("encoder.embedding").shape[0], std::int64_t(2));
  const std::vector<float> padded = tfm::io::floatValues(of_two);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t col = 0; col < 5; ++col) {
      const float alone = col < 3 ? values[row * 3 + col] : 0.0F;
      QVERIFY(std::abs(padded[row * 5 + col] - alone) < 1e-5F);
    }
}

void TestCliJson::explainGivesTermsThatAddUp() {
  const auto sumOf = [](const QJsonObject& part) {
    double sum = part["constant"].toDouble();
    for (const QJsonValue term : part["terms"].toArray()) sum += term["amount"].toDouble();
    return sum;
  };
  const auto explained = [&](const QStringList& more) {
    return run(QStringList{"explain", "m.safetensors", "--input", "hey", "--number", "output[1, 4]",
                           "--terms", "1000", "--json"} +
               more)
        .json();
  };
  for (const QStringList& more : {QStringList(), QStringList{"--gradient"}}) {
    const QJsonObject logit = explained(more);
    QVERIFY(logit["value"].toDouble() != 0.0);
    const QJsonArray parts = logit["made_of"].toArray();
    QCOMPARE(parts.size(), 1);
    QVERIFY(std::abs(sumOf(parts[0].toObject()) - logit["value"].toDouble()) < 1e-12);
  }
  // The control: without the largest term they do not.
  QJsonObject part = explained({})["made_of"].toArray()[0].toObject();
  QJsonArray terms = part["terms"].toArray();
  terms.removeFirst();
  part["terms"] = terms;
  QVERIFY(std::abs(sumOf(part) - explained({})["value"].toDouble()) > 1e-6);
  // Deep enough, every trail ends at a token or a weight.
  const QByteArray trail = run({"explain", "m.safetensors", "--input", "hey", "--number",
                                "encoder.embedding[1, 0]", "--depth", "9", "--json"})
                               .out;
  QVERIFY(trail.contains("\"token\":\"e\"") && !trail.contains("\"token\":\"h\""));
}

void TestCliJson::lensEndsWithTheAnswer() {
  const QJsonObject all = run({"lens", "m.safetensors", "--input", "hey", "--json"}).json();
  const QJsonArray blocks = all["blocks"].toArray();
  QVERIFY(blocks.size() >= 4);  // the input and three blocks
  const QJsonArray last = blocks.last()["answers"].toArray();
  QCOMPARE(last.size(), all["read"].toArray().size());
  QVERIFY(last.first()["probability"].toDouble() > 0.0);
  const QJsonObject logit =
      run({"lens", "m.safetensors", "--input", "hey", "--of", "output[1, 4]", "--json"}).json();
  double sum = 0.0;
  const QJsonArray parts = logit["made_of"].toArray();
  for (const QJsonValue part : parts) sum += part["amount"].toDouble();
  QVERIFY(std::abs(sum - logit["logit"].toDouble()) < 1e-10);
  // The control: without the largest part it is another number.
  QVERIFY(std::abs(sum - parts.first()["amount"].toDouble() - logit["logit"].toDouble()) > 1e-6);
}

void TestCliJson::exportSavesEveryTensor() {
  const QJsonObject result =
      run({"export", "m.safetensors", "--format", "npz", "--out", "w.npz", "--json"}).json();
  const QJsonObject info = run({"info", "m.safetensors", "--json"}).json();
  const auto saved = tfm::io::readNpz((folder_.path() + "/w.npz").toStdString());
  QCOMPARE(result["tensors"].toInt(), int(saved.size()));
  QCOMPARE(info["tensors"].toArray().size(), qsizetype(saved.size()));
  for (const QJsonValue tensor : info["tensors"].toArray()) {
    const auto found = saved.find(tensor["name"].toString().toStdString());
    QVERIFY(found != saved.end());
    QJsonArray shape;
    for (const std::int64_t size : found->second.shape) shape.append(qint64(size));
    QCOMPARE(shape, tensor["shape"].toArray());
  }
}

void TestCliJson::benchTracesEveryOp() {
  const QJsonObject all = run({"bench", "--trace", "--steps", "1", "--json"}).json();
  QCOMPARE(all.keys(), (QStringList{"decoder", "delight", "funnel", "joint", "rot13"}));
  std::map<QString, QJsonObject> rows;
  for (const QJsonValue row : all["rot13"].toArray())
    rows[row["op"].toString() + ' ' + row["direction"].toString()] = row.toObject();
  for (const char* op : {"linear", "attention", "layer norm"}) {
    const QJsonObject forward = rows[QString(op) + " forward"],
                      back = rows[QString(op) + " backward"];
    QVERIFY2(forward["calls"].toInt() > 0, op);
    QCOMPARE(back["calls"], forward["calls"]);
    QCOMPARE(back["flops"].toDouble(), 2.0 * forward["flops"].toDouble());
    QVERIFY(forward["bytes"].toDouble() > 0.0 && forward["seconds"].toDouble() > 0.0);
  }
  QVERIFY(rows.contains("adam forward"));
}

void TestCliJson::benchComparesFreshGradients() {
  const QJsonObject all = run({"bench", "--fresh", "--steps", "1", "--json"}).json();
  QCOMPARE(all.keys(), (QStringList{"decoder", "delight", "joint", "rot13"}));
  for (const QJsonValue ratio : all) QVERIFY(ratio.toDouble() > 0.0);
}

void TestCliJson::aFileNameThatIsNotUtf8StaysJson() {
  // The shell passes bytes on as they are; QProcess would not.
  const QString file = folder_.path() + "/run.sh";
  writeText(file, QByteArray("\"") + TFM_CLI + "\" export m.safetensors --format npz --json " +
                      "--out \"$(printf 'w\\377.npz')\" && rm w*.npz\n");
  QProcess shell;
  shell.setWorkingDirectory(folder_.path());
  shell.start("sh", {file});
  QVERIFY(shell.waitForFinished());
  QCOMPARE(shell.exitCode(), 0);
  const Outcome outcome{0, shell.readAllStandardOutput(), {}};
  QCOMPARE(outcome.json()["parameters"].toInt(), 4665);
}

TFM_TEST(TestCliJson)
#include "test_cli_json.moc"
