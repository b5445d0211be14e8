// SPDX-License-Identifier: GPL-3.0-or-later
// Replacing a run: starting over, a new seed, a new run, and undoing each.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "core/document/fine_tuning.h"
#include "core/document/history.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

std::vector<double> lossesOf(const ModelDocument& document) {
  std::vector<double> losses;
  for (const auto& step : document.training().history().steps) losses.push_back(step.loss);
  return losses;
}

std::vector<std::int64_t> stepsOf(const ModelDocument& document) {
  std::vector<std::int64_t> steps;
  for (const train::Moment& moment : document.moments().all()) steps.push_back(moment.step());
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
         document.codec().name() == kind;
}

/// The same run without interruption, which the restored one must match.
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
    const train::History history = document_->training().history();
    QTRY_COMPARE(stepsOf(*document_).back(), std::int64_t(40));
    const std::vector<std::int64_t> moments = stepsOf(*document_);
    const std::shared_ptr<const ModelState> first = document_->moments().all().front().state;
    const std::uint64_t seed = document_->training().config().seed;
    const QSignalSpy left(&document_->changes(), &Changes::stepsSetAside);
    other_seed ? document_->changes().newSeed() : document_->changes().reset();
    document_->changes().settle();
    QCOMPARE(document_->training().step(), std::int64_t(0));
    QVERIFY(document_->training().history() == train::History{});
    QCOMPARE(document_->training().config().seed != seed, other_seed);
    QVERIFY(document_->changes().canUndo());
    QCOMPARE(left.size(), 1);
    QCOMPARE(left[0][0].toLongLong(), qint64(40));
    QVERIFY(trainTo(*document_, 12));
    const std::vector<double> after = lossesOf(*document_);

    document_->changes().undo();
    document_->changes().settle();
    QCOMPARE(document_->training().step(), std::int64_t(40));
    QVERIFY(document_->training().history() == history);
    QCOMPARE(document_->training().config().seed, seed);
    QTRY_VERIFY(stepsOf(*document_) == moments);
    QCOMPARE(document_->moments().all().front().state,
             first);  // not the other run's initial weights
    QVERIFY(trainTo(*document_, 50));
    QVERIFY(lossesOf(*document_) == uninterrupted(50));

    document_->changes().undo();  // nothing more
    document_->changes().redo();
    document_->changes().settle();
    QVERIFY(lossesOf(*document_) == after);
    QVERIFY(trainTo(*document_, 14));
    document_->changes().undo();
    document_->changes().settle();
    QCOMPARE(document_->training().step(), std::int64_t(50));
  }

  void fineTuningIsUndone() {
    data::TaskConfig masked = data::defaultTaskConfig("masked");
    masked.max_length = 8;
    document_->start(presetNamed("masked-encoder").config(), masked, {});
    QVERIFY(trainTo(*document_, 2));
    const auto embedding = [this] {
      const ModelState state = *document_->moments().all().back().state;
      const auto first = state.parameters.begin();
      return std::vector<float>(first, first + state.layout.parameters.front().size());
    };
    QTRY_COMPARE(stepsOf(*document_).back(), std::int64_t(2));
    const std::vector<float> pretrained = embedding();
    data::TaskConfig task =
        train::taskToFineTune(document_->codec(), data::defaultTaskConfig("classes"));
    task.text = "the cat\tone\nthe dog\ttwo\nthe cat and\tone\nthe dog and\ttwo\n";
    bool done = false;
    std::optional<Error> problem;
    document_->fineTune(task, document_->training().config(),
                        [&](const std::optional<Error>& told) {
                          problem = told;
                          done = true;
                        });
    QTRY_VERIFY_WITH_TIMEOUT(done, 20'000);
    QVERIFY2(!problem, problem ? problem->what() : "");
    QCOMPARE(document_->codec().name(), std::string("classes"));
    QCOMPARE(document_->training().step(), std::int64_t(0));
    QTRY_VERIFY(!document_->moments().all().empty());
    QVERIFY(embedding() == pretrained);
    QVERIFY(trainTo(*document_, 2));
    document_->changes().undo();
    QTRY_COMPARE(document_->codec().name(), std::string("masked"));
    QCOMPARE(document_->training().step(), std::int64_t(2));
  }

  /// The next run is not saved to the trained file.
  void startingOverDetachesTheFile() {
    document_->save(path("trained"));
    document_->changes().reset();
    document_->changes().settle();
    QVERIFY(document_->files().path().isEmpty());
    QVERIFY(document_->files().isModified());
    QVERIFY(trainTo(*document_, 3));
    document_->save(path("second"));
    QVERIFY(!document_->files().isModified());
    document_->changes().undo();
    document_->changes().settle();
    QCOMPARE(document_->files().path(), path("trained"));
    QVERIFY(!document_->files().isModified());
    QVERIFY(!document_->files().isModifiedExternally());
    document_->changes().redo();
    document_->changes().settle();
    QCOMPARE(document_->files().path(), path("second"));
    QVERIFY(!document_->files().isModified());
    document_->changes().undo();
    document_->changes().settle();
    QVERIFY(trainTo(*document_, 41));
    QVERIFY(document_->files().isModified());
  }

  /// Another optimizer starts with fresh moments; those of the restored run stay.
  void settingsComeBackWithTheirRun() {
    const train::TrainConfig training = document_->training().config();
    document_->changes().reset();
    train::TrainConfig other = training;
    other.optimizer.kind = train::OptimizerKind::Sgd;
    other.schedule.learning_rate = 0.25;
    document_->training().setConfig(other);
    QVERIFY(trainTo(*document_, 5));
    document_->changes().undo();
    document_->changes().settle();
    QCOMPARE(document_->training().config().optimizer.kind, training.optimizer.kind);
    QCOMPARE(document_->training().config().schedule.learning_rate,
             training.schedule.learning_rate);
    QVERIFY(trainTo(*document_, 50));
    QVERIFY(lossesOf(*document_) == uninterrupted(50));
    document_->changes().redo();
    document_->changes().undo();
    document_->changes().redo();
    document_->changes().settle();
    QCOMPARE(document_->training().config().optimizer.kind, train::OptimizerKind::Sgd);
  }

  void aNewRunIsUndone() {
    document_->save(path("trained"));
    QVERIFY(trainTo(*document_, 45));
    document_->observing().setQuestion("hey");
    QTRY_COMPARE(stepsOf(*document_).back(), std::int64_t(45));
    const std::vector<std::int64_t> moments = stepsOf(*document_);
    const train::TrainConfig training = document_->training().config();
    QVERIFY(startAnother(*document_, "sort"));
    QCOMPARE(document_->changes().undoText(), QString("New run"));
    QVERIFY(document_->files().path().isEmpty() && document_->files().isModified());
    QVERIFY(trainTo(*document_, 4));
    const std::vector<double> sorted = lossesOf(*document_);

    const QSignalSpy replaced(document_.get(), &ModelDocument::replaced);
    document_->changes().undo();
    QTRY_COMPARE(document_->codec().name(), std::string("rot13"));
    QCOMPARE(replaced.size(), 1);
    QCOMPARE(document_->training().step(), std::int64_t(45));
    QCOMPARE(document_->files().path(), path("trained"));
    QCOMPARE(document_->observing().question(), QString("hey"));
    QVERIFY(document_->files().isModified());
    QVERIFY(document_->training().config() == training);
    QTRY_VERIFY(stepsOf(*document_) == moments);
    QVERIFY(trainTo(*document_, 60));
    QVERIFY(lossesOf(*document_) == uninterrupted(60));

    document_->changes().redo();
    QTRY_COMPARE(document_->codec().name(), std::string("sort"));
    QVERIFY(lossesOf(*document_) == sorted);
    QVERIFY(trainTo(*document_, 6));
  }

  /// Tasks with their own text come back without the file it was read from.
  void aTextTaskComesBackWithoutItsFile() {
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
    document_->changes().undo();
    QTRY_COMPARE(document_->codec().name(), std::string("text"));
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
      return document_->moments().model().encoder_layers.front().first<FeedForward>()->width;
    };
    const std::int64_t narrow = width();
    document_->changes().apply("Wider", widen(11));
    QVERIFY(startAnother(*document_, "sort"));  // behind the change
    document_->changes().apply("Wider", widen(13));
    document_->changes().reset();
    for (int i = 0; i < 4; ++i) document_->changes().undo();
    QTRY_VERIFY(!document_->changes().canUndo());
    QCOMPARE(width(), narrow);
    QCOMPARE(document_->codec().name(), std::string("rot13"));
    QCOMPARE(document_->training().step(), std::int64_t(40));
    for (int i = 0; i < 4; ++i) document_->changes().redo();
    QTRY_VERIFY(!document_->changes().canRedo());
    QCOMPARE(width(), std::int64_t(13));
    QCOMPARE(document_->codec().name(), std::string("sort"));
  }

  /// Saving right after undo saves the restored run to its own file.
  void savingWaitsForRequestedChanges() {
    document_->save(path("trained"));
    document_->changes().reset();
    document_->changes().settle();
    QVERIFY(trainTo(*document_, 3));
    document_->changes().undo();
    document_->changes().redo();
    document_->save(path("second"));
    ModelDocument opened(1);
    opened.open(path("second"));
    QCOMPARE(opened.training().step(), std::int64_t(3));
    opened.open(path("trained"));
    QCOMPARE(opened.training().step(), std::int64_t(40));
  }

  void goingBackToTheLastGoodStateIsUndone() {
    document_->changes().restoreLastGood();
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(document_->training().step() < 40);
    document_->changes().undo();
    document_->changes().settle();
    QVERIFY(lossesOf(*document_) == uninterrupted(40));
  }

  void anotherLossKeepsMomentsAndPins() {
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == 40);
    const std::vector<std::int64_t> moments = stepsOf(*document_);
    document_->setLossPositions(data::LossPositions::FirstPad);
    QTRY_VERIFY(stepsOf(*document_) == moments);
    QVERIFY(document_->moments().pinnedStep(Pin::A) == 40);
  }

  /// Training can continue from a pin only while its run is open.
  void pinsAreOfTheirRun() {
    document_->moments().show(
        document_->moments().all()[document_->moments().all().size() / 2].step());
    document_->moments().pin(Pin::A);
    document_->moments().compare(Comparison::A);
    QVERIFY(document_->moments().canContinue());
    document_->changes().newSeed();
    document_->changes().settle();
    QVERIFY(!document_->moments().canContinue());
    document_->changes().undo();
    document_->changes().settle();
    QTRY_VERIFY(document_->moments().canContinue());
  }

  void whatDoesNotFitUndoIsKnownBefore() {
    QVERIFY(document_->changes().fitsBudget());
    document_->changes().setBudget(1000);
    QVERIFY(!document_->changes().fitsBudget());
    // The kept moments are dropped before the model.
    const std::int64_t model =
        3 * std::int64_t(sizeof(float)) * document_->moments().layout().total;
    document_->changes().setBudget(model + train::byteCount(document_->training().history()) +
                                   4000);
    QVERIFY(document_->changes().fitsBudget());
    document_->changes().reset();
    document_->changes().settle();
    QVERIFY(document_->changes().canUndo());
    document_->changes().undo();
    document_->changes().settle();
    QVERIFY(lossesOf(*document_) == uninterrupted(40));
  }

 private:
  QString path(const QString& name) const { return folder_.filePath(name); }

  QTemporaryDir folder_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentRuns)
#include "test_document_runs.moc"
