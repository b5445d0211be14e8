// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <memory>
#include <vector>

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "tests/test_program.h"
#include "ui/document/elastic_scores.h"
#include "ui/document/submodel_queue.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

ScoringSubject subject(std::int64_t examples, std::uint64_t seed = 1) {
  ScoringSubject s;
  s.task = data::makeTask(data::defaultTaskConfig("rot13"));
  ModelConfig config = presetNamed("rot13").config();
  setUniform(config, 1, 1, {2, 4, 4, 16, 1e-6});
  train::fitToTask(config, *s.task);
  s.state = std::make_shared<const ModelState>(initialState(config, seed));
  s.examples = examples;
  return s;
}

Submodel wide(std::int64_t width) { return {{width, width}, {2, 2}}; }

}  // namespace

class TestSubmodelQueue : public QObject {
  Q_OBJECT

 private:
  struct Heard {
    train::SubmodelScore score;
    bool complete;
  };
  std::unique_ptr<SubmodelQueue> queue_;
  std::vector<Heard> heard_;

  std::vector<Submodel> complete() const {
    std::vector<Submodel> all;
    for (const Heard& h : heard_)
      if (h.complete) all.push_back(h.score.submodel);
    return all;
  }

 private slots:
  void init() {
    heard_.clear();
    queue_ = std::make_unique<SubmodelQueue>();
    connect(queue_.get(), &SubmodelQueue::scored, this,
            [this](const train::SubmodelScore& score, bool complete) {
              heard_.push_back({score, complete});
            });
  }
  void cleanup() { queue_.reset(); }

  void everythingIsMeasuredInOrder() {
    const QSignalSpy emptied(queue_.get(), &SubmodelQueue::emptied);
    queue_->start(subject(60), {wide(4), wide(8)});
    QCOMPARE(queue_->left(), 2);
    queue_->add({wide(8), wide(4), wide(16)});
    QCOMPARE(queue_->left(), 3);
    QTRY_COMPARE_WITH_TIMEOUT(emptied.size(), 1, kPatience);
    QCOMPARE(complete(), (std::vector{wide(4), wide(8), wide(16)}));
    QCOMPARE(heard_.back().score.examples, std::int64_t(60));
    QCOMPARE(heard_.back().score.agreement, 1.0);
    QCOMPARE(queue_->left(), 0);
  }

  void theFirstComesBeforeAllAndWhatItInterruptsFollows() {
    queue_->start(subject(40'000), {wide(4), wide(8)});
    queue_->addFirst(wide(16));
    QCOMPARE(queue_->left(), 3);
    QTRY_VERIFY_WITH_TIMEOUT(!heard_.empty(), kPatience);
    QCOMPARE(heard_.front().score.submodel, wide(16));
    queue_->start(subject(40), {wide(4), wide(8)});
    queue_->addFirst(wide(2));
    heard_.clear();
    QTRY_COMPARE_WITH_TIMEOUT(complete().size(), std::size_t{3}, kPatience);
    QCOMPARE(complete(), (std::vector{wide(2), wide(4), wide(8)}));
  }

  void partialResultsComeEarlyAndGrow() {
    queue_->start(subject(20'000), {wide(8)});
    QTRY_VERIFY_WITH_TIMEOUT(!complete().empty(), kPatience);
    QVERIFY2(heard_.size() > 2, "a long measurement tells of its way");
    for (std::size_t i = 1; i < heard_.size(); ++i)
      QVERIFY(heard_[i].score.examples >= heard_[i - 1].score.examples);
    QVERIFY(!heard_.front().complete);
    QVERIFY(heard_.front().score.examples < 20'000);
  }

  void cancelledMeasurementsAreNotReported() {
    queue_->start(subject(40'000, 1), {wide(4)});
    queue_->start(subject(30, 2), {wide(8)});
    QTRY_COMPARE_WITH_TIMEOUT(complete().size(), std::size_t{1}, kPatience);
    for (const Heard& h : heard_) QCOMPARE(h.score.submodel, wide(8));
    QCOMPARE(queue_->subject().state->seed, std::uint64_t{2});
    heard_.clear();
    queue_->start(subject(40'000), {wide(4), wide(8)});
    queue_->remove(wide(4));
    queue_->remove(wide(8));
    QCOMPARE(queue_->left(), 0);
    QTest::qWait(300);
    QVERIFY(heard_.empty());
  }

  void aFailureIsReportedAndTheNextFollows() {
    QSignalSpy failed(queue_.get(), &SubmodelQueue::failed);
    queue_->start(subject(30), {wide(17), wide(4)});
    QTRY_COMPARE_WITH_TIMEOUT(complete().size(), std::size_t{1}, kPatience);
    QCOMPARE(failed.size(), 1);
    QCOMPARE(complete().front(), wide(4));
  }

  void destroyingItEndsAMeasurementSoon() {
    queue_->start(subject(200'000), {wide(4)});
    QTest::qWait(100);
    QElapsedTimer clock;
    clock.start();
    queue_.reset();
    QVERIFY(clock.elapsed() < 10'000);
  }

  void anOlderCompleteScoreStaysUntilTheNextIsComplete() {
    const auto timed = [](double loss, int moment, bool complete) {
      train::SubmodelScore score;
      score.submodel = wide(4);
      score.loss = loss;
      return TimedScore{score, 10 * moment, moment, complete};
    };
    ElasticScores scores;
    scores.take(timed(1.0, 1, false));
    QCOMPARE(scores.find(wide(4))->score.loss, 1.0);
    scores.take(timed(2.0, 1, true));
    QVERIFY(scores.isMeasured(wide(4), 1));
    QVERIFY(!scores.isMeasured(wide(4), 2));
    scores.take(timed(3.0, 2, false));
    QCOMPARE(scores.find(wide(4))->score.loss, 2.0);
    scores.take(timed(4.0, 2, true));
    QCOMPARE(scores.find(wide(4))->score.loss, 4.0);
    const std::vector<Submodel> others{wide(8)};
    scores.keepOnly(others);
    QVERIFY(scores.find(wide(4)) == nullptr);
  }
};

TFM_TEST(TestSubmodelQueue)
#include "test_submodel_queue.moc"
