// SPDX-License-Identifier: GPL-3.0-or-later
// Where numbers come from, and what if they were different: lines as in test_cli_lines.cpp.
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "tests/app/cli/cli_program.h"
#include "tests/test_program.h"

using namespace tfm::test;

class TestCliExplaining : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const Outcome trained = runCli(
        folder_.path(), {"train", "--preset", "rot13", "--steps", "3", "--out", "m.safetensors"});
    QVERIFY2(trained.code == 0, trained.err.constData());
  }
  /// An amount is the factor times what is multiplied, a number what its rule makes of the amounts,
  /// however few terms are shown.
  void jsonSaysWhatItMeans_data() {
    QTest::addColumn<QString>("number");
    QTest::addColumn<QStringList>("options");
    for (const char* number :
         {"output[0, 20]", "decoder.layers.0.self_attention.probabilities[0, 2, 1]",
          "encoder.layers.0.feed_forward_norm[1, 2]", "encoder.embedding[1, 2]"}) {
      QTest::newRow(number) << number << QStringList();
      QTest::addRow("%s --gradient", number) << number << QStringList{"--gradient"};
    }
    QTest::newRow("update") << "output.weight[3, 0]" << QStringList{"--update"};
  }
  void jsonSaysWhatItMeans() {
    QFETCH(const QString, number);
    QFETCH(const QStringList, options);
    const Outcome out =
        runCli(folder_.path(), QStringList{"explain", "m.safetensors", "--input", "hey", "--number",
                                           number, "--json", "--depth", "3", "--terms", "2"} +
                                   options);
    QVERIFY2(out.code == 0, out.err.constData());
    int terms = 0;
    checkNumber(out.json(), terms);
    QVERIFY(terms > 0);
  }
  void line_data();
  void line() { checkLine(folder_.path()); }

 private:
  static void checkNumber(const QJsonObject& number, int& terms) {
    double whole = 0.0;
    const QJsonArray parts = number["made_of"].toArray();
    for (const QJsonValue& part : parts) {
      double sum = part["constant"].toDouble() + part["more_amount"].toDouble();
      for (const QJsonValue& term : part["terms"].toArray()) {
        ++terms;
        const double amount = term["amount"].toDouble();
        sum += amount;
        double product = term["factor"].toDouble();
        for (const QJsonValue& source : term["from"].toArray()) {
          if (source["multiplied"].toBool()) product *= source["value"].toDouble();
          checkNumber(source.toObject(), terms);
        }
        if (!term["factor"].isUndefined())
          QVERIFY(std::abs(product - amount) <= 1e-9 * std::abs(amount) + 1e-15);
      }
      if (!part["function"].isUndefined()) return;
      if (part["rule"] == QStringLiteral("share")) {
        QVERIFY(std::abs(sum - part["sum"].toDouble()) < 1e-9);
        sum = part["numerator"].toDouble() / sum;
      } else {
        QCOMPARE(part["rule"].toString(), QString("sum"));
      }
      whole += sum;
    }
    const double value = number["value"].toDouble();
    if (!parts.isEmpty()) QVERIFY(std::abs(whole - value) <= 1e-9 * std::abs(value) + 1e-12);
  }

  QTemporaryDir folder_;
};

