// SPDX-License-Identifier: GPL-3.0-or-later
// One run left for another: starting over, a new seed, a new run, and how each is taken back.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "core/train/history.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

std::vector<double> lossesOf(const ModelDocument& document) {
  std::vector<double> losses;
  for (const auto& step : document.history().steps) losses.push_back(step.loss);
  return losses;
}

std::vector<std::int64_t> stepsOf(const ModelDocument& document) {
  std::vector<std::int64_t> steps;
  for (const train::Moment& moment : document.moments()) steps.push_back(moment.step());
  return steps;
}

/// Starts another run as the dialog does and waits for it.
bool startAnother(ModelDocument& document, const char* kind) {
  bool started = false;
  std::optional<Error> problem;
  document.startInBackground(presetNamed("rot13").config(), data::defaultTaskConfig(kind), {},
                             [&](const std::optional<Error>& told) {
                               problem = told;
                               started = true;
                             });
  return QTest::qWaitFor([&] { return started; }, 20'000) && !problem &&
         document.task().name() == kind;
}

/// The same run without a break: what comes back must go on like it.
std::vector<double> uninterrupted(std::int64_t steps) {
  ModelDocument document(1);
  startRot13(document);
  return trainTo(document, steps) ? lossesOf(document) : std::vector<double>();
}

}  // namespace

