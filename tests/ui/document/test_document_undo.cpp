// SPDX-License-Identifier: GPL-3.0-or-later
// Changing a document's model, and undoing that.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThread>
#include <memory>

#include "core/model/build_program.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// A model with another feed-forward width at the same step; it does not compute the same.
ModelState widened(const ModelState& before, std::int64_t feed_forward) {
  ModelConfig config = before.config;
  for (LayerConfig& layer : config.encoder_layers) layer.first<FeedForward>()->width = feed_forward;
  ModelState after = initialState(config, before.seed);
  after.step = before.step;
  after.optimizer_step = before.optimizer_step;
  return after;
}

Changes::Change widenTo(std::int64_t feed_forward) {
  return [feed_forward](const ModelState& before) { return widened(before, feed_forward); };
}

std::int64_t widthOf(const ModelDocument& document) {
  return document.moments().model().encoder_layers.front().first<FeedForward>()->width;
}

/// Waits for the end of an operation and returns its error.
class Outcome {
 public:
  Changes::Done callback() {
    return [this](const std::optional<Error>& problem) {
      problem_ = problem;
      ++calls_;
    };
  }
  bool wait(int calls = 1) {
    return QTest::qWaitFor([&] { return calls_ >= calls; }, 20'000);
  }
  const std::optional<Error>& problem() const { return problem_; }
  int calls() const { return calls_; }

 private:
  std::optional<Error> problem_;
  int calls_ = 0;
};

std::vector<double> recordedLosses(const ModelDocument& document) {
  std::vector<double> losses;
  for (const auto& step : document.training().history().steps) losses.push_back(step.loss);
  return losses;
}

}  // namespace

