// SPDX-License-Identifier: GPL-3.0-or-later
// What nested training is for: prefixes that work (B5).
#include <QTest>

#include "core/ask/submodel_scorer.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr int kLearningSteps = 1000;
constexpr std::int64_t kExamples = 400;

/// Held-out scores of the four granularities after training with or without them.
std::vector<SubmodelScore> scoresAfter(const Document& document, const Nesting& nesting) {
  Trainer trainer = trainerOf(document, 2);
  losses(trainer, kLearningSteps);
  SubmodelScorer scorer(trainer.sharedTask(), std::make_shared<const ModelState>(trainer.state()),
                        kExamples, 2);
  std::vector<SubmodelScore> scores;
  for (const Granularity& one : granularities(document.state.config, nesting))
    scores.push_back(*scorer.score(one.submodel));
  return scores;
}

}  // namespace

class TestNestedLearning : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    plain_ = documentOf("small-sequence", "rot13");
    plain_scores_ = scoresAfter(plain_, defaultNesting(plain_.state.config));
  }

  void prefixesLearn_data() {
    QTest::addColumn<int>("training");
    QTest::newRow("sampled") << int(Training::Sampled);
    QTest::newRow("joint") << int(Training::Joint);
  }
  void prefixesLearn() {
    QFETCH(int, training);
    Document nested = plain_;
    nested.train.nesting = defaultNesting(plain_.state.config);
    nested.train.nesting.training = Training(training);
    const std::vector<SubmodelScore> scores = scoresAfter(nested, nested.train.nesting);
    QCOMPARE(scores.size(), std::size_t{4});
    // Larger is not worse, but for noise.
    for (std::size_t i = 1; i < 4; ++i) QVERIFY(scores[i].loss <= scores[i - 1].loss + 0.01);
    QVERIFY(scores[0].loss < 0.2);  // it depends on rounding: an unoptimized build is above 0.1
    QVERIFY(scores[0].agreement > 0.95);
    QCOMPARE(scores[3].agreement, 1.0);
    // The control: nobody trained the prefixes of the plain model, however good the whole is.
    const std::vector<SubmodelScore>& control = plain_scores_;
    QVERIFY(control[3].loss < 0.1);
    QVERIFY(control[0].loss > 10.0 * scores[0].loss);
    QVERIFY(control[0].agreement < 0.8);
  }

 private:
  Document plain_;
  std::vector<SubmodelScore> plain_scores_;
};

TFM_TEST(TestNestedLearning)
#include "test_nested_learning.moc"
