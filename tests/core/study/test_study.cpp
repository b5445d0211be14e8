// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/study/growth_study.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

StudyConfig tiny() {
  StudyConfig config = studyOf("rot13", "rot13");
  config.train.evaluate_every = 4;
  config.train.evaluation_size = 16;
  config.train.growths = {{8, growthTo(expand::Kind::Hidden, 16)},
                          {4, growthTo(expand::Kind::FeedForward, 9)}};
  config.steps = 10;
  config.seeds = {3, 7};
  return config;
}

/// The table without times.
std::string numbers(StudyCurves curves) {
  for (StudyPoint& point : curves.points) point.seconds = 0.0;
  return toTsv(curves);
}

/// The points of each run.
std::vector<std::vector<StudyPoint>> runsOf(const StudyCurves& curves) {
  std::vector<std::vector<StudyPoint>> runs;
  for (const StudyPoint& point : curves.points) {
    if (runs.empty() || runs.back().back().arm != point.arm ||
        runs.back().back().seed != point.seed)
      runs.emplace_back();
    runs.back().push_back(point);
  }
  return runs;
}

}  // namespace

class TestStudy : public QObject {
  Q_OBJECT

 private slots:
  void goesOnFromItsFinishedRuns() {
    const QTemporaryDir folder;
    const std::string place = (folder.path() + "/runs").toStdString();
    StudyConfig config = tiny();
    config.kept = std::make_shared<KeptRuns>(place, StudyParts{{"number of steps", "10"}});
    QVERIFY(!std::filesystem::exists(place));
    const StudyCurves stopped = runGrowthStudy(
        config, [](double, const StudyCurves& so_far) { return runsOf(so_far).size() < 3; });
    QVERIFY(stopped.cancelled);
    QCOMPARE(config.kept->count(), std::int64_t{2});

    TFM_VERIFY_ERROR(KeptRuns(place, {{"number of steps", "11"}}), "its number of steps differs");
    config.kept = std::make_shared<KeptRuns>(place, StudyParts{{"number of steps", "10"}});
    const StudyCurves whole = runGrowthStudy(config);
    QCOMPARE(runsOf(whole).size(), std::size_t(4));
    for (const std::size_t run : {0U, 1U})  // the time included: not trained again
      QVERIFY(runsOf(whole)[run] == runsOf(stopped)[run]);
    QCOMPARE(numbers(whole), numbers(runGrowthStudy(tiny())));
    QVERIFY(config.kept->problem().empty());

    // What cannot be read is done again.
    std::ofstream(place + "/seed-7-grown.run") << "[{\"seed\": 7}]";
    QCOMPARE(numbers(runGrowthStudy(config)), numbers(whole));

    QCOMPARE(KeptRuns(place, {{"number of steps", "11"}}, true).count(), std::int64_t{0});
    QVERIFY(!std::filesystem::exists(place));
    config.kept = std::make_shared<KeptRuns>("/proc/nowhere", StudyParts{});
    QCOMPARE(runGrowthStudy(config).points.size(), std::size_t(12));  // worth more than its runs
    QVERIFY(!config.kept->problem().empty());
  }

  void bothArmsForEverySeed() {
    const StudyCurves result = runGrowthStudy(tiny());
    const auto runs = runsOf(result);
    QCOMPARE(runs.size(), std::size_t(4));
    QVERIFY(!result.cancelled);
    std::set<std::pair<std::string, std::uint64_t>> seen;
    for (const auto& points : runs) {
      seen.insert({points.front().arm, points.front().seed});
      std::vector<std::int64_t> steps;
      for (const StudyPoint& point : points) steps.push_back(point.step);
      QCOMPARE(steps, (std::vector<std::int64_t>{4, 8, 10}));
      for (std::size_t i = 1; i < points.size(); ++i) {
        QVERIFY(points[i].flops > points[i - 1].flops);
        QVERIFY(points[i].seconds > points[i - 1].seconds);
      }
    }
    QCOMPARE(seen.size(), std::size_t(4));
    const auto &grown = runs[0], &scratch = runs[1];
    QCOMPARE(grown.front().arm, std::string(kGrown));
    QCOMPARE(grown.front().parameters, std::int64_t{4665});
    QCOMPARE(grown.back().parameters, scratch.front().parameters);
    QVERIFY(grown.back().flops < scratch.back().flops);
    // The flops of the large model's steps, and of the same number of the small one's.
    const double large = scratch.back().flops / 10.0;
    QCOMPARE(grown[2].flops - grown[1].flops, 2.0 * large);
  }

