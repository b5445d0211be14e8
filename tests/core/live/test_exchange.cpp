// SPDX-License-Identifier: GPL-3.0-or-later
// A training loop that goes on with another model.
#include <QTest>

#include "core/document/history.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

TrainConfig small() {
  TrainConfig config;
  config.batch_size = 5;
  config.evaluate_every = 4;
  config.evaluation_size = 7;
  return config;
}

/// A model of the same task with a wider feed-forward block, some steps into its training.
ModelState wider(std::int64_t feed_forward, std::int64_t step) {
  Document document = documentOf("rot13", "rot13", small());
  for (LayerConfig* layer :
       {&document.state.config.encoder_layers[0], &document.state.config.decoder_layers[0]})
    layer->first<FeedForward>()->width = feed_forward;
  document.state = initialState(document.state.config, 3);
  Trainer trainer = trainerOf(document);
  losses(trainer, int(step));
  return trainer.state();
}

/// Trains to a step and returns the document.
Document trainedTo(TrainingLoop& loop, Listener& listener, std::int64_t step) {
  while (listener.step < step) {
    loop.stepOnce();
    const std::int64_t next = listener.step + 1;
    if (!listener.until([&] { return listener.step >= next; })) return {};
  }
  return loop.document().get();
}

}  // namespace

class TestExchange : public QObject {
  Q_OBJECT

 private slots:
  void becomingAModelIsOpeningIt() {
    const ModelState other = wider(9, 6);
    Document opened = documentOf("rot13", "rot13", small());
    opened.state = other;
    TrainingLoop plain(opened, 1);
    Listener plain_listener(plain);
    plain_listener.read();
    const Document expected = trainedTo(plain, plain_listener, 15);

    TrainingLoop loop(documentOf("rot13", "rot13", small()), 1);
    Listener listener(loop);
    trainedTo(loop, listener, 5);
    replaceModel(loop, other, History{});
    QVERIFY(listener.untilCommandsAreDone());
    QVERIFY(listener.replaced);
    QVERIFY(listener.replaced->config == other.config);
    QCOMPARE(listener.replaced->layout.total, other.layout.total);
    QCOMPARE(listener.replaced->step, std::int64_t{6});
    QVERIFY(sameState(loop.document().get().state, other));
    const Document result = trainedTo(loop, listener, 15);
    QVERIFY(sameState(result.state, expected.state));
    QCOMPARE(withoutTime(result.history.steps), withoutTime(expected.history.steps));
    QCOMPARE(result.history.evaluations, expected.history.evaluations);
    QCOMPARE(withoutTime(listener.history.steps), withoutTime(expected.history.steps));
    // The control: the model that was there before is another one.
    TrainingLoop untouched(documentOf("rot13", "rot13", small()), 1);
    Listener untouched_listener(untouched);
    const Document differs = trainedTo(untouched, untouched_listener, 15);
    QVERIFY(
        !(withoutTime(differs.history.steps).back() == withoutTime(result.history.steps).back()));
  }

  void whatCannotBeTrainedChangesNothing() {
    TrainingLoop loop(documentOf("rot13", "rot13", small()), 1);
    Listener listener(loop);
    const Document before = trainedTo(loop, listener, 3);
    ModelConfig short_sighted = before.state.config;
    short_sighted.target_length = 2;
    const Exchange exchange = replaceModel(loop, initialState(short_sighted, 0)).get();
    QVERIFY(exchange.problem && !exchange.before);
    QVERIFY(std::string(exchange.problem->what()).find("target_length") != std::string::npos);
    QVERIFY(listener.untilCommandsAreDone());
    QVERIFY(!listener.replaced);
    const Document after = loop.document().get();
    QVERIFY(sameState(after.state, before.state));
    QVERIFY(after.history == before.history);
    trainedTo(loop, listener, 4);  // and it is alive
    QCOMPARE(listener.step, std::int64_t{4});
  }

  void anExchangeKnowsWhatWasAndTellsWhatWentWrong() {
    TrainingLoop loop(documentOf("rot13", "rot13", small()), 1);
    Listener listener(loop);
    const Document before = trainedTo(loop, listener, 4);
    std::promise<Exchange> failed, done;
    loop.exchange([](const Present&) -> Present { throw Error("no way"); },
                  [&](const Exchange& exchange) { failed.set_value(exchange); });
    const Exchange problem = failed.get_future().get();
    QVERIFY(problem.problem && problem.problem->problem() == "no way" && !problem.before);
    const auto grow = [](const Present& present) {
      Present next{std::make_shared<const ModelState>(wider(7, 4)), present.history, {}};
      addEvent(next.history, {4, EventKind::Growth, "wider"});
      return next;
    };
    loop.exchange(grow, [&](const Exchange& exchange) { done.set_value(exchange); });
    const Exchange exchange = done.get_future().get();
    QVERIFY(!exchange.problem);
    QVERIFY(sameState(*exchange.before->state, before.state));
    QVERIFY(exchange.before->history == before.history);
    QVERIFY(listener.untilCommandsAreDone());
    QCOMPARE(listener.history.events.size(), std::size_t{1});
    QCOMPARE(listener.history.steps.size(), std::size_t{4});
    QVERIFY(loop.document().get().history == listener.history);
  }

