// SPDX-License-Identifier: GPL-3.0-or-later
// Observing a document: only what is wanted, one moment at a time.
#include <QSignalSpy>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/demonstration.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr const char* kAttention = "*attention.probabilities";

Need needOf(const char* pattern) {
  Need need;
  need.pattern = pattern;
  return need;
}

}  // namespace

class TestDocumentWatching : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    document_->adopt(demonstration());
  }

  void nothingIsObservedWithoutNeed() {
    const QSignalSpy seen(&document_->observing(), &Observing::snapshotChanged);
    document_->training().stepOnce();
    QTest::qWait(150);
    QCOMPARE(seen.size(), 0);
    QVERIFY(document_->observing().snapshot() == nullptr);
    document_->observing().setNeed(&view_, needOf(kAttention));  // the control
    QTRY_COMPARE(seen.size(), 1);
  }

  void aSnapshotHoldsOnlyWhatIsNeeded() {
    document_->observing().setNeed(&view_, needOf(kAttention));
    QTRY_VERIFY(document_->observing().snapshot());
    const auto attention = document_->observing().snapshot();
    QVERIFY(!attention->observed.empty());
    QVERIFY(attention->state == nullptr);
    QVERIFY(attention->norms.empty() && attention->samples.empty());
    QCOMPARE(QString::fromStdString(attention->probe.question), document_->observing().question());

    Need weights;
    weights.parameters = weights.norms = weights.samples = true;
    document_->observing().setNeed(&view_, weights);
    QTRY_VERIFY(document_->observing().snapshot()->state);
    QVERIFY(document_->observing().snapshot()->observed.empty());
    QVERIFY(!document_->observing().snapshot()->norms.empty());
    QCOMPARE(document_->observing().snapshot()->samples.size(),
             document_->observing().samples().size());
  }

  void needOfAllVisibleViewsAreMet() {
    document_->observing().setNeed(&view_, needOf(kAttention));
    Need weights;
    weights.parameters = true;
    document_->observing().setNeed(&other_, weights);
    QTRY_VERIFY(document_->observing().snapshot() && document_->observing().snapshot()->state);
    QVERIFY(!document_->observing().snapshot()->observed.empty());
    document_->observing().setNeed(&view_, {});  // is hidden
    QTRY_VERIFY(document_->observing().snapshot()->observed.empty());
    QVERIFY(document_->observing().snapshot()->state);
    document_->observing().setNeed(&other_, {});
    const auto last = document_->observing().snapshot();
    document_->training().stepOnce();
    QTest::qWait(150);
    QCOMPARE(document_->observing().snapshot(), last);
  }

  void theLastSnapshotIsOfThePausedWeights() {
    document_->observing().setNeed(&view_, needOf(kAttention));
    QTRY_VERIFY(document_->observing().snapshot());
    const std::int64_t first = document_->training().step();
    train::TrainConfig config = document_->training().config();
    config.stop = {};
    document_->training().setConfig(config);
    for (int i = 0; i < 5; ++i) {
      document_->training().play();
      QTRY_VERIFY(document_->training().isRunning() && document_->training().step() > first);
      QTest::qWait(23);
      document_->training().pause();
      QTRY_VERIFY(!document_->training().isRunning());
      QTRY_COMPARE(document_->observing().snapshot()->step, document_->training().step());
    }
  }

  void repeatedNeedsDoNothing() {
    const QSignalSpy seen(&document_->observing(), &Observing::snapshotChanged);
    document_->observing().setNeed(&view_, needOf(kAttention));
    QTRY_COMPARE(seen.size(), 1);
    document_->observing().setNeed(&view_, needOf(kAttention));
    QTest::qWait(150);
    QCOMPARE(seen.size(), 1);
  }

  void observingChangesNoLoss() {
    ModelDocument unseen(1);
    unseen.adopt(demonstration());
    Need everything = needOf("*");
    everything.parameters = everything.norms = everything.samples = everything.answer = true;
    document_->observing().setNeed(&view_, everything);
    const std::int64_t end = document_->training().step() + 40;
    QVERIFY(trainTo(*document_, end) && trainTo(unseen, end));
    QCOMPARE(document_->training().history().steps.back().loss,
             unseen.training().history().steps.back().loss);
  }

  void needsOutliveTheModel() {
    document_->observing().setNeed(&view_, needOf(kAttention));
    QTRY_VERIFY(document_->observing().snapshot());
    document_->adopt(demonstration());
    QVERIFY(document_->observing().snapshot() == nullptr);  // no snapshot of another model
    QTRY_VERIFY(document_->observing().snapshot());
  }

  void aQuestionIsAnsweredOrTheReasonGiven() {
    Need need = needOf(kAttention);
    need.answer = true;
    document_->observing().setNeed(&view_, need);
    const QSignalSpy changed(&document_->observing(), &Observing::questionChanged);
    document_->observing().setQuestion("hey");
    QCOMPARE(changed.size(), 1);
    QVERIFY(!document_->observing().questionProblem());
    QTRY_VERIFY(document_->observing().snapshot() &&
                document_->observing().snapshot()->probe.answer == "url");

    for (const char* wrong : {"", "h3y", "é", "averyveryverylongwordthatcannotbe"}) {
      document_->observing().setQuestion(wrong);
      const auto problem = document_->observing().questionProblem();
      QVERIFY2(problem, wrong);
      QVERIFY(!problem->problem().empty());
    }
    QTRY_VERIFY(!document_->observing().snapshot()->problem.empty());
    QVERIFY(document_->observing().snapshot()->observed.empty());
    document_->observing().setQuestion("ma");
    QTRY_VERIFY(document_->observing().snapshot()->probe.answer == "zn");
    QVERIFY(document_->observing().snapshot()->problem.empty());
  }

  void wordsAreAnsweredInWords() {
    qRegisterMetaType<train::AnsweredQuestion>();
    qRegisterMetaType<Error>();
    std::string answer;
    bool finished = false;
    connect(&document_->answers(), &Answers::answering, this,
            [&](const train::AnsweredQuestion& news, bool end) {
              answer = news.answer;
              finished = end;
            });
    std::optional<Error> told;
    connect(&document_->answers(), &Answers::failed, this,
            [&](const Error& problem) { told = problem; });
    SamplingOptions greedy;
    greedy.max_tokens = 15;
    document_->answers().ask("there", greedy);
    QTRY_VERIFY(finished);
    QCOMPARE(answer, std::string("gurer"));
    QVERIFY(!told);
    document_->answers().ask("42", greedy);
    QTRY_VERIFY(told);
  }

 private:
  QObject view_;
  QObject other_;
  std::unique_ptr<ModelDocument> document_;
};

TFM_TEST(TestDocumentWatching)
#include "test_document_watching.moc"
