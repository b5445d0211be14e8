// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/model/sampling.h"
#include "tests/test_program.h"

using tfm::SamplingOptions;

namespace {

/// Probabilities 0.5, 0.25, 0.125, 0.125 in the order of ids 2, 0, 3, 1.
const std::vector<float> kLogits{std::log(0.25F), std::log(0.125F), std::log(0.5F),
                                 std::log(0.125F)};

/// How often each of the four tokens comes out of 1000 evenly spread draws.
std::vector<int> counts(const SamplingOptions& options,
                        const std::vector<float>& logits = kLogits) {
  std::vector<int> result(logits.size());
  for (int i = 0; i < 1000; ++i)
    ++result[std::size_t(tfm::chooseToken(logits, options, (i + 0.5) / 1000.0).id)];
  return result;
}

bool near(const std::vector<int>& got, const std::vector<int>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::abs(got[i] - expected[i]) > 1) return false;
  return true;
}

}  // namespace

class TestSampling : public QObject {
  Q_OBJECT

 private slots:
  void greedyTakesTheMostProbable() {
    QCOMPARE(counts({.temperature = 0.0}), (std::vector<int>{0, 0, 1000, 0}));
  }

  void greedyTiesGoToTheSmallestId() {
    const std::vector<float> tied{1.0F, 3.0F, 3.0F, 0.0F};
    for (const double draw : {0.0, 0.5, 0.999}) QCOMPARE(tfm::chooseToken(tied, {}, draw).id, 1);
  }

  void temperatureOneGivesTheModelsShares() {
    QVERIFY(near(counts({.temperature = 1.0}), {250, 125, 500, 125}));
    QVERIFY(!near(counts({.temperature = 1.1}), {250, 125, 500, 125}));
  }

  void temperatureSharpensAndFlattens() {
    // Halved temperature squares the probabilities: 1/16, 1/64, 1/4, 1/64 of a sum of 11/32.
    QVERIFY(near(counts({.temperature = 0.5}), {182, 45, 727, 45}));
    QVERIFY(near(counts({.temperature = 100.0}), {250, 250, 250, 250}) ||
            counts({.temperature = 100.0})[2] < 256);
  }

  void topKKeepsTheMostProbable() {
    QVERIFY(near(counts({.temperature = 1.0, .top_k = 1}), {0, 0, 1000, 0}));
    QVERIFY(near(counts({.temperature = 1.0, .top_k = 2}), {333, 0, 667, 0}));
    QVERIFY(near(counts({.temperature = 1.0, .top_k = 9}), {250, 125, 500, 125}));
    // Ids 1 and 3 are equally probable: the smaller stays.
    QVERIFY(near(counts({.temperature = 1.0, .top_k = 3}), {286, 143, 571, 0}));
  }

  void topPKeepsTheFewestThatReachIt() {
    QVERIFY(near(counts({.temperature = 1.0, .top_p = 0.4}), {0, 0, 1000, 0}));
    QVERIFY(near(counts({.temperature = 1.0, .top_p = 0.6}), {333, 0, 667, 0}));
    QVERIFY(near(counts({.temperature = 1.0, .top_p = 1.0}), {250, 125, 500, 125}));
  }

  void topPCountsWhatTopKLeft() {
    // Of the two that stay, the first has 2/3.
    QVERIFY(near(counts({.temperature = 1.0, .top_k = 2, .top_p = 0.6}), {0, 0, 1000, 0}));
    QVERIFY(near(counts({.temperature = 1.0, .top_k = 2, .top_p = 0.7}), {333, 0, 667, 0}));
  }

  void whatIsSaidOfTheDrawsIsHowTheyFall() {
    for (const SamplingOptions& o :
         {SamplingOptions{}, SamplingOptions{.temperature = 1.0},
          SamplingOptions{.temperature = 0.5}, SamplingOptions{.temperature = 1.0, .top_k = 2},
          SamplingOptions{.temperature = 0.7, .top_k = 3, .top_p = 0.8}}) {
      const std::vector<double> said = tfm::drawProbabilities(kLogits, o);
      std::vector<int> expected;
      double sum = 0.0;
      for (const double p : said) {
        expected.push_back(int(std::lround(1000.0 * p)));
        sum += p;
      }
      QVERIFY(near(counts(o), expected));
      QVERIFY(std::abs(sum - 1.0) < 1e-12);
    }
    // What may not be drawn has none at all.
    QCOMPARE(tfm::drawProbabilities(kLogits, {.temperature = 1.0, .top_k = 2})[1], 0.0);
  }

  void theProbabilityIsTheModelsOwn() {
    for (const SamplingOptions& o : {SamplingOptions{}, SamplingOptions{.temperature = 0.3},
                                     SamplingOptions{.temperature = 1.0, .top_k = 1}})
      QVERIFY(std::abs(tfm::chooseToken(kLogits, o, 0.1).probability - 0.5F) < 1e-6F);
  }

  void hugeLogitsAndTinyTemperaturesStayFinite() {
    const tfm::ChosenToken t =
        tfm::chooseToken(std::vector<float>{-3e38F, 3e38F}, {.temperature = 1e-3}, 0.7);
    QCOMPARE(t.id, 1);
    QCOMPARE(t.probability, 1.0F);
  }

  void everyDrawIsAnswered() {
    for (const double draw : {0.0, 0.25, 0.5, 0.999999999999})
      QVERIFY(tfm::chooseToken(kLogits, {.temperature = 1.0}, draw).id < 4);
    QCOMPARE(tfm::chooseToken(std::vector<float>{2.0F}, {.temperature = 1.0}, 0.9).id, 0);
  }

  void wrongOptionsAreNamed() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [](const SamplingOptions& o, const char* name) {
      try {
        tfm::validate(o);
      } catch (const tfm::Error& e) {
        return e.problem().starts_with(std::string(name) + " is ") &&
               e.hint().starts_with("Allowed: ");
      }
      return false;
    };
    QVERIFY(refused({.temperature = -0.1}, "temperature"));
    QVERIFY(refused({.temperature = nan}, "temperature"));
    QVERIFY(refused({.top_k = -1}, "top_k"));
    QVERIFY(refused({.top_p = 0.0}, "top_p"));
    QVERIFY(refused({.top_p = 1.1}, "top_p"));
    QVERIFY(refused({.max_tokens = 0}, "max_tokens"));
    QVERIFY(!refused({}, "temperature"));
  }
};

TFM_TEST(TestSampling)
#include "test_sampling.moc"