class TestDocumentUndo : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
  }

  void aChangeIsInstalledFlaggedAndReported() {
    QVERIFY(trainTo(*document_, 12));
    const QSignalSpy shape(&document_->moments(), &Moments::shapeChanged);
    const QSignalSpy replaced(document_.get(), &ModelDocument::replaced);
    const QSignalSpy undo(&document_->changes(), &Changes::undoChanged);
    Outcome outcome;
    QThread* thread = nullptr;
    document_->changes().apply(
        "Wider",
        [&](const ModelState& before) {
          thread = QThread::currentThread();
          return widened(before, 11);
        },
        outcome.callback());
    QVERIFY(outcome.wait());
    QVERIFY(!outcome.problem());
    QVERIFY(thread != QThread::currentThread());
    QCOMPARE(shape.size(), 1);
    QCOMPARE(replaced.size(), 0);
    QVERIFY(undo.size() >= 1);
    QCOMPARE(widthOf(*document_), std::int64_t(11));
    QCOMPARE(document_->moments().layout().total,
             parameterLayout(document_->moments().model()).total);
    QCOMPARE(document_->training().step(), std::int64_t(12));
    QCOMPARE(document_->training().history().steps.size(), std::size_t(12));
    QCOMPARE(document_->training().history().events.size(), std::size_t(1));
    const train::HistoryEvent& event = document_->training().history().events.front();
    QCOMPARE(event.step, std::int64_t(12));
    QCOMPARE(event.kind, train::EventKind::Growth);
    QCOMPARE(QString::fromStdString(event.text), QString("Wider"));
    QVERIFY(document_->changes().canUndo() && !document_->changes().canRedo());
    QCOMPARE(document_->changes().undoText(), QString("Wider"));
    QVERIFY(trainTo(*document_, 15));  // and it trains
    QCOMPARE(document_->training().history().steps.size(), std::size_t(15));
  }

  void undoAndRedoSwapMomentsAndHistories() {
    QVERIFY(trainTo(*document_, 12));
    const std::int64_t width = widthOf(*document_);
    Outcome outcome;
    document_->changes().apply("Wider", widenTo(11), outcome.callback());
    QVERIFY(outcome.wait());
    QVERIFY(trainTo(*document_, 20));
    const std::vector<double> grown = recordedLosses(*document_);

    document_->changes().undo(outcome.callback());
    QVERIFY(outcome.wait(2));
    QCOMPARE(widthOf(*document_), width);
    QCOMPARE(document_->training().step(), std::int64_t(12));
    QCOMPARE(document_->training().history().steps.size(), std::size_t(12));
    QVERIFY(document_->training().history().events.empty());
    QVERIFY(!document_->changes().canUndo() && document_->changes().canRedo());

    document_->changes().redo(outcome.callback());
    QVERIFY(outcome.wait(3));
    QCOMPARE(widthOf(*document_), std::int64_t(11));
    QCOMPARE(document_->training().step(), std::int64_t(20));
    QCOMPARE(document_->training().history().events.size(), std::size_t(1));
    QVERIFY(recordedLosses(*document_) == grown);
    QVERIFY(document_->changes().canUndo() && !document_->changes().canRedo());
  }

  /// Scheduled changes are undone like those of the user, one by one.
  void aScheduledGrowthCanBeUndone() {
    const std::int64_t width = widthOf(*document_);
    Outcome outcome;
    document_->changes().apply("Wider", widenTo(width + 2), outcome.callback());
    QVERIFY(outcome.wait());
    train::TrainConfig training = document_->training().config();
    expand::Growth growth;
    growth.kind = expand::Kind::FeedForward;
    growth.size = width + 5;
    training.growths = {{8, growth}};
    document_->training().setConfig(training);
    QVERIFY(trainTo(*document_, 12));
    QTRY_COMPARE(widthOf(*document_), width + 5);
    QVERIFY(document_->changes().undoText().contains(QString::number(width + 5)));
    const std::vector<double> grown = recordedLosses(*document_);
    document_->changes().undo(outcome.callback());
    QVERIFY(outcome.wait(2));
    QCOMPARE(widthOf(*document_), width + 2);
    QCOMPARE(document_->training().step(), std::int64_t(8));
    document_->changes().undo(outcome.callback());
    QVERIFY(outcome.wait(3));
    QCOMPARE(widthOf(*document_), width);
    document_->changes().redo();
    document_->changes().redo(outcome.callback());
    QVERIFY(outcome.wait(4));
    QCOMPARE(widthOf(*document_), width + 5);
    QVERIFY(recordedLosses(*document_) == grown);
  }

  void trainingAfterUndoIsAsIfNothingHadHappened() {
    QVERIFY(trainTo(*document_, 12));
    document_->changes().apply("Wider", widenTo(11));
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(trainTo(*document_, 20));
    const std::vector<double> grown = recordedLosses(*document_);
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
    QVERIFY(trainTo(*document_, 25));
    ModelDocument untouched(1);
    startRot13(untouched);
    QVERIFY(trainTo(untouched, 25));
    QVERIFY(recordedLosses(*document_) == recordedLosses(untouched));
    QVERIFY(grown[14] != recordedLosses(untouched)[14]);  // the control: the change was one
    // Redo after further training: undoing it again leads to the trained state.
    document_->changes().redo();
    QTRY_VERIFY(document_->changes().canUndo());
    QCOMPARE(document_->training().step(), std::int64_t(20));
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
    QCOMPARE(document_->training().step(), std::int64_t(25));
    QVERIFY(recordedLosses(*document_) == recordedLosses(untouched));
  }

  void operationsAreDoneInTheOrderRequested() {
    Outcome outcome;
    document_->changes().apply("A", widenTo(7), outcome.callback());
    document_->changes().apply("B", widenTo(9), outcome.callback());
    document_->changes().undo(outcome.callback());
    document_->changes().apply("C", widenTo(13), outcome.callback());
    document_->changes().undo(outcome.callback());
    document_->changes().redo(outcome.callback());
    document_->changes().redo();  // there is nothing
    document_->changes().undo(outcome.callback());
    QVERIFY(outcome.wait(7));
    QCOMPARE(widthOf(*document_), std::int64_t(7));
    QCOMPARE(document_->changes().undoText(), QString("A"));
    QCOMPARE(document_->changes().redoText(), QString("C"));
  }

  void aFailedChangeChangesNothing() {
    QVERIFY(trainTo(*document_, 5));
    Outcome outcome;
    document_->changes().apply("A", widenTo(7), outcome.callback());
    QVERIFY(outcome.wait());
    document_->changes().undo(outcome.callback());
    QVERIFY(outcome.wait(2));
    const train::History before = document_->training().history();
    const QSignalSpy rewound(&document_->training(), &Training::rewound);
    document_->changes().apply(
        "Bad", [](const ModelState&) -> ModelState { throw Error("heads do not fit"); },
        outcome.callback());
    QVERIFY(outcome.wait(3));
    QVERIFY(outcome.problem());
    QCOMPARE(outcome.problem()->problem(), std::string("heads do not fit"));
    document_->changes().apply(
        "Blind",
        [](const ModelState& state) {
          ModelConfig config = state.config;
          config.target_length = 2;
          return initialState(config, 0);
        },
        outcome.callback());
    QVERIFY(outcome.wait(4));
    QVERIFY(outcome.problem());
    QCOMPARE(rewound.size(), 0);
    QVERIFY(document_->training().history() == before);
    QCOMPARE(document_->changes().redoText(), QString("A"));  // what could be redone still can be
    const QSignalSpy failed(&document_->training(), &Training::failed);
    document_->changes().apply("Bad", [](const ModelState&) -> ModelState { throw Error("no"); });
    QTRY_COMPARE(failed.size(), 1);  // nothing else would report it
    QVERIFY(trainTo(*document_, 6));
  }

  void trainingGoesOnThroughChanges() {
    document_->training().play();
    QTRY_VERIFY(document_->training().step() >= 20);
    Outcome outcome;
    document_->changes().apply("Wider", widenTo(11), outcome.callback());
    QVERIFY(outcome.wait());
    QVERIFY(document_->training().isRunning());
    const std::int64_t grown_at = document_->training().history().events.front().step;
    QTRY_VERIFY(document_->training().step() >= grown_at + 20);
    document_->changes().undo(outcome.callback());
    QVERIFY(outcome.wait(2));
    QTRY_VERIFY(document_->training().step() >= grown_at + 10);
    QVERIFY(document_->training().isRunning());
    document_->training().pause();
    QTRY_VERIFY(!document_->training().isRunning());
    const auto& steps = document_->training().history().steps;
    QCOMPARE(steps.size(), std::size_t(document_->training().step()));
    for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(steps[i].step, std::int64_t(i) + 1);
  }

  void undoMemoryIsLimitedAndThatIsReported() {
    document_->changes().setBudget(0);
    const QSignalSpy forgotten(&document_->changes(), &Changes::undoDropped);
    Outcome outcome;
    document_->changes().apply("A", widenTo(7), outcome.callback());
    QVERIFY(outcome.wait());
    QVERIFY(!document_->changes().canUndo());
    QCOMPARE(forgotten.size(), 1);
    QCOMPARE(forgotten[0][0].toInt(), 1);
    document_->changes().setBudget(1 << 30);  // the control
    document_->changes().apply("B", widenTo(9), outcome.callback());
    QVERIFY(outcome.wait(2));
    QVERIFY(document_->changes().canUndo());
    QCOMPARE(forgotten.size(), 1);
  }

  void anotherDocumentCancelsPendingChanges() {
    Outcome outcome;
    document_->changes().apply("A", widenTo(7), outcome.callback());
    document_->changes().apply("B", widenTo(9), outcome.callback());
    startRot13(*document_);
    QCOMPARE(outcome.calls(), 2);
    QVERIFY(outcome.problem());
    QTest::qWait(100);
    QVERIFY(!document_->changes().canUndo());
    QCOMPARE(outcome.calls(), 2);
    document_->changes().apply("C", widenTo(13), outcome.callback());
    QVERIFY(outcome.wait(3));
    QVERIFY(!outcome.problem());
    startRot13(*document_);
    QVERIFY(!document_->changes().canUndo() && document_->changes().undoText().isEmpty());
  }

  void anotherLossKeepsWhatCanBeUndone() {
    document_->changes().apply("A", widenTo(7));
    QTRY_VERIFY(document_->changes().canUndo());
    const auto positions = document_->task()->config().loss_positions;
    document_->setLossPositions(data::LossPositions(1 - int(positions)));
    QVERIFY(document_->changes().canUndo());
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
  }

  void flagsAreSaved() {
    QTemporaryDir folder;
    document_->training().note(train::EventKind::Note, "begun");
    const QSignalSpy flagged(&document_->training(), &Training::flagged);
    QTRY_COMPARE(flagged.size(), 1);
    document_->changes().apply("Wider", widenTo(11));
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(trainTo(*document_, 5));
    document_->save(folder.filePath("a"));
    ModelDocument opened(1);
    opened.open(folder.filePath("a"));
    QVERIFY(opened.training().history() == document_->training().history());
    QCOMPARE(opened.training().history().events.size(), std::size_t(2));
    QCOMPARE(widthOf(opened), std::int64_t(11));
  }

  void snapshotsMatchTheReportedShape() {
    QObject view;
    Need need;
    need.parameters = true;
    need.pattern = "*";
    document_->observing().setNeed(&view, need);
    bool right = true;
    int seen = 0;
    const auto look = [&] {
      const auto& snapshot = document_->observing().snapshot();
      if (!snapshot) return;
      ++seen;
      right = right && snapshot->state->layout.total == document_->moments().layout().total;
    };
    connect(&document_->observing(), &Observing::snapshotChanged, &view, look);
    connect(&document_->moments(), &Moments::shapeChanged, &view, look);
    document_->training().play();
    constexpr int kFew = 6, kMost = 100;
    for (int i = 0; i < kFew || (seen <= 3 && i < kMost); ++i) {
      document_->changes().apply("Wider", widenTo(7 + i % kFew));
      QTest::qWait(80 * (1 + i / kFew));  // a slow machine sees more the longer it may look
      document_->changes().undo();
      QTest::qWait(40);
    }
    QVERIFY(right);
    QVERIFY(seen > 3);
  }

 private:
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentUndo)
#include "test_document_undo.moc"