class TestDocumentRuns : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    QVERIFY(trainTo(*document_, 40));
  }

  void startingOverIsUndone_data() {
    QTest::addColumn<bool>("other_seed");
    QTest::newRow("the same seed") << false;
    QTest::newRow("a new seed") << true;
  }
  void startingOverIsUndone() {
    QFETCH(bool, other_seed);
    const train::History history = document_->history();
    QTRY_COMPARE(stepsOf(*document_).back(), std::int64_t(40));
    const std::vector<std::int64_t> moments = stepsOf(*document_);
    const std::shared_ptr<const ModelState> first = document_->moments().front().state;
    const std::uint64_t seed = document_->training().seed;
    const QSignalSpy left(document_.get(), &ModelDocument::stepsLeft);
    other_seed ? document_->newSeed() : document_->reset();
    document_->settle();
    QCOMPARE(document_->step(), std::int64_t(0));
    QVERIFY(document_->history() == train::History{});
    QCOMPARE(document_->training().seed != seed, other_seed);
    QVERIFY(document_->canUndo());
    QCOMPARE(left.size(), 1);
    QCOMPARE(left[0][0].toLongLong(), qint64(40));
    QVERIFY(trainTo(*document_, 12));
    const std::vector<double> after = lossesOf(*document_);

    document_->undo();
    document_->settle();
    QCOMPARE(document_->step(), std::int64_t(40));
    QVERIFY(document_->history() == history);
    QCOMPARE(document_->training().seed, seed);
    QTRY_VERIFY(stepsOf(*document_) == moments);
    QCOMPARE(document_->moments().front().state, first);  // not the other run's first weights
    QVERIFY(trainTo(*document_, 50));
    QVERIFY(lossesOf(*document_) == uninterrupted(50));

    document_->undo();  // nothing more
    document_->redo();
    document_->settle();
    QVERIFY(lossesOf(*document_) == after);
    QVERIFY(trainTo(*document_, 14));
    document_->undo();
    document_->settle();
    QCOMPARE(document_->step(), std::int64_t(50));
  }

  /// The trained file is not what the next run is saved to.
  void startingOverLeavesTheFile() {
    document_->save(path("trained"));
    document_->reset();
    document_->settle();
    QVERIFY(document_->path().isEmpty());
    QVERIFY(document_->isModified());
    QVERIFY(trainTo(*document_, 3));
    document_->save(path("second"));
    QVERIFY(!document_->isModified());
    document_->undo();
    document_->settle();
    QCOMPARE(document_->path(), path("trained"));
    QVERIFY(!document_->isModified());
    QVERIFY(!document_->fileChanged());
    document_->redo();
    document_->settle();
    QCOMPARE(document_->path(), path("second"));
    QVERIFY(!document_->isModified());
    document_->undo();
    document_->settle();
    QVERIFY(trainTo(*document_, 41));
    QVERIFY(document_->isModified());
  }

  /// Another kind of optimizer begins with fresh moments; those of the run that comes back stay.
  void settingsComeBackWithTheirRun() {
    const train::TrainConfig training = document_->training();
    document_->reset();
    train::TrainConfig other = training;
    other.optimizer.kind = train::OptimizerKind::Sgd;
    other.schedule.learning_rate = 0.25;
    document_->setTraining(other);
    QVERIFY(trainTo(*document_, 5));
    document_->undo();
    document_->settle();
    QCOMPARE(document_->training().optimizer.kind, training.optimizer.kind);
    QCOMPARE(document_->training().schedule.learning_rate, training.schedule.learning_rate);
    QVERIFY(trainTo(*document_, 50));
    QVERIFY(lossesOf(*document_) == uninterrupted(50));
    document_->redo();
    document_->undo();
    document_->redo();
    document_->settle();
    QCOMPARE(document_->training().optimizer.kind, train::OptimizerKind::Sgd);
  }

  void aNewRunIsUndone() {
    document_->save(path("trained"));
    QVERIFY(trainTo(*document_, 45));
    document_->setQuestion("hey");
    QTRY_COMPARE(stepsOf(*document_).back(), std::int64_t(45));
    const std::vector<std::int64_t> moments = stepsOf(*document_);
    const train::TrainConfig training = document_->training();
    QVERIFY(startAnother(*document_, "sort"));
    QCOMPARE(document_->undoText(), QString("New run"));
    QVERIFY(document_->path().isEmpty() && document_->isModified());
    QVERIFY(trainTo(*document_, 4));
    const std::vector<double> sorted = lossesOf(*document_);

    const QSignalSpy replaced(document_.get(), &ModelDocument::replaced);
    document_->undo();
    QTRY_COMPARE(document_->task().name(), std::string("rot13"));
    QCOMPARE(replaced.size(), 1);
    QCOMPARE(document_->step(), std::int64_t(45));
    QCOMPARE(document_->path(), path("trained"));
    QCOMPARE(document_->question(), QString("hey"));
    QVERIFY(document_->isModified());
    QVERIFY(document_->training() == training);
    QTRY_VERIFY(stepsOf(*document_) == moments);
    QVERIFY(trainTo(*document_, 60));
    QVERIFY(lossesOf(*document_) == uninterrupted(60));

    document_->redo();
    QTRY_COMPARE(document_->task().name(), std::string("sort"));
    QVERIFY(lossesOf(*document_) == sorted);
    QVERIFY(trainTo(*document_, 6));
  }

  /// Tasks with a text of their own come back without the file that it was read from.
  void aRunOfATextNeedsNoFileToComeBack() {
    QFile file(path("text.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("the quick brown fox jumps over the lazy dog. ").repeated(40));
    file.close();
    data::TaskConfig task = data::defaultTaskConfig("text");
    task.path = file.fileName().toStdString();
    document_->start(presetNamed("characters").config(), task, {});
    QVERIFY(trainTo(*document_, 3));
    const std::vector<double> losses = lossesOf(*document_);
    QVERIFY(file.remove());
    QVERIFY(startAnother(*document_, "sort"));
    document_->undo();
    QTRY_COMPARE(document_->task().name(), std::string("text"));
    QVERIFY(lossesOf(*document_) == losses);
    QVERIFY(trainTo(*document_, 5));
    document_->save(path("text"));
    ModelDocument opened(1);
    opened.open(path("text"));
    QVERIFY(lossesOf(opened) == lossesOf(*document_));
  }

  void changesOfSeveralRunsAreUndoneInOrder() {
    const auto widen = [](std::int64_t width) {
      return [width](const ModelState& before) {
        ModelConfig config = before.config;
        for (LayerConfig& layer : config.encoder_layers) layer.first<FeedForward>()->width = width;
        return initialState(config, before.seed);
      };
    };
    const auto width = [&] {
      return document_->model().encoder_layers.front().first<FeedForward>()->width;
    };
    const std::int64_t narrow = width();
    document_->changeModel("Wider", widen(11));
    QVERIFY(startAnother(*document_, "sort"));  // behind the change
    document_->changeModel("Wider", widen(13));
    document_->reset();
    for (int i = 0; i < 4; ++i) document_->undo();
    QTRY_VERIFY(!document_->canUndo());
    QCOMPARE(width(), narrow);
    QCOMPARE(document_->task().name(), std::string("rot13"));
    QCOMPARE(document_->step(), std::int64_t(40));
    for (int i = 0; i < 4; ++i) document_->redo();
    QTRY_VERIFY(!document_->canRedo());
    QCOMPARE(width(), std::int64_t(13));
    QCOMPARE(document_->task().name(), std::string("sort"));
  }

  /// Whoever saves right after undo saves what came back, where that belongs.
  void savingWaitsForWhatWasAskedFor() {
    document_->save(path("trained"));
    document_->reset();
    document_->settle();
    QVERIFY(trainTo(*document_, 3));
    document_->undo();
    document_->redo();
    document_->save(path("second"));
    ModelDocument opened(1);
    opened.open(path("second"));
    QCOMPARE(opened.step(), std::int64_t(3));
    opened.open(path("trained"));
    QCOMPARE(opened.step(), std::int64_t(40));
  }

  void goingBackToTheLastGoodStateIsUndone() {
    document_->restoreLastGood();
    QTRY_VERIFY(document_->canUndo());
    QVERIFY(document_->step() < 40);
    document_->undo();
    document_->settle();
    QVERIFY(lossesOf(*document_) == uninterrupted(40));
  }

  void anotherLossKeepsMomentsAndPins() {
    document_->pin(Pin::A);
    QTRY_VERIFY(document_->pinnedStep(Pin::A) == 40);
    const std::vector<std::int64_t> moments = stepsOf(*document_);
    document_->setLossPositions(data::LossPositions::FirstPad);
    QTRY_VERIFY(stepsOf(*document_) == moments);
    QVERIFY(document_->pinnedStep(Pin::A) == 40);
  }

  /// What is pinned of a run can be gone on from only while that run is there.
  void pinsAreOfTheirRun() {
    document_->showMoment(document_->moments()[document_->moments().size() / 2].step());
    document_->pin(Pin::A);
    document_->setComparison(Comparison::A);
    QVERIFY(document_->canContinue());
    document_->newSeed();
    document_->settle();
    QVERIFY(!document_->canContinue());
    document_->undo();
    document_->settle();
    QTRY_VERIFY(document_->canContinue());
  }

  void whatDoesNotFitUndoIsToldBefore() {
    QVERIFY(document_->fitsUndo());
    document_->setUndoBudget(1000);
    QVERIFY(!document_->fitsUndo());
    // The kept moments go before the model does.
    const std::int64_t model = 3 * std::int64_t(sizeof(float)) * document_->layout().total;
    document_->setUndoBudget(model + train::byteCount(document_->history()) + 4000);
    QVERIFY(document_->fitsUndo());
    document_->reset();
    document_->settle();
    QVERIFY(document_->canUndo());
    document_->undo();
    document_->settle();
    QVERIFY(lossesOf(*document_) == uninterrupted(40));
  }

 private:
  QString path(const QString& name) const { return folder_.filePath(name); }

  QTemporaryDir folder_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentRuns)
#include "test_document_runs.moc"
