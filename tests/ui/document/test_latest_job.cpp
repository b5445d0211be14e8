// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSemaphore>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <memory>

#include "tests/test_program.h"
#include "ui/document/latest_job.h"

using namespace tfm::ui;
using namespace std::chrono_literals;

class TestLatestJob : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    job_ = std::make_unique<LatestJob>(this);
    results_.clear();
  }
  void cleanup() {
    gate_.release(100);
    QTRY_VERIFY_WITH_TIMEOUT(!job_->isBusy(), kPatience);
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
    QTest::qWait(1);  // what they told
    gate_.tryAcquire(gate_.available());
  }

  void theResultComesLater() {
    start(7, false);
    QVERIFY(job_->isBusy() && results_.empty());
    QTRY_COMPARE_WITH_TIMEOUT(results_, std::vector{7}, kPatience);
    QVERIFY(!job_->isBusy());
  }

  void fastResultsAreDeliveredAtOnce() {
    start(7, false);
    job_->wait(20s);
    QCOMPARE(results_, std::vector{7});
    QTest::qWait(20);
    QCOMPARE(results_.size(), std::size_t(1));
  }

  void afterATimeoutTheResultStillComes() {
    start(7, true);
    job_->wait(5ms);
    QVERIFY(results_.empty());
    gate_.release();
    QTRY_COMPARE_WITH_TIMEOUT(results_, std::vector{7}, kPatience);
  }

  void ofWaitingJobsOnlyTheNewestRuns() {
    for (const int number : {1, 2, 3}) start(number, true);
    gate_.release(3);
    const std::vector expected{1, 3};
    QTRY_COMPARE_WITH_TIMEOUT(results_, expected, kPatience);
    QCOMPARE(gate_.available(), 1);  // the second was never started
  }

  void aWaitingJobCanBeDropped() {
    start(1, true);
    start(2, true);
    job_->drop();
    gate_.release(2);
    QTRY_VERIFY_WITH_TIMEOUT(!job_->isBusy(), kPatience);
    QCOMPARE(results_, std::vector{1});
  }

  void forgottenJobsDeliverNothing() {
    start(1, true);
    start(2, true);
    job_->forget();
    QVERIFY(!job_->isBusy());
    start(3, true);
    job_->wait(5ms);  // not for what is forgotten
    gate_.release(3);
    QTRY_COMPARE_WITH_TIMEOUT(results_, std::vector{3}, kPatience);
  }

  /// Long jobs of others, more than there are cores, do not keep a short one waiting.
  void aJobDoesNotWaitForThoseOfOthers() {
    std::vector<std::unique_ptr<LatestJob>> others;
    QSemaphore running;
    for (int i = 0; i < QThread::idealThreadCount() + 2; ++i) {
      others.push_back(std::make_unique<LatestJob>(this));
      others.back()->start(
          [&] {
            running.release();
            gate_.acquire();
            return 0;
          },
          [](int) {});
    }
    start(7, false);
    QTRY_COMPARE_WITH_TIMEOUT(results_, std::vector{7}, kPatience);
    QVERIFY(running.tryAcquire(int(others.size()), kPatience));
    gate_.release(int(others.size()));
    for (const auto& other : others) QTRY_VERIFY_WITH_TIMEOUT(!other->isBusy(), kPatience);
  }

  void aCallbackCanStartTheNextJob() {
    job_->start([] { return 1; }, [this](int) { start(2, false); });
    job_->wait(20s);
    QTRY_COMPARE_WITH_TIMEOUT(results_, std::vector{2}, kPatience);
  }

  void nothingIsDeliveredWithoutAnOwner() {
    auto owner = std::make_unique<QObject>();
    auto job = std::make_unique<LatestJob>(owner.get());
    bool heard = false;
    job->start(
        [this] {
          gate_.acquire();
          return 7;
        },
        [&](int) { heard = true; });
    job.reset();
    owner.reset();
    gate_.release();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
    QTest::qWait(20);
    QVERIFY(!heard);
  }

 private:
  void start(int number, bool gated) {
    job_->start(
        [this, number, gated] {
          if (gated) gate_.acquire();
          return number;
        },
        [this](int result) { results_.push_back(result); });
  }

  QSemaphore gate_;
  std::vector<int> results_;
  std::unique_ptr<LatestJob> job_;
};

TFM_TEST(TestLatestJob)
#include "test_latest_job.moc"
