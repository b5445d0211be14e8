// SPDX-License-Identifier: GPL-3.0-or-later
// What views see of the inside of a document: nothing that nobody wants, and one moment at a time.
#include <QSignalSpy>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/demonstration.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr const char* kAttention = "*attention.probabilities";

Wants wantsOf(const char* pattern) {
  Wants wants;
  wants.pattern = pattern;
  return wants;
}

}  // namespace

class TestDocumentWatching : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    document_->adopt(demonstration());
  }

  void nobodyWatchesAndNothingIsLookedAt() {
    const QSignalSpy seen(document_.get(), &ModelDocument::snapshotChanged);
    document_->stepOnce();
    QTest::qWait(150);
    QCOMPARE(seen.size(), 0);
    QVERIFY(document_->snapshot() == nullptr);
    document_->setWants(&view_, wantsOf(kAttention));  // the control
    QTRY_COMPARE(seen.size(), 1);
  }

  void aSnapshotHoldsWhatIsWantedAndNoMore() {
    document_->setWants(&view_, wantsOf(kAttention));
    QTRY_VERIFY(document_->snapshot());
    const auto attention = document_->snapshot();
    QVERIFY(!attention->observed.empty());
    QVERIFY(attention->state == nullptr);
    QVERIFY(attention->norms.empty() && attention->samples.empty());
    QCOMPARE(QString::fromStdString(attention->probe.question), document_->question());

    Wants weights;
    weights.parameters = weights.norms = weights.samples = true;
    document_->setWants(&view_, weights);
    QTRY_VERIFY(document_->snapshot()->state);
    QVERIFY(document_->snapshot()->observed.empty());
    QVERIFY(!document_->snapshot()->norms.empty());
    QCOMPARE(document_->snapshot()->samples.size(), document_->samples().size());
  }

  void wantsOfAllVisibleViewsAreMet() {
    document_->setWants(&view_, wantsOf(kAttention));
    Wants weights;
    weights.parameters = true;
    document_->setWants(&other_, weights);
    QTRY_VERIFY(document_->snapshot() && document_->snapshot()->state);
    QVERIFY(!document_->snapshot()->observed.empty());
    document_->setWants(&view_, {});  // is hidden
    QTRY_VERIFY(document_->snapshot()->observed.empty());
    QVERIFY(document_->snapshot()->state);
    document_->setWants(&other_, {});
    const auto last = document_->snapshot();
    document_->stepOnce();
    QTest::qWait(150);
    QCOMPARE(document_->snapshot(), last);
  }

  void theLastLookIsAtTheWeightsThatTrainingPausedWith() {
    document_->setWants(&view_, wantsOf(kAttention));
    QTRY_VERIFY(document_->snapshot());
    const std::int64_t first = document_->step();
    train::TrainConfig config = document_->training();
    config.stop = {};
    document_->setTraining(config);
    for (int i = 0; i < 5; ++i) {
      document_->play();
      QTRY_VERIFY(document_->isRunning() && document_->step() > first);
      QTest::qWait(23);
      document_->pause();
      QTRY_VERIFY(!document_->isRunning());
      QTRY_COMPARE(document_->snapshot()->step, document_->step());
    }
  }

  void theSameWantsAgainAreNoWork() {
    const QSignalSpy seen(document_.get(), &ModelDocument::snapshotChanged);
    document_->setWants(&view_, wantsOf(kAttention));
    QTRY_COMPARE(seen.size(), 1);
    document_->setWants(&view_, wantsOf(kAttention));
    QTest::qWait(150);
    QCOMPARE(seen.size(), 1);
  }

  void watchingChangesNoLoss() {
    ModelDocument unseen(1);
    unseen.adopt(demonstration());
    Wants everything = wantsOf("*");
    everything.parameters = everything.norms = everything.samples = everything.answer = true;
    document_->setWants(&view_, everything);
    const std::int64_t end = document_->step() + 40;
    QVERIFY(trainTo(*document_, end) && trainTo(unseen, end));
    QCOMPARE(document_->history().steps.back().loss, unseen.history().steps.back().loss);
  }

  void wantsOutliveTheModel() {
    document_->setWants(&view_, wantsOf(kAttention));
    QTRY_VERIFY(document_->snapshot());
    document_->adopt(demonstration());
    QVERIFY(document_->snapshot() == nullptr);  // no picture of another model
    QTRY_VERIFY(document_->snapshot());
  }

  void aQuestionIsAnsweredOrItIsSaidWhyNot() {
    Wants wants = wantsOf(kAttention);
    wants.answer = true;
    document_->setWants(&view_, wants);
    const QSignalSpy changed(document_.get(), &ModelDocument::questionChanged);
    document_->setQuestion("hey");
    QCOMPARE(changed.size(), 1);
    QVERIFY(!document_->questionProblem());
    QTRY_VERIFY(document_->snapshot() && document_->snapshot()->probe.answer == "url");

    for (const char* wrong : {"", "h3y", "é", "averyveryverylongwordthatcannotbe"}) {
      document_->setQuestion(wrong);
      const auto problem = document_->questionProblem();
      QVERIFY2(problem, wrong);
      QVERIFY(!problem->problem().empty());
    }
    QTRY_VERIFY(!document_->snapshot()->problem.empty());
    QVERIFY(document_->snapshot()->observed.empty());
    document_->setQuestion("ma");
    QTRY_VERIFY(document_->snapshot()->probe.answer == "zn");
    QVERIFY(document_->snapshot()->problem.empty());
  }

  void askedInWordsItAnswersInWords() {
    qRegisterMetaType<train::AnsweredQuestion>();
    qRegisterMetaType<Error>();
    std::string answer;
    bool finished = false;
    connect(document_.get(), &ModelDocument::answering, this,
            [&](const train::AnsweredQuestion& news, bool end) {
              answer = news.answer;
              finished = end;
            });
    std::optional<Error> told;
    connect(document_.get(), &ModelDocument::askFailed, this,
            [&](const Error& problem) { told = problem; });
    SamplingOptions greedy;
    greedy.most_tokens = 15;
    document_->ask("there", greedy);
    QTRY_VERIFY(finished);
    QCOMPARE(answer, std::string("gurer"));
    QVERIFY(!told);
    document_->ask("42", greedy);
    QTRY_VERIFY(told);
  }

 private:
  QObject view_;
  QObject other_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentWatching)
#include "test_document_watching.moc"
