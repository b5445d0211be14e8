// SPDX-License-Identifier: GPL-3.0-or-later
// The documents that come with the program. With TFM_WRITE_DEMONSTRATION=FILE it trains the first
// of them anew and writes it, with its moments.
#include <QTest>
#include <cmath>

#include "core/live/moment_ring.h"
#include "tests/test_program.h"
#include "ui/document/demonstration.h"
#include "ui/document/model_document.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr std::int64_t kMomentBytes = 1'400'000;

}  // namespace

class TestDemonstration : public QObject {
  Q_OBJECT

 private slots:
  void startingOverLeadsToIt() {
    const train::Document shown = demonstration();
    ModelDocument document(2);
    document.adopt(demonstration());
    document.changes().reset();
    QTRY_COMPARE_WITH_TIMEOUT(document.training().step(), std::int64_t(0), kPatience);
    document.training().play();
    QTRY_VERIFY_WITH_TIMEOUT(document.training().isRunning(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!document.training().isRunning(), kPatience);
    if (const QString file = qEnvironmentVariable("TFM_WRITE_DEMONSTRATION"); !file.isEmpty()) {
      document.observing().setQuestion("there");
      document.save(file, true, kMomentBytes);
      return;
    }
    QCOMPARE(document.training().step(), shown.state.step);
    const double now = document.training().history().evaluations.back().loss;
    const double then = shown.history.evaluations.back().loss;
    // To the last digit on the kind of processor that trained it; elsewhere sums are rounded
    // otherwise.
    QVERIFY2(std::abs(now / then - 1.0) < 0.25,
             qPrintable(QString("%1 for %2").arg(now).arg(then)));
  }

  void theFirstHasItsMoments() {
    ModelDocument document(1);
    document.adopt(demonstration());
    QVERIFY(!document.files().isModified());
    QVERIFY(document.moments().all().size() >= 12);
    QCOMPARE(document.moments().all().front().step(), std::int64_t(0));
    QCOMPARE(document.moments().all().back().step(), document.training().step());
    document.moments().show(137);
    QVERIFY(document.moments().shownStep() <= 137 && document.moments().shownStep() > 60);
    QVERIFY(document.moments().canContinue());
    QCOMPARE(document.observing().question(), QString("there"));
  }
};

TFM_TEST(TestDemonstration)
#include "test_demonstration.moc"
