// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <set>

#include "core/train/study_runs.h"
#include "core/train/study_table.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

StudyConfig tiny() {
  auto config = studyOf<StudyConfig>("rot13", "rot13");
  config.train.evaluate_every = 4;
  config.train.evaluation_size = 16;
  config.train.growths = {{8, growthTo(expand::Kind::Hidden, 16)},
                          {4, growthTo(expand::Kind::FeedForward, 9)}};
  config.steps = 10;
  config.seeds = {3, 7};
  return config;
}

/// The table without times.
std::string numbers(StudyResult result) {
  for (StudyRun& run : result.runs)
    for (StudyPoint& point : run.points) point.seconds = 0.0;
  return toTsv(result);
}

}  // namespace

class TestStudy : public QObject {
  Q_OBJECT

 private slots:
  void goesOnFromItsFinishedRuns() {
    const QTemporaryDir folder;
    const std::string place = (folder.path() + "/runs").toStdString();
    StudyConfig config = tiny();
    config.kept = std::make_shared<StudyRuns>(place, StudyParts{{"number of steps", "10"}});
    QVERIFY(!std::filesystem::exists(place));
    const StudyResult stopped =
        runStudy(config, [](double, const StudyResult& so_far) { return so_far.runs.size() < 3; });
    QVERIFY(stopped.cancelled);
    QCOMPARE(config.kept->count(), std::int64_t{2});

    TFM_VERIFY_ERROR(StudyRuns(place, {{"number of steps", "11"}}), "its number of steps differs");
    config.kept = std::make_shared<StudyRuns>(place, StudyParts{{"number of steps", "10"}});
    const StudyResult whole = runStudy(config);
    QCOMPARE(whole.runs.size(), std::size_t(4));
    for (const std::size_t run : {0U, 1U})  // the time included: not trained again
      QVERIFY(whole.runs[run].points == stopped.runs[run].points);
    QCOMPARE(numbers(whole), numbers(runStudy(tiny())));
    QVERIFY(config.kept->problem().empty());

    QCOMPARE(StudyRuns(place, {{"number of steps", "11"}}, true).count(), std::int64_t{0});
    QVERIFY(!std::filesystem::exists(place));
    config.kept = std::make_shared<StudyRuns>("/proc/nowhere", StudyParts{});
    QCOMPARE(runStudy(config).runs.size(), std::size_t(4));  // a study is worth more than its runs
    QVERIFY(!config.kept->problem().empty());
  }

  void bothArmsForEverySeed() {
    const StudyResult result = runStudy(tiny());
    QCOMPARE(result.runs.size(), std::size_t(4));
    QVERIFY(!result.cancelled);
    std::set<std::pair<StudyArm, std::uint64_t>> seen;
    for (const StudyRun& run : result.runs) {
      seen.insert({run.arm, run.seed});
      std::vector<std::int64_t> steps;
      for (const StudyPoint& point : run.points) steps.push_back(point.step);
      QCOMPARE(steps, (std::vector<std::int64_t>{4, 8, 10}));
      for (std::size_t i = 1; i < run.points.size(); ++i) {
        QVERIFY(run.points[i].flops > run.points[i - 1].flops);
        QVERIFY(run.points[i].seconds > run.points[i - 1].seconds);
      }
    }
    QCOMPARE(seen.size(), std::size_t(4));
    const StudyRun& grown = result.runs[0];
    const StudyRun& scratch = result.runs[1];
    QCOMPARE(grown.arm, StudyArm::Grown);
    QCOMPARE(grown.points.front().parameters, std::int64_t{4665});
    QCOMPARE(grown.points.back().parameters, scratch.points.front().parameters);
    QVERIFY(grown.points.back().flops < scratch.points.back().flops);
    // The flops of the large model's steps, and of the same number of the small one's.
    const double large = scratch.points.back().flops / 10.0;
    QCOMPARE(grown.points[2].flops - grown.points[1].flops, 2.0 * large);
  }

  void theGrownArmIsAScheduledTraining() {
    const StudyConfig config = tiny();
    const StudyResult result = runStudy(config);
    TrainConfig train = config.train;
    train.seed = 7;
    Document document = documentOf("rot13", "rot13", train);
    Trainer trainer = trainerOf(document);
    losses(trainer, 10);
    QCOMPARE(result.runs[2].points.back().loss, trainer.evaluate(16).loss);
    QVERIFY(result.runs[3].points.back().loss != trainer.evaluate(16).loss);
  }

  void repeatable() {
    StudyConfig config = tiny();
    const std::string one = numbers(runStudy(config));
    config.threads = 2;
    QCOMPARE(numbers(runStudy(config)), one);
    QCOMPARE(std::count(one.begin(), one.end(), '\n'), std::ptrdiff_t(13));
    QVERIFY(
        one.starts_with("arm\tseed\tstep\tloss\taccuracy\tflops\tseconds\tparameters\ngrown\t3"));
  }

  void spreadOverSeeds() {
    const StudyResult result = runStudy(tiny());
    const std::vector<StudySpread> spreads = spreadOf(result);
    QCOMPARE(spreads.size(), std::size_t(6));
    const double a = result.runs[0].points[2].loss, b = result.runs[2].points[2].loss;
    QCOMPARE(spreads[2].step, std::int64_t{10});
    QCOMPARE(spreads[2].runs, std::int64_t{2});
    QCOMPARE(spreads[2].loss_mean, (a + b) / 2.0);
    QCOMPARE(spreads[2].loss_deviation, std::abs(a - b) / std::sqrt(2.0));
    QCOMPARE(spreads[5].arm, StudyArm::FromScratch);
  }

  void progressAndCancelling() {
    double last = 0.0;
    runStudy(tiny(), [&](double share, const StudyResult&) {
      last = share > last ? share : 2.0;
      return true;
    });
    QCOMPARE(last, 1.0);
    const StudyResult cancelled =
        runStudy(tiny(), [&](double, const StudyResult& so_far) { return so_far.runs.size() < 2; });
    QVERIFY(cancelled.cancelled);
    QCOMPARE(cancelled.runs.size(), std::size_t(2));
    QVERIFY(cancelled.runs.back().points.size() <= 1);  // at its first measurement, or before
  }

  void wrongStudies() {
    StudyConfig config = tiny();
    config.train.growths.clear();
    TFM_VERIFY_ERROR(runStudy(config), "nothing is scheduled");
    config = tiny();
    config.train.growths.front().step = 10;
    TFM_VERIFY_ERROR(runStudy(config), "step 10 of 10");
    config = tiny();
    config.train.growths.front().growth.size = 3;
    TFM_VERIFY_ERROR(runStudy(config), "is already 8");
    config = tiny();
    config.seeds.clear();
    TFM_VERIFY_ERROR(runStudy(config), "no seed");
  }
};

TFM_TEST(TestStudy)
#include "test_study.moc"
