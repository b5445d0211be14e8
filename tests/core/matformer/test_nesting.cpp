// SPDX-License-Identifier: GPL-3.0-or-later
// Which submodels a nesting asks for, which of them a step draws, and what is refused.
#include <QTest>
#include <algorithm>

#include "core/train/train_config.h"
#include "tests/core/io/error_of.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;
using namespace tfm::test;

namespace {

constexpr std::uint64_t kSeed = 11;

Nesting weighted(std::vector<double> weights) {
  Nesting nesting = smallNesting(false);
  nesting.weights = std::move(weights);
  return nesting;
}

/// How often each granularity is drawn in the first steps.
std::vector<double> drawn(const std::vector<Granularity>& all, int steps, std::uint64_t seed) {
  std::vector<double> counts(all.size(), 0.0);
  for (int step = 0; step < steps; ++step)
    counts[sampleGranularity(all, seed, std::uint64_t(step))] += 1.0;
  return counts;
}

double chiSquare(const std::vector<double>& counts, const std::vector<double>& shares) {
  double total = 0.0, sum = 0.0;
  for (const double count : counts) total += count;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = shares[i] * total;
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

}  // namespace

class TestNesting : public QObject {
  Q_OBJECT

 private slots:
  void usualWidthsAreEighths() {
    ModelConfig c = nestedModel("decoder pre layer").config;
    for (LayerConfig& layer : c.decoder_layers) layer.first<FeedForward>()->width = 64;
    QCOMPARE(defaultNesting(c).widths, (std::vector<std::int64_t>{8, 16, 32, 64}));
    const auto all = granularities(c, defaultNesting(c));
    QCOMPARE(all.size(), std::size_t{4});
    const char* names[] = {"S", "M", "L", "XL"};
    for (std::size_t i = 0; i < all.size(); ++i) QCOMPARE(all[i].name, std::string(names[i]));
    QCOMPARE(all[1].submodel, (Submodel{{16, 16}, {3, 3}}));
    QCOMPARE(granularityName(5), std::string("3XL"));
  }

  void theWholeIsAlwaysLast() {
    const ModelConfig c = nestedModel("both pre layer").config;  // widths 7
    const auto all = granularities(c, smallNesting(true));
    QCOMPARE(all.size(), std::size_t{4});
    QCOMPARE(all[0].submodel, (Submodel{{1, 1, 1, 1}, {1, 1, 1, 1}}));
    QCOMPARE(all[3].submodel, (Submodel{{7, 7, 7, 7}, {3, 3, 3, 3}}));
    Nesting wide;
    wide.widths = {3, 7, 900};  // the last two are all there is
    QCOMPARE(granularities(c, wide).size(), std::size_t{2});
    QVERIFY(granularities(c, {}).empty());
  }

  void narrowLayersRunWhole() {
    ModelConfig c = nestedModel("decoder pre layer").config;
    c.decoder_layers[1].first<FeedForward>()->width = 4;
    const auto all = granularities(c, smallNesting(false));
    QCOMPARE(all[2].submodel.widths, (std::vector<std::int64_t>{5, 4}));
  }

  /// The factors of a sum of losses are the user's: twice as large, and the loss is.
  void factorsOfTheJointLossAreAsGiven() {
    const ModelConfig c = nestedModel("decoder pre layer").config;
    const auto factors = [&](std::vector<double> weights) {
      Nesting nesting = weighted(std::move(weights));
      nesting.training = Training::Joint;
      std::vector<double> found;
      for (const Granularity& one : granularities(c, nesting)) found.push_back(one.weight);
      return found;
    };
    const std::size_t count = factors({}).size();
    QCOMPARE(factors({}), std::vector<double>(count, 1.0 / double(count)));
    QCOMPARE(factors({1, 1}), std::vector<double>(count, 1.0));
    QCOMPARE(factors({2}), std::vector<double>(count, 2.0));
    std::vector<double> repeated(count, 0.25);
    repeated.front() = 3.0;
    QCOMPARE(factors({3, 0.25}), repeated);
  }

