// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSemaphore>
#include <QTest>
#include <memory>

#include "tests/test_program.h"
#include "ui/document/in_background.h"

using namespace tfm::ui;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 20000;  // milliseconds

}  // namespace

class TestInBackground : public QObject {
  Q_OBJECT

 private slots:
  void withoutPatienceTheResultComesLater() {
    int result = 0;
    QFuture<int> work = inBackground<int>(
        this, [] { return 7; }, [&](int r) { result = r; });
    work.waitForFinished();
    QCOMPARE(result, 0);
    QTRY_COMPARE_WITH_TIMEOUT(result, 7, kPatience);
  }

  void workDoneInTimeIsThereAtOnce() {
    int calls = 0, result = 0;
    inBackground<int>(
        this, [] { return 7; },
        [&](int r) {
          ++calls;
          result = r;
        },
        20s);
    QCOMPARE(result, 7);
    QTest::qWait(20);
    QCOMPARE(calls, 1);
  }

  void patienceEndsAndTheResultStillComes() {
    QSemaphore gate;
    int result = 0;
    inBackground<int>(
        this,
        [&] {
          gate.acquire();
          return 7;
        },
        [&](int r) { result = r; }, 5ms);
    QCOMPARE(result, 0);
    gate.release();
    QTRY_COMPARE_WITH_TIMEOUT(result, 7, kPatience);
  }

  void nobodyHearsWhenTheOwnerIsGone() {
    auto owner = std::make_unique<QObject>();
    QSemaphore gate;
    bool heard = false;
    QFuture<int> work = inBackground<int>(
        owner.get(),
        [&] {
          gate.acquire();
          return 7;
        },
        [&](int) { heard = true; }, 5ms);
    owner.reset();
    gate.release();
    work.waitForFinished();
    QTest::qWait(20);
    QVERIFY(!heard);
  }
};

TFM_TEST(TestInBackground)
#include "test_in_background.moc"
