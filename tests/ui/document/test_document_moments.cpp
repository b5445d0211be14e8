// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at past moments of a document.
#include <QSignalSpy>
#include <cmath>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

Changes::Change startAgainWith(std::int64_t feed_forward) {
  return [feed_forward](const ModelState& before) {
    ModelConfig config = before.config;
    for (LayerConfig& layer : config.encoder_layers)
      layer.first<FeedForward>()->width = feed_forward;
    ModelState after = initialState(config, before.seed);
    after.step = before.step;
    return after;
  };
}

}  // namespace

/// Step and number of events of each kept moment.
std::vector<std::pair<std::int64_t, std::int64_t>> placesOf(const ModelDocument& document) {
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (const train::Moment& moment : document.moments().all())
    places.emplace_back(moment.step(), moment.events);
  return places;
}

class TestDocumentMoments : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    Need need;
    need.parameters = need.norms = true;
    need.pattern = "*probabilities";
    document_->observing().setNeed(&view_, need);
    for (const std::int64_t step : {5, 10, 20}) {
      QVERIFY(trainTo(*document_, step));
      document_->moments().pin(Pin::A);  // so that there is a moment here
      QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == step);
    }
    document_->moments().unpin(Pin::A);
    QTRY_VERIFY(document_->observing().snapshot() && document_->observing().snapshot()->step == 20);
  }

  void momentsAreInOrderFromTheFirst() {
    QTRY_VERIFY(!document_->moments().all().empty() &&
                document_->moments().all().back().step() == 20);
    const auto& moments = document_->moments().all();
    QCOMPARE(moments.front().step(), std::int64_t(0));
    for (std::size_t i = 1; i < moments.size(); ++i)
      QVERIFY(moments[i].step() > moments[i - 1].step());
  }

  void everythingIsOfTheShownMoment() {
    const auto now = document_->observing().snapshot();
    const QSignalSpy changed(&document_->moments(), &Moments::momentChanged);
    const QSignalSpy shape(&document_->moments(), &Moments::shapeChanged);
    document_->moments().show(10);
    QCOMPARE(changed.size(), 1);
    QVERIFY(!document_->moments().showsNow());
    QCOMPARE(document_->moments().shownStep(), std::int64_t(10));
    QCOMPARE(document_->training().step(), std::int64_t(20));
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(10));
    const auto past = document_->observing().snapshot();
    QVERIFY(past->state->step == 10 && past->state->parameters != now->state->parameters);
    QVERIFY(!past->observed.empty() && past->observed.size() == now->observed.size());
    QVERIFY(std::isnan(past->norms.front().gradient) && past->norms.front().value > 0);
    document_->moments().showNow();
    QVERIFY(document_->moments().showsNow());
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(20));
    QVERIFY(document_->observing().snapshot()->state->parameters == now->state->parameters);
    QCOMPARE(shape.size(), 0);
  }

  void aMomentShowsWhatItShowedThen() {
    ModelDocument then(1);
    startRot13(then);
    QObject view;
    Need need;
    need.parameters = true;
    need.pattern = "*probabilities";
    then.observing().setNeed(&view, need);
    QVERIFY(trainTo(then, 10));
    QTRY_VERIFY(then.observing().snapshot() && then.observing().snapshot()->step == 10);
    document_->moments().show(10);
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(10));
    const auto& seen = *document_->observing().snapshot();
    QVERIFY(seen.state->parameters == then.observing().snapshot()->state->parameters);
    for (const auto& [name, values] : then.observing().snapshot()->observed)
      QVERIFY(seen.observed.at(name).values == values.values);
  }

  void lookingBackDoesNotAffectTraining() {
    document_->moments().show(5);
    QVERIFY(trainTo(*document_, 30));
    QCOMPARE(document_->moments().shownStep(), std::int64_t(5));
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(5));
    ModelDocument plain(1);
    startRot13(plain);
    QVERIFY(trainTo(plain, 30));
    QCOMPARE(document_->training().history().steps.back().loss,
             plain.training().history().steps.back().loss);
  }

  void continuingFromAMomentIsUndoable() {
    const double first = document_->training().history().steps[12].loss;
    document_->moments().show(10);
    QVERIFY(document_->moments().canContinue());
    document_->changes().continueFromMoment();
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(document_->moments().showsNow());
    QCOMPARE(document_->training().step(), std::int64_t(10));
    QCOMPARE(document_->training().history().steps.size(), std::size_t(10));
    QCOMPARE(document_->training().history().events.back().kind, train::EventKind::Restored);
    QTRY_VERIFY(document_->moments().all().back().step() <= 10);
    QVERIFY(trainTo(*document_, 15));
    QCOMPARE(document_->training().history().steps[12].loss, first);  // the same branch again
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
    QCOMPARE(document_->training().step(), std::int64_t(20));
    QCOMPARE(document_->training().history().steps.size(), std::size_t(20));
    QVERIFY(document_->training().history().events.empty());
  }

  /// The strip covers exactly the moments that undo or redo brings back.
  void undoBringsTheMomentsBack() {
    QTRY_VERIFY(document_->moments().all().back().step() == 20);
    const auto whole = placesOf(*document_);
    document_->moments().show(10);
    document_->changes().continueFromMoment();
    QTRY_VERIFY(document_->changes().canUndo());
    QTRY_VERIFY(document_->moments().all().back().step() <= 10);
    QVERIFY(trainTo(*document_, 15));
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
    QTRY_VERIFY(placesOf(*document_) == whole);

    document_->changes().apply("Wider", startAgainWith(11));
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(trainTo(*document_, 30));
    document_->moments().pin(Pin::B);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B) == 30);
    QTRY_VERIFY(document_->moments().all().back().step() == 30);
    const auto grown = placesOf(*document_);
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
    QTRY_VERIFY(placesOf(*document_) == whole);
    document_->changes().redo();
    QTRY_VERIFY(!document_->changes().canRedo());
    QTRY_VERIFY(placesOf(*document_) == grown);
    document_->moments().show(30);
    QCOMPARE(document_->moments().model().encoder_layers.front().first<FeedForward>()->width,
             std::int64_t(11));
  }

  /// Another seed's moments do not belong to the branch that comes back.
  void momentsOfAnotherBranchStayAway() {
    document_->changes().apply("Wider", startAgainWith(11));
    QTRY_VERIFY(document_->changes().canUndo());
    document_->changes().newSeed();
    QTRY_COMPARE(document_->training().step(), std::int64_t(0));
    QVERIFY(trainTo(*document_, 8));
    document_->moments().pin(Pin::B);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B) == 8);
    document_->changes().undo();
    QTRY_VERIFY(document_->changes().canRedo());
    QTRY_COMPARE(document_->moments().all().back().step(), std::int64_t(20));
    for (const train::Moment& moment : document_->moments().all())
      QCOMPARE(moment.state->seed, document_->training().config().seed);
  }

  void bothSidesOfAChangeAreKept() {
    const std::int64_t narrow = document_->moments().layout().total;
    document_->changes().apply("Wider", startAgainWith(11));
    QTRY_VERIFY(document_->changes().canUndo());
    const std::int64_t wide = document_->moments().layout().total;
    QVERIFY(wide > narrow);
    QVERIFY(trainTo(*document_, 25));
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < document_->moments().all().size(); ++i)
      if (document_->moments().all()[i].step() == 20) at.push_back(i);
    QCOMPARE(at.size(), std::size_t(2));
    const QSignalSpy shape(&document_->moments(), &Moments::shapeChanged);
    bool right = true;
    connect(&document_->observing(), &Observing::snapshotChanged, &view_, [&] {
      right = right && document_->observing().snapshot()->state->layout.total ==
                           document_->moments().layout().total;
    });
    document_->moments().showAt(at[0]);
    QCOMPARE(document_->moments().layout().total, narrow);
    QCOMPARE(document_->training().layout().total, wide);
    QCOMPARE(shape.size(), 1);
    QVERIFY(document_->observing().snapshot() == nullptr);  // no snapshot of another shape
    QTRY_VERIFY(document_->observing().snapshot());
    document_->moments().moveBy(1);
    QCOMPARE(document_->moments().shownStep(), std::int64_t(20));
    QCOMPARE(document_->moments().layout().total, wide);
    QTRY_VERIFY(document_->observing().snapshot());
    document_->moments().moveBy(-1);
    document_->changes().continueFromMoment();
    QTRY_COMPARE(document_->training().layout().total, narrow);
    QTRY_VERIFY(document_->moments().all().back().state->layout.total == narrow);
    QVERIFY(right);
  }

  void twoPinsAreSubtracted() {
    document_->moments().compare(Comparison::Difference);
    QVERIFY(document_->moments().showsNow());  // there are no pins yet
    document_->moments().show(20);
    document_->moments().pin(Pin::A);
    document_->moments().pin(Pin::B, 5);
    QCOMPARE(*document_->moments().pinnedStep(Pin::A), std::int64_t(20));
    QCOMPARE(*document_->moments().pinnedStep(Pin::B), std::int64_t(5));
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY(document_->observing().snapshot() &&
                document_->observing().snapshot()->is_difference);
    const auto difference = document_->observing().snapshot();
    const auto a = difference->minuend, b = difference->subtrahend;
    QVERIFY(a && b && a->step == 20 && b->step == 5);
    QCOMPARE(difference->minus_step, std::int64_t(5));
    QVERIFY(difference->unmatched.empty());
    for (std::size_t i = 0; i < a->state->parameters.size(); ++i)
      QCOMPARE(difference->state->parameters[i], a->state->parameters[i] - b->state->parameters[i]);
    // Both read the right answer, whatever they would write, so that the maps have the same tokens.
    for (const auto& look : {a, b}) {
      QCOMPARE(look->probe.read, train::ReadAnswer::Right);
      QCOMPARE(look->probe.answer, document_->observing().samples().front().target);
    }
    for (const auto& [name, values] : difference->observed)
      for (std::size_t i = 0; i < values.values.size(); ++i)
        QCOMPARE(values.values[i], a->observed.at(name).values[i] - b->observed.at(name).values[i]);
    QVERIFY(!document_->moments().canContinue());
    document_->moments().compare(Comparison::B);
    QCOMPARE(document_->moments().shownStep(), std::int64_t(5));
    QTRY_VERIFY(!document_->observing().snapshot()->is_difference &&
                document_->observing().snapshot()->step == 5);
    document_->moments().unpin(Pin::B);
    QCOMPARE(document_->moments().comparison(), Comparison::Now);
  }

  void theEarlierMomentIsSubtractedWhateverItsPin() {
    document_->moments().pin(Pin::A, 5);
    document_->moments().pin(Pin::B, 20);
    QCOMPARE(document_->moments().laterPin(), Pin::B);
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY(document_->observing().snapshot() &&
                document_->observing().snapshot()->is_difference);
    QCOMPARE(document_->moments().shownStep(), std::int64_t(20));
    QCOMPARE(document_->observing().snapshot()->step, std::int64_t(20));
    QCOMPARE(document_->observing().snapshot()->minus_step, std::int64_t(5));
    const auto a = document_->observing().snapshot()->subtrahend,
               b = document_->observing().snapshot()->minuend;
    QVERIFY(a && b && a->step == 5 && b->step == 20);
    const auto& difference = document_->observing().snapshot()->state->parameters;
    for (std::size_t i = 0; i < difference.size(); ++i)
      QCOMPARE(difference[i], b->state->parameters[i] - a->state->parameters[i]);
  }

  void pinAIsObservedBesideThePresent() {
    document_->moments().pin(Pin::A, 5);
    const auto beside = [this] { return document_->observing().snapshot()->beside; };
    QVERIFY(!beside());
    Need need;
    need.pattern = "*attention.probabilities";
    document_->observing().setNeed(this, need);
    need.beside_pin = true;
    document_->observing().setNeed(this, need);
    QTRY_VERIFY(beside());
    QCOMPARE(document_->observing().snapshot()->probe.read, train::ReadAnswer::Right);
    QVERIFY(document_->moments().showsNow());
    const train::Snapshot* const first = beside().get();
    QCOMPARE(first->step, std::int64_t(5));
    QVERIFY(first->probe.decoder_labels == document_->observing().snapshot()->probe.decoder_labels);
    // What does not change is not computed again.
    document_->training().stepOnce();
    QTRY_COMPARE(document_->observing().snapshot()->step, std::int64_t(21));
    QCOMPARE(beside().get(), first);
    // Another question is asked of both.
    document_->observing().setQuestion("other");
    QTRY_VERIFY(beside() && beside()->probe.question == "other");
    document_->moments().unpin(Pin::A);
    QVERIFY(!beside());
    QTRY_VERIFY(document_->observing().snapshot()->probe.read == train::ReadAnswer::Own);
    document_->observing().setNeed(this, {});
  }

  void parametersWithoutCounterpartAreNamed() {
    document_->moments().pin(Pin::B, 20);
    document_->changes().apply("Wider", startAgainWith(11));
    QTRY_VERIFY(document_->changes().canUndo());
    document_->moments().pin(Pin::A);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY(document_->observing().snapshot() &&
                document_->observing().snapshot()->is_difference);
    const auto& seen = *document_->observing().snapshot();
    QVERIFY(!seen.unmatched.empty());
    const std::string name = "encoder.layers.0.feed_forward.linear1.weight";
    QVERIFY(std::find(seen.unmatched.begin(), seen.unmatched.end(), name) != seen.unmatched.end());
    const auto& layout = seen.state->layout;
    const ParameterInfo& wider = *layout.find(name);
    const auto first = seen.state->parameters.begin() + wider.offset;
    QCOMPARE(std::count_if(first, first + wider.size(), [](float x) { return std::isnan(x); }),
             (wider.rows() - 5) * wider.cols());
    QVERIFY2(std::isfinite(*first), "what both have is subtracted");
    const auto* same = layout.find("encoder.embedding.weight");
    QVERIFY(std::isfinite(seen.state->parameters[std::size_t(same->offset)]));
  }

  void discardedMomentsAreNotShown() {
    document_->moments().pin(Pin::A, 20);
    document_->moments().show(20);
    document_->changes().reset();
    QTRY_COMPARE(document_->training().step(), std::int64_t(0));
    QVERIFY(document_->moments().showsNow());
    QTRY_COMPARE(document_->moments().all().size(), std::size_t(1));
    document_->moments().compare(Comparison::A);  // a pin stays for comparison
    QCOMPARE(document_->moments().shownStep(), std::int64_t(20));
    QVERIFY(!document_->moments().canContinue());
  }

  void steppingEndsAtTheEnds() {
    QTRY_VERIFY(!document_->moments().all().empty() &&
                document_->moments().all().back().step() == 20);
    document_->moments().moveBy(1);
    QVERIFY(document_->moments().showsNow());
    document_->moments().moveBy(-1);
    QVERIFY(document_->moments().shownStep() < 20);
    for (int i = 0; i < 50; ++i) document_->moments().moveBy(-1);
    QCOMPARE(document_->moments().shownStep(), std::int64_t(0));
    for (int i = 0; i < 50; ++i) document_->moments().moveBy(1);
    QVERIFY(document_->moments().showsNow());
  }

  void answersAreOfTheShownMoment() {
    qRegisterMetaType<train::AnsweredQuestion>();
    const auto ask = [&] {
      train::AnsweredQuestion result;
      bool finished = false;
      QObject context;
      connect(&document_->answers(), &Answers::answering, &context,
              [&](const train::AnsweredQuestion& answer, bool end) {
                result = answer;
                finished = end;
              });
      SamplingOptions greedy;
      greedy.max_tokens = 5;
      document_->answers().ask("hey", greedy);
      (void)QTest::qWaitFor([&] { return finished; }, 10'000);
      return result.tokens;
    };
    const auto now = ask();
    document_->moments().show(5);
    const auto then = ask();
    QVERIFY(!now.empty() && !then.empty());
    QVERIFY(then != now);
    document_->moments().showNow();
    QVERIFY(ask() == now);
  }

 private:
  QObject view_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentMoments)
#include "test_document_moments.moc"