  /// What was measured of the model before says nothing about the one that came of it.
  void aChangedModelIsMeasuredAtOnce() {
    TrainConfig config = small();
    config.evaluate_every = 2;
    TrainingLoop loop(documentOf("rot13", "rot13", config), 1);
    Listener listener(loop);
    trainedTo(loop, listener, 4);
    QVERIFY(listener.untilCommandsAreDone());  // it is measured after the step is told
    QCOMPARE(listener.history.evaluations.size(), std::size_t{2});
    const auto go = [&](const std::function<Present(const Present&)>& next) {
      std::promise<Exchange> done;
      loop.exchange(next, [&](const Exchange& exchange) { done.set_value(exchange); });
      const auto before = done.get_future().get().before;
      return listener.untilCommandsAreDone() ? before : nullptr;
    };
    const auto small_one = go([](const Present& present) {
      Present next{std::make_shared<const ModelState>(wider(7, 4)), present.history, {}};
      addEvent(next.history, {4, EventKind::Growth, "wider"});
      return next;
    });
    QVERIFY(small_one);
    QCOMPARE(listener.history.evaluations.size(), std::size_t{3});
    const Evaluation measured = listener.history.evaluations.back();
    QCOMPARE(measured.step, std::int64_t{4});
    QVERIFY(measured.loss != listener.history.evaluations[1].loss);
    std::promise<double> expected;
    loop.post([&](Trainer& trainer) {
      expected.set_value(trainer.evaluate(trainer.config().evaluation_size).loss);
    });
    QCOMPARE(measured.loss, expected.get_future().get());
    // Undone and done again, nothing is measured twice.
    const auto large_one = go([&](const Present&) { return *small_one; });
    QVERIFY(large_one);
    QCOMPARE(listener.history.evaluations.size(), std::size_t{2});
    QVERIFY(go([&](const Present&) { return *large_one; }));
    QCOMPARE(listener.history.evaluations.size(), std::size_t{3});
    QVERIFY(loop.document().get().history == listener.history);
  }

  /// Whoever reads late must not mix measurements of two models.
  void newsOfAnExchangeComeWhole() {
    TrainingLoop loop(documentOf("rot13", "rot13", small()), 1);
    Listener listener(loop);
    trainedTo(loop, listener, 4);
    for (int i = 0; i < 3; ++i) loop.stepOnce();
    loop.note(EventKind::Note, "before");
    replaceModel(loop, wider(7, 2));
    loop.note(EventKind::Note, "after");
    for (int i = 0; i < 3; ++i) loop.stepOnce();
    const auto some = [&] { return loop.document().get().history.events.size() == 1; };
    QTRY_VERIFY_WITH_TIMEOUT(some() && loop.document().get().state.step >= 5, 60'000);
    loop.pause();
    loop.document().wait();
    loop.document().wait();  // the commands of one moment are done together, before a step
    const Document document = loop.document().get();
    listener.read();
    QVERIFY(listener.history == document.history);
    QCOMPARE(std::int64_t(listener.history.steps.size()), document.state.step);
    QCOMPARE(listener.history.events.size(), std::size_t{1});  // the one before is of a later step
    QCOMPARE(listener.history.events[0].text, std::string("after"));
  }

  void runningGoesOn() {
    TrainConfig config = small();
    TrainingLoop loop(documentOf("rot13", "rot13", config), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return listener.step > 5; }));
    replaceModel(loop, wider(9, 3), History{});
    QVERIFY(listener.until([&] { return listener.replaced && listener.step > 20; }));
    QVERIFY(listener.running);
    loop.pause();
    QVERIFY(listener.until([&] { return !listener.running; }));
    for (std::size_t i = 0; i < listener.history.steps.size(); ++i)
      QCOMPARE(listener.history.steps[i].step, std::int64_t(i) + 4);
  }

  void theWatchedQuestionIsSeenInTheNewModel() {
    TrainingLoop loop(documentOf("rot13", "rot13", small()), 1);
    Listener listener(loop);
    Looking looking;
    looking.question = "hey";
    looking.pattern = "*.feed_forward.hidden,*probabilities";
    looking.parameters = true;
    loop.look(looking);
    QVERIFY(listener.until([&] { return listener.snapshot != nullptr; }));
    listener.snapshot.reset();
    const ModelState other = wider(9, 0);
    replaceModel(loop, other);
    QVERIFY(listener.until([&] { return listener.snapshot != nullptr; }));
    QVERIFY(listener.snapshot->state->config == other.config);
    QVERIFY(listener.snapshot->problem.empty());
    QVERIFY(!listener.snapshot->observed.empty());
  }
};

TFM_TEST(TestExchange)
#include "test_exchange.moc"
