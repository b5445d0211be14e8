// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/data/task_table.h"
#include "core/study/nesting_study.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

StudyConfig nestingStudy() {
  StudyConfig config = studyOf("classifier", "parentheses");
  config.train.nesting = matformer::defaultNesting(config.model);
  config.steps = 12;
  config.examples = 70;
  config.seeds = {3, 7};
  return config;
}

NestingStudyResult withoutTime(NestingStudyResult result) {
  for (NestingPoint& point : result.points) point.seconds = point.score.milliseconds = 0.0;
  return result;
}

/// What a training of its own, beside the study, measures.
SubmodelScore alone(const StudyConfig& study, const ModelConfig& model, const TrainConfig& train,
                    const Submodel& part) {
  const Document document = newDocument(model, study.task, train);
  Trainer trainer = trainerOf(document);
  losses(trainer, int(study.steps));
  return *SubmodelScorer(data::makeTask(study.task),
                         std::make_shared<const ModelState>(trainer.state()), study.examples, 1)
              .score(part);
}

}  // namespace

class TestNestingStudy : public QObject {
  Q_OBJECT

 private slots:
  void goesOnFromItsFinishedRuns() {
    const QTemporaryDir folder;
    const std::string place = (folder.path() + "/runs").toStdString();
    StudyConfig config = nestingStudy();
    config.kept = std::make_shared<KeptRuns>(place, StudyParts{});
    const NestingStudyResult stopped = runNestingStudy(
        config, [](double, const NestingStudyResult& so_far) { return so_far.points.size() < 6; });
    QVERIFY(stopped.cancelled);
    QCOMPARE(config.kept->count(), std::int64_t{3});  // the nested model and two twins
    const NestingStudyResult whole = runNestingStudy(config);
    QCOMPARE(whole.points.size(), std::size_t(16));
    for (std::size_t i = 0; i < 6; ++i)
      QCOMPARE(whole.points[i].seconds, stopped.points[i].seconds);
    QCOMPARE(toTsv(withoutTime(whole)), toTsv(withoutTime(runNestingStudy(nestingStudy()))));
    QVERIFY(config.kept->problem().empty());
  }

  void aPointForEveryGranularityTwice() {
    const StudyConfig config = nestingStudy();
    const NestingStudyResult result = runNestingStudy(config);
    QVERIFY(!result.cancelled);
    QCOMPARE(result.points.size(), std::size_t(16));
    const auto all = matformer::granularities(config.model, config.train.nesting);
    for (std::size_t i = 0; i < 16; ++i) {
      const NestingPoint& point = result.points[i];
      const matformer::Granularity& one = all[i % 4];
      QCOMPARE(point.seed, std::uint64_t(i < 8 ? 3 : 7));
      QCOMPARE(point.trained, std::string(i % 8 >= 4 ? kSeparately : kNested));
      QCOMPARE(point.name, one.name);
      QCOMPARE(point.score.submodel, one.submodel);
      QCOMPARE(point.score.cost, matformer::costOf(config.model, one.submodel));
      QCOMPARE(point.score.examples, 70);
      QVERIFY(point.seconds > 0.0);
    }
    QCOMPARE(result.points[3].score.agreement, 1.0);
    QCOMPARE(result.points[3].score.divergence, 0.0);
    for (std::size_t i = 4; i < 8; ++i) QVERIFY(result.points[i].score.divergence > 0.0);
    QCOMPARE(result.points[0].seconds, result.points[3].seconds);
    QVERIFY(result.points[4].score.loss != result.points[12].score.loss);
  }

  void everyRunIsATrainingOfItsOwn() {
    StudyConfig config = nestingStudy();
    config.seeds = {7};
    config.train.nesting.training = matformer::Training::Joint;
    config.train.stop.steps = 3;  // a study runs all of its steps
    const NestingStudyResult result = runNestingStudy(config);
    TrainConfig train = config.train;
    train.stop = {};
    train.seed = 7;
    const auto all = matformer::granularities(config.model, train.nesting);
    const SubmodelScore nested = alone(config, config.model, train, all[1].submodel);
    QVERIFY(result.points[1].score.loss == nested.loss);
    QVERIFY(result.points[1].score.agreement == nested.agreement);
    train.nesting = {};
    QVERIFY(result.points[7].score.loss == alone(config, config.model, train, {}).loss);
    const ModelConfig small = configOf(config.model, all[0].submodel);
    QVERIFY(result.points[4].score.loss == alone(config, small, train, {}).loss);
    train.seed = 8;
    QVERIFY(result.points[7].score.loss != alone(config, config.model, train, {}).loss);
  }