  void theGrownArmIsAScheduledTraining() {
    const StudyConfig config = tiny();
    const auto runs = runsOf(runGrowthStudy(config));
    TrainConfig train = config.train;
    train.seed = 7;
    Document document = documentOf("rot13", "rot13", train);
    Trainer trainer = trainerOf(document);
    losses(trainer, 10);
    QCOMPARE(runs[2].back().loss, trainer.evaluate(16).loss);
    QVERIFY(runs[3].back().loss != trainer.evaluate(16).loss);
  }

  void repeatable() {
    StudyConfig config = tiny();
    const std::string one = numbers(runGrowthStudy(config));
    config.threads = 2;
    QCOMPARE(numbers(runGrowthStudy(config)), one);
    QCOMPARE(std::count(one.begin(), one.end(), '\n'), std::ptrdiff_t(13));
    QVERIFY(
        one.starts_with("arm\tseed\tstep\tloss\taccuracy\tflops\tseconds\tparameters\ngrown\t3"));
  }

  void spreadOverSeeds() {
    const StudyCurves curves = runGrowthStudy(tiny());
    const auto runs = runsOf(curves);
    const std::vector<StudySpread> spreads = spreadOf(curves);
    QCOMPARE(spreads.size(), std::size_t(6));
    const double a = runs[0][2].loss, b = runs[2][2].loss;
    QCOMPARE(spreads[2].step, std::int64_t{10});
    QCOMPARE(spreads[2].runs, std::int64_t{2});
    QCOMPARE(spreads[2].loss_mean, (a + b) / 2.0);
    QCOMPARE(spreads[2].loss_deviation, std::abs(a - b) / std::sqrt(2.0));
    QCOMPARE(spreads[5].arm, std::string(kFromScratch));
  }

  void progressAndCancelling() {
    double last = 0.0;
    runGrowthStudy(tiny(), [&](double share, const StudyCurves&) {
      last = share > last ? share : 2.0;
      return true;
    });
    QCOMPARE(last, 1.0);
    const StudyCurves cancelled = runGrowthStudy(
        tiny(), [&](double, const StudyCurves& so_far) { return so_far.points.size() < 4; });
    QVERIFY(cancelled.cancelled);
    QCOMPARE(cancelled.points.size(), std::size_t(4));  // one of the second run
  }

  void otherModelsThanGrown() {
    StudyConfig study = tiny();
    study.train.growths.clear();
    study.arms = {{"usual", study.model, study.train},
                  {"slower", study.model, study.train},
                  {"again", study.model, study.train}};
    study.arms[1].train.schedule.learning_rate /= 10.0;
    const StudyCurves curves = compareModels(study);
    QCOMPARE(armsOf(curves), (std::vector<std::string>{"usual", "slower", "again"}));
    QCOMPARE(spreadOf(curves).size(), std::size_t(9));
    const auto runs = runsOf(curves);
    QCOMPARE(runs.size(), std::size_t(6));
    QVERIFY(runs[0].back().loss != runs[1].back().loss);
    QCOMPARE(runs[0].back().loss, runs[2].back().loss);
    const StudyCurves again = curvesFromTsv(toTsv(curves), "table");
    QVERIFY(again.points == curves.points);
    study.arms[1].name = study.arms[0].name;
    TFM_VERIFY_ERROR(compareModels(study), "two of the models are called usual");
  }

  void wrongStudies() {
    StudyConfig config = tiny();
    config.train.growths.clear();
    TFM_VERIFY_ERROR(runGrowthStudy(config), "nothing is scheduled");
    config = tiny();
    config.train.growths.front().step = 10;
    TFM_VERIFY_ERROR(runGrowthStudy(config), "step 10 of 10");
    config = tiny();
    config.train.growths.front().growth.size = 3;
    TFM_VERIFY_ERROR(runGrowthStudy(config), "already 8");
    config = tiny();
    config.seeds.clear();
    TFM_VERIFY_ERROR(runGrowthStudy(config), "no seed");
  }
};

TFM_TEST(TestStudy)
#include "test_study.moc"