void TestCliExplaining::line_data() {
  addLineColumns();
  const auto row = addLine;

  row("explain m.safetensors --input hey --number output[0,3]", 0,
      "^output\\[0, 3\\] = .*linear: y\\[r, c\\] = sum_j.*from.*decoder.*output.weight\\[3, ",
      "^$");
  row("explain m.safetensors --input hey --number encoder.embedding.weight[7,0] --gradient", 0,
      "^d encoder.embedding.weight\\[7, 0\\] = ", "^$");
  row("explain m.safetensors --input hey --number output.weight[3,0] --gradient", 0,
      "\nThe loss is that of a training step on this text alone.*15 positions, against the right "
      "answer 'url'\\.\n$",
      "^$");
  row("explain m.safetensors --input hey --number output.weight[3,0] --gradient --json", 0,
      "\"loss\":\"The loss is .*the right answer 'url'", "^$");
  row("explain m.safetensors --input hey --number output.weight[3,0] --update --csv", 0, "^step,",
      "note: The loss is .*the right answer 'url'");
  row("explain m.safetensors --input hey --number output[0,3]", 0,
      "output\\[0, 3\\] = sum_j decoder.layers.0.feed_forward_norm\\[0, j\\] output.weight\\[3, "
      "j\\] \\+ ",
      "^$");
  row("explain m.safetensors --input hey --input there --number output[1,0,3]", 0,
      "^output\\[1, 0, 3\\] = .*sum_j decoder.layers.0.feed_forward_norm\\[1, 0, j\\] "
      "output.weight\\[3, j\\] \\+ ",
      "^$");
  row("explain m.safetensors --input hey --input there --number output[1,0,3] --gradient", 0,
      "label_weights\\[1, 0, 0\\] .*\\[3 = labels\\[1, 0\\]\\]", "^$");
  row("explain m.safetensors --input hey --input there --number output.weight[3,0] --gradient "
      "--json",
      0, "\"texts\":\\[\\{\"input\":\"hey\".*\"source_pads\":2.*\"input\":\"there\"", "^$");
  row("explain m.safetensors --input hey --input there --number output[0,3]", 2, "^$",
      "2 numbers for 3 dimensions");
  row("explain m.safetensors --input hey --number output[0,3] --latex", 0,
      "begin\\{align\\*\\}.*sum_\\{j\\}.*texttt\\{output.weight\\}", "^$");
  row("explain m.safetensors --input hey --number output[0,3] --csv", 0,
      "^step,op,rule,function,term,amount,factor,source,value,multiplied\noutput,linear,sum,,1,",
      "^$");
  row("explain m.safetensors --input hey --number output.weight[3,0] --update --depth 4", 0,
      "^output.weight.next\\[3, 0\\] = .*optimizer, adam: .*learning_rate.*gradient\\[3, 0\\]",
      "^$");
  // What only says which number is read is no factor; one term is not "1 more terms".
  row("explain m.safetensors --input hey --number output[0,20] --gradient --answer u", 0,
      "from -1 \\* label_weights\\[0, 0\\] \\(0\\.\\d+\\) \\* d loss\\[0, 0\\] \\(1\\), "
      "labels\\[0\\] \\(20",
      "^$");
  row("explain m.safetensors --input hey --number output[0,3] --terms 8", 0, "from 1 more term\n",
      "^$");
  row("explain m.safetensors --input hey --number output[0,3] --depth 50 --json --most 200", 0,
      "\"left_out\":true.*\"left_out_numbers\":[1-9]", "^$");
  row("explain m.safetensors --input hey --number output[0,3] --depth 50 --most 200", 0,
      "its terms are left out.*\nThe terms of [0-9,]+ numbers are left out: only 200", "^$");
  row("explain m.safetensors --input hey --number "
      "decoder.layers.0.self_attention.probabilities[0,2,1] --terms 1 --json",
      0, "\"rule\":\"share\",\"numerator\":[0-9.e-]+,\"sum\":[0-9.e-]+,", "^$");
  row("explain m.safetensors --input hey --number output[0,3] --answer url --json", 0,
      "\"made_of\"", "^$");
  row("explain m.safetensors --input hey --number output[0,3] --answer ur1", 2, "^$",
      "where: --answer");
  row("explain m.safetensors --input hey --input you --number output[0,0,3] --answer url", 2, "^$",
      "2 texts and 1 answer");
  row("explain m.safetensors --input hey --number output[0,'u']", 0, "^output\\[0, 20\\] = ", "^$");
  row("explain m.safetensors --input hey --number output.bias['u']", 0,
      "^output.bias\\[0, 20\\] = ", "^$");
  row("lens m.safetensors --input hey --of output[0,'u']", 0, "^output\\[0,'u'\\] = ", "^$");
  row("decode m.safetensors hey --with output[0,'u']=99", 0, "^hey -> u",
      "in force: output\\[0, 20\\]=99");
  row("explain m.safetensors --input hey --number output[0,'ü']", 2, "^$",
      "is no token.*where: --number");
  row("lens m.safetensors --input hey --of encoder.embedding[0,'u']", 2, "^$",
      "counts no tokens.*where: --of");
  row("decode m.safetensors hey --with encoder.embedding[0,'u']=0", 2, "^$",
      "counts no tokens.*where: --with");
  // The same answer is read whatever is changed, and in every verb.
  row("probe m.safetensors --input hey --select output --out p.npz --json --with "
      "decoder.layers.0.feed_forward=0",
      0, "\"answer\":\"url\",\"answer_is\":\"right\"", "in force: ");
  row("lens m.safetensors --input hey --json --with decoder.layers.0.feed_forward=0", 0,
      "\"answer\":\"url\",\"answer_is\":\"right\"", "in force: ");
  row("probe m.safetensors --input hey --select output --out p.npz --json --answer abc", 0,
      "\"answer\":\"abc\",\"answer_is\":\"given\".*\"decoder_tokens\":\\[\"[^\"]*\",\"a\",\"b\","
      "\"c\"\\]",
      "^$");
  row("lens m.safetensors --input hey --json --answer abc", 0, "\"answer_is\":\"given\"", "^$");
  row("patch m.safetensors --from you --into hey --answer abc --from-answer def --json", 0,
      "\"rows\":", "^$");
  row("patch m.safetensors --from you --into hey --answer a1c", 2, "^$", "where: --answer");
  row("lens m.safetensors --input hey", 0,
      "after reading .* % .*decoder.layers.0.feed_forward_norm\n", "^$");
  row("lens m.safetensors --input hey --of output[0,3]", 0,
      "^output\\[0,3\\] = .*decoder.layers.0.self_attention\\.head\\.0\n.*held.*feed_forward_norm",
      "^$");
  row("lens m.safetensors --input hey --of output[0,3] --with "
      "decoder.layers.0.self_attention.head.0=0",
      0, "\n +0 +decoder.layers.0.self_attention\\.head\\.0\n", "in force: ");
  row("probe m.safetensors --input hey --select *.mixed --out p.npz --with "
      "decoder.layers.0.self_attention.head.3=0",
      0, "saved p.npz", "in force: decoder.layers.0.self_attention.head.3=0");
  row("decode m.safetensors hey --with encoder.layers.0=0 --with encoder.embedding[0,.]*2", 0,
      "^hey -> ", "in force: encoder.layers.0=0\n.*in force: encoder.embedding\\[0,.\\]\\*2");
  row("eval m.safetensors --examples 5 --with encoder.layers.0=from=hey", 2, "^$", "--with");
  row("eval m.safetensors --examples 5 --json --with decoder.layers.0.feed_forward=mean", 0,
      "\"loss\":.*\"with\":\\[\"decoder.layers.0.feed_forward=mean\"\\]", "in force");
  row("importance m.safetensors --examples 5 --out i.tsv", 0,
      "decoder.layers.0.self_attention.head.0 .*whole model: accuracy", "^$");
  row("importance m.safetensors --examples 5 --of layers --mean --json", 0,
      "\"units\":\\[\\{\"target\":\"encoder.layers.0\".*\"accuracy_lost\"", "^$");
  row("patch m.safetensors --from you --into hey", 0, "^output\\[[0-9]+\\]: .*encoder", "^$");
  row("patch m.safetensors --from you --into hey --output 0 --json", 0,
      "\"rows\":\\[\\{\"stack\":\"encoder\",\"layer\":-1,", "^$");
  row("explain m.safetensors --input hey --number output[0,99]", 2, "^$",
      "where: --number.*row and column");
  row("explain m.safetensors --input hey --number outputs[0,0]", 2, "^$", "names no tensor");
  row("explain m.safetensors --input hey --number output[0,0] --update", 2, "^$",
      "is no weight of the model");
  row("explain m.safetensors --input hey --number output[0,0] --csv --latex", 2, "^$", "--latex");
  row("lens m.safetensors --input hey --of output.weight[0,0]", 2, "^$", "where: --of");
  row("explain m.safetensors --input h3y --number output[0,0]", 2, "^$", "where: --input");
  row("explain m.safetensors --input hey --number source.ids[0] --gradient", 2, "^$",
      "has no gradient");
  row("probe m.safetensors --input hey --select *.mixed --out p.npz --with "
      "encoder.embedding[9,.]=0",
      2, "^$", "is outside.*where: --with");
  row("decode m.safetensors hey --with encoder.embeding=0", 2, "^$", "Similar names");
  row("decode m.safetensors hey --with nothing", 2, "^$", "where: --with");
  row("importance m.safetensors --of words", 2, "^$", "--of");
  row("importance m.safetensors --zero --mean", 2, "^$", "--mean|--zero");
  row("patch m.safetensors --from y0u --into hey", 2, "^$", "where: --from");
  row("patch m.safetensors --from you --into hey --output 99", 2, "^$", "where: --output");
}

TFM_TEST(TestCliExplaining)
#include "test_cli_explaining.moc"
