// SPDX-License-Identifier: GPL-3.0-or-later
// Training a document: its signals, none of which is lost or repeated.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>
#include <memory>

#include "core/base/system_memory.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// Collects measurements as a plot does, and clears them when training restarts.
class Plot {
 public:
  explicit Plot(ModelDocument& document) : document_(document) {
    QObject::connect(&document.training(), &Training::measured, &context_, [this](int first, int) {
      const auto& steps = document_.training().history().steps;
      gapless = gapless && std::size_t(first) == losses.size();
      for (auto i = std::size_t(first); i < steps.size(); ++i) losses.push_back(steps[i].loss);
    });
    QObject::connect(&document.training(), &Training::rewound, &context_, [this] {
      losses.clear();
      for (const auto& step : document_.training().history().steps) losses.push_back(step.loss);
    });
  }

  std::vector<double> losses;
  bool gapless = true;

 private:
  ModelDocument& document_;
  QObject context_;
};

}  // namespace

class TestDocumentTraining : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
  }

  void noMeasurementIsLostBetweenEngineAndHistory() {
    Plot plot(*document_);
    document_->training().play();
    QTRY_VERIFY_WITH_TIMEOUT(document_->training().step() >= 30, 60'000);
    QTest::qSleep(300);  // a window that hangs
    document_->training().pause();
    QTRY_VERIFY(!document_->training().isRunning());
    const auto& history = document_->training().history();
    QCOMPARE(history.steps.size(), std::size_t(document_->training().step()));
    for (std::size_t i = 0; i < history.steps.size(); ++i)
      QCOMPARE(history.steps[i].step, std::int64_t(i) + 1);
    QCOMPARE(history.evaluations.size(), history.steps.size() / 10);
    QVERIFY(plot.gapless);
    QCOMPARE(plot.losses.size(), history.steps.size());
  }

  void runningChangedIsEmittedOnceEachWay() {
    const QSignalSpy running(&document_->training(), &Training::runningChanged);
    document_->training().togglePlay();
    QTRY_VERIFY(document_->training().isRunning());
    QTRY_VERIFY(document_->training().stepsPerSecond() > 0.0);
    document_->training().togglePlay();
    QTRY_VERIFY(!document_->training().isRunning());
    QCOMPARE(running.size(), 2);
    QCOMPARE(running[0][0].toBool(), true);
    QCOMPARE(running[1][0].toBool(), false);
    QCOMPARE(document_->training().stepsPerSecond(), 0.0);
  }

  void resetRepeatsTheSameLosses() {
    Plot plot(*document_);
    QVERIFY(trainTo(*document_, 20));
    const std::vector<double> first = plot.losses;
    const QSignalSpy rewound(&document_->training(), &Training::rewound);
    document_->changes().reset();
    QTRY_COMPARE(rewound.size(), 1);
    QCOMPARE(document_->training().step(), std::int64_t(0));
    QVERIFY(document_->training().history().steps.empty() &&
            document_->training().history().evaluations.empty());
    QVERIFY(plot.losses.empty());
    QVERIFY(trainTo(*document_, 20));
    QVERIFY(plot.losses == first);
    // The control: another seed is another run.
    const std::uint64_t seed = document_->training().config().seed;
    document_->changes().newSeed();
    QTRY_COMPARE(rewound.size(), 2);
    QVERIFY(document_->training().config().seed != seed);
    QVERIFY(trainTo(*document_, 20));
    QVERIFY(plot.losses != first);
    QVERIFY(plot.gapless);
  }

  void resetWhileRunningLeavesNoOldMeasurements() {
    Plot plot(*document_);
    document_->training().play();
    QTRY_VERIFY_WITH_TIMEOUT(document_->training().step() >= 30, 60'000);
    document_->changes().reset();
    const QSignalSpy rewound(&document_->training(), &Training::rewound);
    QTRY_COMPARE(rewound.size(), 1);
    QTRY_VERIFY(document_->training().step() >= 10);
    document_->training().pause();
    QTRY_VERIFY(!document_->training().isRunning());
    const auto& steps = document_->training().history().steps;
    QCOMPARE(steps.size(), std::size_t(document_->training().step()));
    QCOMPARE(steps.front().step, std::int64_t(1));
    QVERIFY(plot.gapless);
    QCOMPARE(plot.losses.size(), steps.size());
  }

  void aStopRuleStopsAndSaysWhy() {
    const QSignalSpy stopped(&document_->training(), &Training::stopped);
    QVERIFY(trainTo(*document_, 7));
    QTRY_COMPARE(stopped.size(), 1);
    QVERIFY(stopped[0][0].toString().contains("7"));
  }

  void invalidSettingsChangeNothing() {
    document_->save(saved_.filePath("a"));
    const train::TrainConfig before = document_->training().config();
    const QSignalSpy changed(&document_->training(), &Training::configChanged);
    train::TrainConfig wrong = before;
    wrong.batch_size = -1;
    TFM_VERIFY_ERROR(document_->training().setConfig(wrong), "batch_size");
    QVERIFY(document_->training().config() == before);
    QVERIFY(!document_->files().isModified());
    QCOMPARE(changed.size(), 0);
    train::TrainConfig right = before;
    right.batch_size = 10;
    document_->training().setConfig(right);
    QVERIFY(document_->training().config() == right);
    QVERIFY(document_->files().isModified());
    QCOMPARE(changed.size(), 1);
  }

  void aBatchTooLargeForMemoryChangesNothing() {
    ModelConfig wide = presetNamed("rot13").config();
    wide.hidden = 2048;
    document_->start(wide, data::defaultTaskConfig("rot13"), document_->training().config());
    train::TrainConfig huge = document_->training().config();
    huge.batch_size = 1'000'000;
    const auto needed = train::Trainer::memoryBytes(document_->moments().model(),
                                                    *document_->task(), huge.batch_size, 1);
    if (needed < availableMemory()) QSKIP("this machine could hold it");
    TFM_VERIFY_ERROR(document_->training().setConfig(huge), "memory");
    QVERIFY(document_->training().config().batch_size < huge.batch_size);
    QVERIFY(trainTo(*document_, 1));  // with the batch that fits
  }

  void divergenceIsReportedAndCanBeUndone() {
    train::TrainConfig config = document_->training().config();
    config.optimizer.kind = train::OptimizerKind::Sgd;
    config.schedule.learning_rate = 999.0;
    config.clip_norm = 0.0;
    document_->training().setConfig(config);
    const QSignalSpy diverged(&document_->training(), &Training::diverged);
    const QSignalSpy rewound(&document_->training(), &Training::rewound);
    document_->training().play();
    QTRY_COMPARE_WITH_TIMEOUT(diverged.size(), 1, 60000);
    QTRY_VERIFY(!document_->training().isRunning());
    QVERIFY(diverged[0][0].toString().contains(QString::number(document_->training().step() + 1)));

    QCOMPARE(diverged[0][1].toBool(), true);
    document_->changes().restoreLastGood();
    QTRY_COMPARE(rewound.size(), 1);
    const std::int64_t good = document_->training().step();
    QCOMPARE(document_->training().history().steps.size(), std::size_t(good));
    config.schedule.learning_rate = 0.01;
    document_->training().setConfig(config);
    QVERIFY(trainTo(*document_, good + 5));
    QCOMPARE(diverged.size(), 1);
    QVERIFY(std::isfinite(document_->training().history().steps.back().loss));
  }

  void aBrokenDocumentIsShownAndReported() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("broken.safetensors");
    document_->save(path);
    const QSignalSpy broken(document_.get(), &ModelDocument::foundBroken);
    document_->open(path);
    QCOMPARE(broken.size(), 0);
    train::Document saved = train::openDocument(path.toStdString());
    saved.state.parameters.back() = std::nanf("");
    train::saveDocument(path.toStdString(), saved);
    document_->open(path);
    QCOMPARE(broken.size(), 1);
    const QSignalSpy diverged(&document_->training(), &Training::diverged);
    document_->training().play();
    QTRY_COMPARE_WITH_TIMEOUT(diverged.size(), 1, 60000);
    QCOMPARE(diverged[0][1].toBool(), false);  // there is no good state to restore
  }

  void otherLossPositionsKeepTheModel() {
    QVERIFY(trainTo(*document_, 12));
    const auto positions = document_->task()->config().loss_positions;
    const auto others = data::LossPositions(1 - int(positions));
    document_->observing().setQuestion("hey");
    document_->setLossPositions(others);
    QCOMPARE(document_->task()->config().loss_positions, others);
    QCOMPARE(document_->training().step(), std::int64_t(12));
    QCOMPARE(document_->training().history().steps.size(), std::size_t(12));
    QCOMPARE(document_->observing().question(), QString("hey"));
    QVERIFY(document_->files().isModified());
    QVERIFY(trainTo(*document_, 13));
  }

  void speedIsALimit() {
    document_->training().setSpeed(1.0);
    document_->training().play();
    QTRY_COMPARE(document_->training().step(), std::int64_t(1));
    QTest::qWait(200);
    QVERIFY(document_->training().step() <= 2);
    document_->training().setSpeed(0.0);
    QTRY_VERIFY(document_->training().step() > 20);
  }

 private:
  QTemporaryDir saved_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentTraining)
#include "test_document_training.moc"
