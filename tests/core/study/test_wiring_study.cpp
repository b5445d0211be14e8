// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/wiring_study.h"

#include <QTemporaryDir>
#include <QTest>

#include "core/data/task_table.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

StudyConfig wiringStudy() {
  StudyConfig config = studyOf("classifier", "parentheses");
  config.train.schedule.learning_rate = 0.01;
  config.steps = 30;
  config.examples = 100;
  config.seeds = {3};
  return config;
}

}  // namespace

class TestWiringStudy : public QObject {
  Q_OBJECT

 private slots:
  void goesOnFromItsFinishedRuns() {
    const QTemporaryDir folder;
    StudyConfig config = wiringStudy();
    config.steps = 5;
    const std::string expected = toTsv(runWiringStudy(config));
    config.kept = std::make_shared<KeptRuns>((folder.path() + "/runs").toStdString(), StudyParts{});
    QVERIFY(runWiringStudy(config, [](double, const WiringStudyResult& so_far) {
              return so_far.points.size() < 6;
            }).cancelled);
    QCOMPARE(config.kept->count(), std::int64_t{1});
    std::int64_t calls = 0;
    const WiringStudyResult whole =
        runWiringStudy(config, [&](double share, const WiringStudyResult& so_far) {
          return ++calls > 1 || (share == 0.5 && so_far.points.size() == 4);
        });
    QVERIFY(!whole.cancelled);
    QCOMPARE(toTsv(whole), expected);
  }

  void onlyTheNotebooksAnswersDependOnTheBatch() {
    const StudyConfig config = wiringStudy();
    const WiringStudyResult result = runWiringStudy(config);
    QCOMPARE(result.points.size(), std::size_t(8));
    double changed = 0.0, reloaded = 0.0;
    for (const WiringPoint& point : result.points) {
      QCOMPARE(point.examples, std::int64_t(100));
      QCOMPARE(point.seed, std::uint64_t(3));
      QVERIFY(point.shuffled >= 0.0 && point.shuffled <= 1.0);
      if (point.wiring == kNotebook) {
        changed += point.changed;
        reloaded += std::abs(point.reloaded - point.shuffled);
        continue;
      }
      QCOMPARE(point.changed, 0.0);
      QCOMPARE(point.by_label, point.shuffled);
      QCOMPARE(point.alone, point.shuffled);
      QCOMPARE(point.reloaded, point.shuffled);
    }
    QVERIFY(changed > 0.0);
    QVERIFY(reloaded > 0.0);
  }

  void theNumberOfThreadsChangesNothing() {
    StudyConfig config = wiringStudy();
    config.steps = 5;
    const std::string one = toTsv(runWiringStudy(config));
    config.threads = 3;
    QCOMPARE(toTsv(runWiringStudy(config)), one);
    config.seeds = {4};
    QVERIFY(toTsv(runWiringStudy(config)) != one);
  }

  void itCanBeCancelled() {
    StudyConfig config = wiringStudy();
    config.steps = 1'000'000;
    const WiringStudyResult result =
        runWiringStudy(config, [](double, const WiringStudyResult&) { return false; });
    QVERIFY(result.cancelled);
    QVERIFY(result.points.empty());
  }

  void theSizesAreTheModels() {
    const StudyConfig config = wiringStudy();
    const matformer::NotebookWiring wiring = notebookWiringOf(config.model);
    QCOMPARE(wiring.hidden, config.model.hidden);
    QCOMPARE(wiring.feed_forward, config.model.encoder_layers.front().first<FeedForward>()->width);
    QCOMPARE(wiring.vocabulary, config.model.source_vocabulary);
    QCOMPARE(wiring.layers, std::int64_t(config.model.encoder_layers.size()));
  }

  void whatItCannotDoIsSaid() {
    StudyConfig config = wiringStudy();
    config.task = data::defaultTaskConfig("rot13");
    config.model = modelFor("annotated-rot13", *data::makeTask(config.task));
    TFM_VERIFY_ERROR(runWiringStudy(config), "not an encoder");
    config = wiringStudy();
    config.steps = 0;
    TFM_VERIFY_ERROR(runWiringStudy(config), "nothing to train");
  }
};

TFM_TEST(TestWiringStudy)
#include "test_wiring_study.moc"
