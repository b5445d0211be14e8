// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/data/bleu.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;
using tfm::test::Golden;

namespace {

std::vector<std::string> textsOf(const Golden& list) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(list.at(i).text());
  return texts;
}

std::vector<Translation> translationsOf(const Golden& list) {
  std::vector<Translation> all;
  for (std::size_t i = 0; i < list.size(); ++i)
    all.push_back({list.at(i).at("hypothesis").text(), textsOf(list.at(i).at("references"))});
  return all;
}

bool near(double value, double expected) { return std::abs(value - expected) < 1e-9; }

double scoreOf(const std::string& hypothesis, const std::vector<std::string>& references) {
  const Translation one{hypothesis, references};
  return corpusBleu({&one, 1}).score;
}

}  // namespace

class TestBleu : public QObject {
  Q_OBJECT

 private slots:
  void tokensAreThoseOfSacrebleu() {
    const Golden texts = Golden::read("bleu").at("texts");
    QVERIFY(texts.size() > 10);
    for (std::size_t i = 0; i < texts.size(); ++i)
      QCOMPARE(bleuTokens(texts.at(i).at("text").text()), textsOf(texts.at(i).at("tokens")));
  }

  void scoresAreThoseOfSacrebleu() {
    const Golden corpora = Golden::read("bleu").at("corpora");
    QVERIFY(corpora.size() > 10);
    for (std::size_t i = 0; i < corpora.size(); ++i) {
      const Golden expected = corpora.at(i);
      const std::string name = expected.at("name").text();
      const Bleu bleu = corpusBleu(translationsOf(expected.at("translations")));
      QVERIFY2(near(bleu.score, expected.at("score").number()), name.c_str());
      QVERIFY2(near(bleu.brevity_penalty, expected.at("brevity_penalty").number()), name.c_str());
      QCOMPARE(double(bleu.hypothesis_length), expected.at("hypothesis_length").number());
      QCOMPARE(double(bleu.reference_length), expected.at("reference_length").number());
      for (std::size_t n = 0; n < kBleuOrder; ++n) {
        QVERIFY2(near(bleu.precisions[n], expected.at("precisions").numbers()[n]), name.c_str());
        QCOMPARE(double(bleu.matches[n]), expected.at("matches").numbers()[n]);
        QCOMPARE(double(bleu.totals[n]), expected.at("totals").numbers()[n]);
      }
      QCOMPARE(bleu.signature, expected.at("signature").text());
    }
  }

  void eachRuleIsNeeded() {
    const std::string right = "Le chat noir dort sur le tapis rouge.";
    const double perfect = scoreOf(right, {right});
    QVERIFY(near(perfect, 100.0));
    // Case, accents, order, punctuation, brevity, repetition: each costs.
    for (const char* worse :
         {"le chat noir dort sur le tapis rouge.", "Le chat nôir dort sur le tapis rouge.",
          "Le noir chat dort sur le tapis rouge.", "Le chat noir dort sur le tapis rouge",
          "Le chat noir dort sur le tapis.", "Le Le chat noir dort sur le tapis rouge."})
      QVERIFY2(scoreOf(worse, {right}) < perfect - 1.0, worse);
    // Spaces before punctuation do not, and a second reference can only help.
    QVERIFY(near(scoreOf("Le chat noir dort sur le tapis rouge .", {right}), 100.0));
    QVERIFY(near(scoreOf(right, {"Un chien aboie.", right}), 100.0));
    // A corpus is not the mean of its sentences.
    const Translation good{right, {right}}, bad{"Le chat noir dort.", {right}};
    const std::vector<Translation> both{good, bad};
    const double mean = (perfect + scoreOf(bad.hypothesis, {right})) / 2.0;
    QVERIFY(std::abs(corpusBleu(both).score - mean) > 1.0);
  }

  void refusesBytesThatAreNotText() { TFM_VERIFY_ERROR(bleuTokens("\xFF"), "UTF-8"); }
};

TFM_TEST(TestBleu)
#include "test_bleu.moc"