  void repeatableWithAnyThreads() {
    StudyConfig config = nestingStudy();
    const std::string one = toTsv(withoutTime(runNestingStudy(config)));
    config.threads = 2;
    QCOMPARE(toTsv(withoutTime(runNestingStudy(config))), one);
    QCOMPARE(std::count(one.begin(), one.end(), '\n'), std::ptrdiff_t(17));
    QVERIFY(one.starts_with("seed\tname\ttrained\twidths\theads\tparameters\t"));
    QVERIFY(one.find("\n3\tS\tnested\t") != std::string::npos);
    QVERIFY(one.find("\n7\tXL\tseparately\t") != std::string::npos);
  }

  void spreadOverSeeds() {
    const NestingStudyResult result = runNestingStudy(nestingStudy());
    const std::vector<NestingSpread> spreads = spreadOf(result);
    QCOMPARE(spreads.size(), std::size_t(8));
    for (std::size_t i = 0; i < 8; ++i) {
      const NestingPoint& a = result.points[i / 2 + i % 2 * 4];
      const NestingPoint& b = result.points[i / 2 + i % 2 * 4 + 8];
      QCOMPARE(spreads[i].name, a.name);
      QCOMPARE(spreads[i].trained, a.trained);
      QCOMPARE(spreads[i].parameters, a.score.cost.parameters);
      QCOMPARE(spreads[i].runs, 2);
      QCOMPARE(spreads[i].loss.mean, (a.score.loss + b.score.loss) / 2.0);
      QCOMPARE(spreads[i].loss.deviation, std::abs(a.score.loss - b.score.loss) / std::sqrt(2.0));
      QCOMPARE(spreads[i].accuracy.mean, (a.score.accuracy() + b.score.accuracy()) / 2.0);
      QCOMPARE(spreads[i].agreement.mean, (a.score.agreement + b.score.agreement) / 2.0);
    }
  }

  void progressAndCancelling() {
    double last = 0.0;
    std::size_t points = 0;
    int calls = 0;
    runNestingStudy(nestingStudy(), [&](double share, const NestingStudyResult& so_far) {
      QTest::qVerify(share >= last && so_far.points.size() >= points, "forwards", "", __FILE__,
                     __LINE__);
      last = share;
      points = so_far.points.size();
      ++calls;
      return true;
    });
    QCOMPARE(last, 1.0);
    QCOMPARE(points, std::size_t(16));
    QVERIFY(calls > 16);

    // What was measured before is kept.
    for (const int most : {1, 9, 16}) {  // fewer than there are measurements
      int told = 0;
      std::size_t known = 0;
      const NestingStudyResult some =
          runNestingStudy(nestingStudy(), [&](double, const NestingStudyResult& so_far) {
            known = so_far.points.size();
            return ++told < most;
          });
      QVERIFY(some.cancelled);
      QCOMPARE(told, most);
      QCOMPARE(some.points.size(), known);
      if (most == 1) QCOMPARE(known, std::size_t(0));
    }
  }

  void wrongStudies() {
    StudyConfig config = nestingStudy();
    config.train.nesting = {};
    TFM_VERIFY_ERROR(runNestingStudy(config), "nothing is nested");
    config = nestingStudy();
    config.seeds.clear();
    TFM_VERIFY_ERROR(runNestingStudy(config), "no seed");
    config = nestingStudy();
    config.train.growths = {{1, {}}};
    TFM_VERIFY_ERROR(runNestingStudy(config), "growth is scheduled");
  }
};

TFM_TEST(TestNestingStudy)
#include "test_nesting_study.moc"
