// SPDX-License-Identifier: GPL-3.0-or-later
// Going back through a training with the transport bar.
#include <QVBoxLayout>

#include "tests/ui/views/view_bench.h"
#include "ui/figure/number_text.h"
#include "ui/plots/loss_strip.h"
#include "ui/views/transport/time_bar.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

class TestTransportMoments : public QObject, private ViewBench<TransportBar> {
  Q_OBJECT

 private slots:
  void init() {
    setUp(startRot13, {1280, 130});
    // Pinning keeps a moment: there is one at each of these steps.
    for (const std::int64_t step : {20, 40, 60}) {
      QVERIFY(trainTo(*document_, step));
      document_->moments().pin(Pin::A);
      QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == step);
    }
    document_->moments().unpin(Pin::A);
    QVERIFY(said("Now"));
  }

  void cleanup() { tearDown(); }

  void draggingTheStripShowsThePast() {
    LossStrip& strip = view_->strip();
    QTest::mousePress(&strip.pointerArea(), Qt::LeftButton, {}, placeOf(30));
    QVERIFY(!document_->moments().showsNow());
    QVERIFY(document_->moments().shownStep() <= 30 && document_->moments().shownStep() >= 20);
    QVERIFY(said(QString("step %1 of 60").arg(document_->moments().shownStep())));
    QVERIFY(
        strip.accessibleDescription().contains(QString::number(document_->moments().shownStep())));
    QTest::mouseRelease(&strip.pointerArea(), Qt::LeftButton, {}, placeOf(30));
    QTest::qWait(QApplication::doubleClickInterval() +
                 50);  // after a new layout, and no double click
    QTest::mousePress(&strip.pointerArea(), Qt::LeftButton, {}, placeOf(60) + QPoint(10, 0));
    QVERIFY(document_->moments().showsNow());
    QVERIFY(said("Now"));
  }

  void keysStepThroughMoments() {
    QTest::keyClick(view_.get(), Qt::Key_BracketLeft);
    const std::int64_t first = document_->moments().shownStep();
    QVERIFY(first < 60);
    QTest::keyClick(view_.get(), Qt::Key_BracketLeft);
    QVERIFY(document_->moments().shownStep() < first);
    QTest::keyClick(view_.get(), Qt::Key_BracketRight);
    QCOMPARE(document_->moments().shownStep(), first);
    QTest::keyClick(view_.get(), Qt::Key_End, Qt::ControlModifier);
    QVERIFY(document_->moments().showsNow());
    view_->strip().setFocus();
    QTest::keyClick(&view_->strip(), Qt::Key_Left);
    QCOMPARE(document_->moments().shownStep(), first);
  }

  void numbersAreOfTheMomentThatIsShown() {
    const train::History& history = document_->training().history();
    QTRY_COMPARE(number(0), QString("60"));
    const QString now = number(1);
    document_->moments().show(40);
    QTRY_COMPARE(number(0), QString("40"));
    QCOMPARE(number(1), shortNumber(history.steps[39].loss));
    QVERIFY(number(1) != now);
    document_->moments().show(0);  // nothing was measured until then
    QTRY_COMPARE(number(0), QString("0"));
    QCOMPARE(number(1), QString("–"));
    QCOMPARE(number(2), QString("–"));
    document_->moments().pin(Pin::A);
    document_->moments().show(20);
    document_->moments().pin(Pin::B);
    document_->moments().compare(Comparison::Difference);
    QTRY_COMPARE(number(0), QString("–"));
    QCOMPARE(number(1), QString("–"));
    document_->moments().compare(Comparison::Now);
    document_->moments().showNow();
    QTRY_COMPARE(number(1), now);
  }

  void fromThePastGoBackOrContinue() {
    document_->moments().show(40);
    button("Back to now")->click();
    QVERIFY(document_->moments().showsNow());
    document_->moments().show(40);
    QVERIFY(button("Continue from here")->isEnabled());
    QVERIFY(said("drops the next 20 steps"));
    button("Continue from here")->click();
    QTRY_COMPARE(document_->training().step(), std::int64_t(40));
    QTRY_VERIFY(document_->changes().canUndo());
    QVERIFY(!button("Continue from here")->isEnabled());
    QCOMPARE(view_->strip().figureData().rows.size(), 40);
  }

  void pinsAreSetComparedAndRemoved() {
    auto* comparison = timeBar().findChild<Segmented*>();
    document_->moments().show(40);
    button("Pin as A")->click();
    QVERIFY(!button("Pin as A")->isVisible());
    document_->moments().show(20);
    QCOMPARE(comparison->current(), -1);  // neither now nor a pin
    button("Pin as B")->click();
    comparison->setCurrent(3);
    QCOMPARE(document_->moments().comparison(), Comparison::Difference);
    QVERIFY(said("step 40 − step 20"));
    QVERIFY(!button("Continue from here")->isEnabled());
    comparison->setCurrent(2);
    QCOMPARE(document_->moments().shownStep(), std::int64_t(20));
    comparison->setCurrent(0);
    QVERIFY(document_->moments().showsNow());
    for (auto* chip : timeBar().findChildren<PinChip*>()) emit chip->closed();
    QVERIFY(!document_->moments().pinnedStep(Pin::A) && !document_->moments().pinnedStep(Pin::B));
  }

  void nothingMovesUnderThePointer() {
    std::vector<QWidget*> all;
    for (auto* one : timeBar().findChildren<QPushButton*>()) all.push_back(one);
    all.push_back(&view_->strip());
    const auto places = [&] {
      QApplication::processEvents();
      std::vector<QPoint> found;
      for (const QWidget* one : all) found.push_back(one->mapTo(view_.get(), QPoint()));
      found.push_back({view_->height(), view_->minimumSizeHint().height()});
      return found;
    };
    const auto before = places();
    document_->moments().show(20);
    QCOMPARE(places(), before);
    document_->moments().pin(Pin::A);
    QCOMPARE(places(), before);
    document_->moments().show(40);
    document_->moments().pin(Pin::B);
    QCOMPARE(places(), before);
    document_->moments().compare(Comparison::Difference);
    QCOMPARE(places(), before);
    document_->moments().showNow();
    document_->moments().unpin(Pin::A);
    QCOMPARE(places(), before);
  }

  void aLowWindowShowsItOnlyWhenNeeded() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* bar = new TransportBar(*style_, *document_);
    column->addStretch(1);
    column->addWidget(bar);
    window.resize(900, 500);
    window.show();
    auto* time = bar->findChild<TimeBar*>();
    QTRY_VERIFY(time->isHidden());
    document_->moments().show(20);
    QVERIFY(!time->isHidden());
    document_->moments().showNow();
    QVERIFY(time->isHidden());
    window.resize(900, 700);
    QTRY_VERIFY(!time->isHidden());
  }

  void thePresentIsPinnedWithAKey() {
    QTest::keyClick(view_.get(), Qt::Key_P, Qt::ShiftModifier);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A) == std::int64_t(60));
    QTest::keyClick(view_.get(), Qt::Key_P, Qt::ShiftModifier);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::B) == std::int64_t(60));
  }

 private:
  TimeBar& timeBar() { return *view_->findChild<TimeBar*>(); }
  /// Step, loss, share of right answers.
  QString number(int place) { return view_->findChildren<NamedNumber*>()[place]->text(); }
  QPushButton* button(const QString& text) {
    for (auto* found : timeBar().findChildren<QPushButton*>())
      if (found->text() == text) return found;
    return nullptr;
  }
  bool said(const QString& text) {
    for (auto* label : timeBar().findChildren<QLabel*>())
      if (label->text().contains(text)) return true;
    return false;
  }
  /// Where the strip draws a step of 1 to 60.
  QPoint placeOf(int step) {
    const int width = view_->strip().width();
    return {6 + (width - 12) * (step - 1) / 59, view_->strip().height() / 2};
  }
};

TFM_TEST(TestTransportMoments)
#include "test_transport_moments.moc"