  void weightsSumToOne() {
    const ModelConfig c = nestedModel("decoder pre layer").config;
    const auto shares = [&](std::vector<double> weights) {
      std::vector<double> found;
      for (const Granularity& one : granularities(c, weighted(std::move(weights))))
        found.push_back(one.weight);
      return found;
    };
    QCOMPARE(shares({}), (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
    QCOMPARE(shares({1, 3}), (std::vector<double>{0.1, 0.3, 0.3, 0.3}));
    QCOMPARE(shares({1, 2, 2, 5}), (std::vector<double>{0.1, 0.2, 0.2, 0.5}));
  }

  void drawsFollowTheProbabilities() {
    const ModelConfig c = nestedModel("decoder pre layer").config;
    const auto all = granularities(c, weighted({1, 2, 3, 4}));
    constexpr double kBound =
        16.27;  // chi-square with 3 degrees of freedom exceeds it once in 1000
    for (const std::uint64_t seed : {kSeed, kSeed + 1}) {
      const std::vector<double> counts = drawn(all, 10'000, seed);
      QVERIFY(chiSquare(counts, {0.1, 0.2, 0.3, 0.4}) < kBound);
      QVERIFY(chiSquare(counts, {0.12, 0.2, 0.3, 0.38}) > kBound);
    }
  }

  void drawsAreAFunctionOfSeedAndStep() {
    const ModelConfig c = nestedModel("decoder pre layer").config;
    const auto all = granularities(c, smallNesting(false));
    std::vector<std::size_t> forwards, backwards, other;
    for (std::uint64_t step = 0; step < 100; ++step) {
      forwards.push_back(sampleGranularity(all, kSeed, step));
      backwards.push_back(sampleGranularity(all, kSeed, 99 - step));
      other.push_back(sampleGranularity(all, kSeed + 1, step));
    }
    std::ranges::reverse(backwards);
    QCOMPARE(forwards, backwards);
    QVERIFY(forwards != other);
  }

  void isRefused_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* json, const char* expected) {
      QTest::newRow(json) << QByteArray(json) << QByteArray(expected);
    };
    row(R"({"widths":[2,4],"heads":[1,2],"training":"joint","weights":[1,2,0.5]})", "no error");
    row("{}", "no error");
    row("[]", "a JSON object");
    row(R"({"width":[1]})", "width");
    row(R"({"widths":4})", "a list of at most 32 numbers");
    row(R"({"widths":[1.5]})", "a list of at most 32 numbers");
    row(R"({"widths":[-1]})", "a list of at most 32 numbers");
    row(R"({"widths":["S"]})", "a list of at most 32 numbers");
    row(R"({"widths":[4294967296]})", "a list of at most 32 numbers");
    row(R"({"widths":[18446744073709551616]})", "a list of at most 32 numbers");
    row(R"({"widths":[0]})", "widths has 0 after 0");
    row(R"({"widths":[4,2]})", "widths has 2 after 4");
    row(R"({"widths":[4,4]})", "widths has 4 after 4");
    row(R"({"widths":[4,4],"heads":[1,2]})", "no error");  // only heads are nested there
    row(R"({"widths":[4],"heads":[1,2]})", "2 numbers of heads for 1 widths");
    row(R"({"widths":[2,4],"heads":[2,1]})", "heads has 1 after 2");
    row(R"({"widths":[2],"weights":[1,2,3]})", "3 weights");
    row(R"({"widths":[2],"weights":[1,0]})", "a weight is 0");
    row(R"({"widths":[2],"weights":[1,-2]})", "a weight is -2");
    row(R"({"widths":[2],"weights":[1e999]})", "number overflow");
    row(R"({"widths":[2],"weights":[true]})", "a list of at most 32 numbers");
    row(R"({"widths":[2],"training":"both"})", "sampled, joint");
    QByteArray many = R"({"widths":[1)";
    for (int i = 2; i <= 33; ++i) many += "," + QByteArray::number(i);
    QTest::newRow("33 widths") << many + "]}" << QByteArray("a list of at most 32 numbers");
  }
  void isRefused() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, expected);
    const std::string train = R"({"nesting":)" + json.toStdString() + "}";
    const QByteArray message =
        errorOf([&] { train::trainConfigFromJson(train, "some.json: train"); });
    QVERIFY2(message.contains(expected), message.constData());
    if (expected != "no error")
      QVERIFY2(message.contains("nesting") || message.contains("some.json"), message.constData());
  }

  void jsonKeepsEverything() {
    train::TrainConfig config;
    config.nesting = {{2, 4, 9}, {1, 2, 2}, Training::Joint, {0.5, 2.0, 1.0, 3.0}};
    QVERIFY(train::trainConfigFromJson(train::toJson(config), "json") == config);
    QVERIFY(train::toJson(train::TrainConfig{}).find("nesting") == std::string::npos);
  }
};

TFM_TEST(TestNesting)
#include "test_nesting.moc"
